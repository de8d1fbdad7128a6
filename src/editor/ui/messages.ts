import * as vscode from 'vscode';
import { plainMessage } from './plainText.ts';

/**
 * VS Code's `showInformationMessage` for texts that may come from outside: they are shown without links. The labels of
 * buttons must be the extension's own.
 */
export const showInformationMessage = plain('showInformationMessage');
/** VS Code's `showWarningMessage`; see `showInformationMessage`. */
export const showWarningMessage = plain('showWarningMessage');
/** VS Code's `showErrorMessage`; see `showInformationMessage`. */
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

/** Tells options apart from the first button, which is a string or has a title. */
function isOptions(value: vscode.MessageOptions | Item | undefined): value is vscode.MessageOptions {
  return typeof value === 'object' && !('title' in value);
}

function plainDetail(options: vscode.MessageOptions): vscode.MessageOptions {
  return options.detail === undefined ? options : { ...options, detail: plainMessage(options.detail) };
}

/** VS Code's `withProgress` for a title that may come from outside: it is shown without links. */
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

/** Runs a task with a progress notification that can be cancelled. @returns undefined when the person cancelled. */
export function withCancellableProgress<R>(
  title: string,
  task: (signal: AbortSignal) => Promise<R>,
): Thenable<R | undefined> {
  const location = vscode.ProgressLocation.Notification;
  return withProgress({ location, title, cancellable: true }, async (token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    try {
      const result = await task(abort.signal);
      return abort.signal.aborted ? undefined : result;
    } catch (error) {
      if (abort.signal.aborted) {
        return undefined;
      }
      throw error;
    }
  });
}
