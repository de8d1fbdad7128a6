import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { contextPlaces } from '../../core/chat/context/contextPath.ts';
import type { SelectedCode } from '../../core/chat/edits/codeTarget.ts';
import { findCode } from '../../core/chat/edits/locateCode.ts';
import { pickOne } from '../ui/quickPick.ts';

/**
 * Opens the file that the code of a question comes from: in a workspace folder or, for a path without a folder, among
 * the open files. When several match, the person chooses.
 *
 * @returns undefined when the file no longer exists or the person cancelled.
 */
export async function contextFile(code: SelectedCode): Promise<vscode.TextDocument | undefined> {
  const documents = new Map<string, vscode.TextDocument>();
  for (const uri of contextUris(code.path)) {
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
  const withCode = found.filter((document) => findCode(document.getText(), code));
  const files = (withCode.length > 0 ? withCode : found).map(({ uri }) => uri);
  const picked = await pickFile(files, code.path);
  return picked && documents.get(picked.toString());
}

/** Where the path of a context may be in the workspace folders, the most likely first. @param near see `contextPlaces`. */
export function contextUris(contextPath: string, near?: string): vscode.Uri[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return contextPlaces(
    contextPath,
    folders.map(({ name }) => name),
    near,
  ).flatMap(({ folder, path }) => {
    const root = folders[folder]?.uri;
    return root ? [vscode.Uri.joinPath(root, path)] : [];
  });
}

/**
 * Finds the file that an answer names: at that path in a workspace folder, otherwise by the end of its path. When several
 * match, the person chooses.
 *
 * @returns undefined when there is no such file; `none` when the person cancelled.
 */
export async function namedFile(path: string): Promise<vscode.Uri | 'none' | undefined> {
  const uris = contextUris(path);
  const areFiles = await Promise.all(uris.map(isFile));
  let files = uris.filter((_, at) => areFiles[at]);
  if (files.length === 0) {
    // Brackets, as in the names of routes, are part of a pattern.
    const ending = path.replace(/[[\]{}*?]/g, '?');
    const found = await vscode.workspace.findFiles(`**/${ending}`, undefined, 20);
    files = found.filter((uri) => uri.path.endsWith(`/${path}`));
  }
  return files.length < 2 ? files[0] : ((await pickFile(files, path)) ?? 'none');
}

/**
 * Where a new file belongs: the first folder that has its parent, beginning with the one that the path names and that of
 * the question's code. Undefined when no folder is open.
 */
export async function newFileUri(path: string, [code]: readonly SelectedCode[]): Promise<vscode.Uri | undefined> {
  const uris = contextUris(path, code?.path);
  for (const uri of uris) {
    const parent = await vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, '..')).then(undefined, () => undefined);
    if (parent) {
      return uri;
    }
  }
  return uris[0];
}

async function openFile(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  // Throws for a file that can't be read as text.
  return (await isFile(uri)) ? vscode.workspace.openTextDocument(uri) : undefined;
}

function isFile(uri: vscode.Uri): Thenable<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.Directory) === 0,
    () => false,
  );
}

/** Whether an open document outside all workspace folders, or never saved, has the name and language of the code. */
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

function pickFile(files: readonly vscode.Uri[], path: string): Promise<vscode.Uri | undefined> {
  const row = (uri: vscode.Uri) => ({ label: vscode.workspace.asRelativePath(uri) });
  return pickOne(files, row, l10n.t('Select the File for {0}', path));
}
