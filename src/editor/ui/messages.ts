import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentences } from '../../core/base/localization.ts';
import { messageOf } from '../../core/base/loose.ts';
import type { Log } from './log.ts';
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

/** Asks in a dialog that VS Code gives a Cancel button. @returns whether the person pressed the button of the action. */
export async function isConfirmed(question: string, action: string, detail?: string): Promise<boolean> {
  return (await showWarningMessage(question, { modal: true, detail }, action)) === action;
}

/** Tells options apart from the first button, which is a string or has a title. */
function isOptions(value: vscode.MessageOptions | Item | undefined): value is vscode.MessageOptions {
  return typeof value === 'object' && !('title' in value);
}

function plainDetail(options: vscode.MessageOptions): vscode.MessageOptions {
  return options.detail === undefined ? options : { ...options, detail: plainMessage(options.detail) };
}

/**
 * Logs an unexpected error with its stack, and shows it in one sentence.
 *
 * @param where what it occurred in, for the log.
 */
export function showDefect(log: Log, where: string, error: unknown): void {
  log.defect(where, error);
  void showErrorMessage(l10n.t('Ask Model ran into an error: {0}', log.redact(messageOf(error))));
}

/** VS Code's `withProgress` for a title that may come from outside: it is shown without links. */
export function withProgress<R>(
  options: vscode.ProgressOptions,
  task: (signal: AbortSignal) => Thenable<R>,
): Thenable<R> {
  const { title } = options;
  return vscode.window.withProgress(
    title === undefined ? options : { ...options, title: plainMessage(title) },
    (_, token) => task(signalOf(token)),
  );
}

/** A signal that is aborted when VS Code cancels. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const abort = new AbortController();
  token.onCancellationRequested(() => abort.abort());
  if (token.isCancellationRequested) {
    abort.abort();
  }
  return abort.signal;
}

/** Runs a task with a progress notification that can be cancelled. @returns undefined when the person cancelled. */
export function withCancellableProgress<R>(
  title: string,
  task: (signal: AbortSignal) => Promise<R>,
): Thenable<R | undefined> {
  const location = vscode.ProgressLocation.Notification;
  return withProgress({ location, title, cancellable: true }, async (signal) => {
    try {
      const result = await task(signal);
      return signal.aborted ? undefined : result;
    } catch (error) {
      if (signal.aborted) {
        return undefined;
      }
      throw error;
    }
  });
}

/**
 * Opens `http:`, `https:` and `mailto:` links and ignores all others. The panel also checks, but is not trusted.
 *
 * @param hasSecret whether an address has a masked value or a key in it.
 */
export async function openLink(href: string, hasSecret: (address: string) => boolean): Promise<void> {
  const url = URL.parse(href);
  if (url && ['http:', 'https:', 'mailto:'].includes(url.protocol)) {
    if (hasSecret(href)) {
      void showWarningMessage(l10n.t("This link wasn't opened, because its address contains a masked value or a key."));
      return;
    }
    await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
  }
}

/** Tells the person which parts of a setting are ignored, and offers to open the settings there. */
export function showSettingProblems(log: Log, setting: string, problems: readonly string[]): void {
  if (problems.length > 0) {
    log.warn(`Problems in ${setting}: ${problems.length}`);
    show(setting, problems).catch((error: unknown) => log.defect('The settings could not be opened', error));
  }
}

async function show(key: string, problems: readonly string[]): Promise<void> {
  const open = l10n.t('Open Settings');
  const answer = await showWarningMessage(
    sentences(l10n.t('Some settings of Ask Model are ignored.'), ...problems),
    open,
  );
  if (answer === open) {
    await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key } });
  }
}

/** Opens a new, unsaved Markdown document. */
export async function showMarkdown(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { preview: false });
}
