import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { shownPath } from '../ui/lastEditor.ts';
import { showWarningMessage } from '../ui/messages.ts';
import { fileContext, fileLimit, tooLargeText } from './fileContexts.ts';
import type { ReadContext } from './foundContext.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

/** Larger files are not opened: VS Code would read all of them. */
const maxBytes = 5 * 2 ** 20;

/**
 * Reads a whole file as context, with what is not saved yet; or says why it can't be included. Before a link is followed
 * out of the workspace, the person is asked.
 */
export async function readFileContext(uri: vscode.Uri, files: Pick<WorkspaceFiles, 'follow'>): Promise<ReadContext> {
  const { outside } = await files.follow(uri);
  return outside === undefined || (await confirmLink(shownPath(uri), outside)) ? readFile(uri) : { pieces: [] };
}

async function confirmLink(path: string, target: string): Promise<boolean> {
  const include = l10n.t('Include');
  const question = l10n.t('{0} is a link out of the workspace. Include the file that it leads to?', path);
  return (await showWarningMessage(question, { modal: true, detail: target }, include)) === include;
}

/** Reads a file without following it; see `readFileContext`. */
export async function readFile(uri: vscode.Uri): Promise<ReadContext> {
  const path = shownPath(uri);
  const isOpen = vscode.workspace.textDocuments.some((each) => each.uri.toString() === uri.toString());
  if (!isOpen) {
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > maxBytes) {
        return none(tooLargeText(path, size));
      }
    } catch {
      return none(l10n.t('{0} no longer exists.', path));
    }
  }
  let file: CodeContext;
  try {
    file = fileContext(await vscode.workspace.openTextDocument(uri));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return none(/binary/i.test(reason) ? binaryText(path) : l10n.t("{0} can't be read: {1}", path, reason));
  }
  if (file.text.includes('\0')) {
    return none(binaryText(path));
  }
  return file.text.length > fileLimit ? none(tooLargeText(path, file.text.length)) : { pieces: [file] };
}

function none(note: string): ReadContext {
  return { pieces: [], note };
}

function binaryText(path: string): string {
  return l10n.t("{0} can't be included because it isn't a text file.", path);
}
