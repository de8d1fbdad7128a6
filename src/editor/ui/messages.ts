import * as vscode from 'vscode';
import { plainMessage } from './plainText.ts';

/** `showInformationMessage` of VS Code for words of anyone: none of them becomes a link. Words of buttons are our own. */
export const showInformationMessage = plain('showInformationMessage');
/** `showWarningMessage` of VS Code; see `showInformationMessage`. */
export const showWarningMessage = plain('showWarningMessage');
/** `showErrorMessage` of VS Code; see `showInformationMessage`. */
export const showErrorMessage = plain('showErrorMessage');

type Show = typeof vscode.window.showInformationMessage;
type Item = string | vscode.MessageItem;

function plain(name: 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage'): Show {
  return (message: string, ...rest: readonly (vscode.MessageOptions | Item | undefined)[]) => {
    const [first, ...items] = rest;
    const [options, buttons] = isOptions(first) ? [plainDetail(first), items] : [{}, rest];
    return vscode.window[name](plainMessage(message), options, ...(buttons as never[]));
  };
}

/** A button is a text, or has a title. */
function isOptions(value: vscode.MessageOptions | Item | undefined): value is vscode.MessageOptions {
  return typeof value === 'object' && !('title' in value);
}

function plainDetail(options: vscode.MessageOptions): vscode.MessageOptions {
  return options.detail === undefined ? options : { ...options, detail: plainMessage(options.detail) };
}

/** `withProgress` of VS Code for a title of anyone's words: a notification would make links of them. */
export function withProgress<R>(
  options: vscode.ProgressOptions,
  task: (token: vscode.CancellationToken) => Thenable<R>,
): Thenable<R> {
  const { title } = options;
  return vscode.window.withProgress(
    title === undefined ? options : { ...options, title: plainMessage(title) },
    (_, token) => task(token),
  );
}
