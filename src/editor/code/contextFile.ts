import * as vscode from 'vscode';
import { contextPlaces } from '../../core/chat/context/contextPath.ts';
import type { SelectedCode } from '../../core/chat/edits/codeTarget.ts';
import { findCode } from '../../core/chat/edits/findCode.ts';
import { showQuickPick } from '../ui/quickPick.ts';

/**
 * Opens the file that a question's code came from: in one of the workspace's folders, or, for a name without a folder,
 * one that is open. Undefined when it is gone, or the person did not say which of several it is.
 */
export async function contextFile(code: SelectedCode): Promise<vscode.TextDocument | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const uris = contextPlaces(
    code.path,
    folders.map(({ name }) => name),
  ).flatMap(({ folder, path }) => {
    const root = folders[folder]?.uri;
    return root ? [vscode.Uri.joinPath(root, path)] : [];
  });
  const documents = new Map<string, vscode.TextDocument>();
  for (const uri of uris) {
    const document = await openFile(uri);
    if (document) {
      documents.set(document.uri.toString(), document);
    }
  }
  if (!code.path.includes('/')) {
    for (const document of vscode.workspace.textDocuments.filter((each) => isOpenElsewhere(each, code))) {
      documents.set(document.uri.toString(), document);
    }
  }
  const found = [...documents.values()];
  const holding = found.filter((document) => findCode(document.getText(), code));
  return chooseFile(holding.length > 0 ? holding : found, code.path);
}

async function openFile(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const isThere = await vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.Directory) === 0,
    () => false,
  );
  // A file that is there and can not be read as text says so itself.
  return isThere ? vscode.workspace.openTextDocument(uri) : undefined;
}

/** A document outside of every folder, or one that was never saved, is known by its name and language alone. */
function isOpenElsewhere({ uri, languageId, isClosed }: vscode.TextDocument, code: SelectedCode): boolean {
  return (
    !isClosed &&
    languageId === code.languageId &&
    (uri.path.split('/').at(-1) || uri.path) === code.path &&
    !vscode.workspace.getWorkspaceFolder(uri) &&
    vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
    )
  );
}

async function chooseFile(
  documents: readonly vscode.TextDocument[],
  path: string,
): Promise<vscode.TextDocument | undefined> {
  if (documents.length < 2) {
    return documents[0];
  }
  const items = documents.map((document) => ({ label: path, description: document.uri.fsPath, document }));
  const picked = await showQuickPick(items, `Which ${path}?`);
  return picked?.document;
}
