import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isInside } from '../../core/chat/context/contextPath.ts';
import { type CodeContext, isCode } from '../../core/chat/context/prompt.ts';
import type { SelectedCode } from '../../core/chat/edits/codeTarget.ts';
import { findCode } from '../../core/chat/edits/locateCode.ts';
import type { FilePlace } from '../../protocol/protocol.ts';
import { shownPath } from '../ui/lastEditor.ts';
import { showWarningMessage } from '../ui/messages.ts';
import { pickOne } from '../ui/quickPick.ts';
import { showCell } from './notebookCells.ts';
import { rangeOf } from './proposedChanges.ts';
import { inTabs } from './readFiles.ts';
import { contextUris, typeAt, type WorkspaceFiles } from './workspaceFiles.ts';

/** Finds the paths of an answer that are files of the workspace, of which none leads out of it. */
export async function foundPaths(paths: readonly string[], files: WorkspaceFiles): Promise<readonly string[]> {
  const found = await filesAt(paths, files);
  return paths.filter((path) => found.has(path));
}

/** Opens the file of a place at its lines. The person picks one of several files. */
export async function openPlace(place: FilePlace, files: WorkspaceFiles, viewColumn: vscode.ViewColumn): Promise<void> {
  const uri = await namedFile(place.path, files);
  if (uri === undefined) {
    notFound(place.path);
    return;
  }
  const { line, column = 1, endLine = line } = place;
  if (uri !== 'none') {
    const selection =
      line === undefined || endLine === undefined
        ? undefined
        : new vscode.Range(line - 1, column - 1, endLine - 1, endLine > line ? Number.MAX_SAFE_INTEGER : column - 1);
    // Also for pictures and notebooks.
    await vscode.commands.executeCommand('vscode.open', uri, { viewColumn, preview: true, selection });
  }
}

/**
 * Finds the file that an answer names; of several, the person picks one.
 *
 * @returns undefined when there is no such file; `none` when the person cancelled.
 */
export async function namedFile(path: string, files: WorkspaceFiles): Promise<vscode.Uri | 'none' | undefined> {
  const found = (await filesAt([path], files)).get(path);
  return found && ((await pickFile(found, path)) ?? 'none');
}

/**
 * Where a new file belongs: the first folder that has its parent, beginning with the one that the path names and that of
 * the question's code. Undefined when no folder is open.
 */
export async function newFileUri(path: string, [code]: readonly SelectedCode[]): Promise<vscode.Uri | undefined> {
  const uris = contextUris(path, code?.path);
  for (const uri of uris) {
    if (await typeAt(vscode.Uri.joinPath(uri, '..'))) {
      return uri;
    }
  }
  return uris[0];
}

/**
 * Opens the file that the code of a question comes from: in a workspace folder or, for a path without a folder, among
 * the open files. When several match, the person chooses.
 *
 * @returns undefined when the file no longer exists or the person cancelled.
 */
export async function contextFile(code: SelectedCode): Promise<vscode.TextDocument | undefined> {
  const documents = new Map<string, vscode.TextDocument>();
  for (const uri of contextUris(code.path)) {
    if ((await typeAt(uri)) & vscode.FileType.File) {
      // Throws for a file that can't be read as text.
      documents.set(uri.toString(), await vscode.workspace.openTextDocument(uri));
    }
  }
  for (const document of code.path.includes('/') ? [] : vscode.workspace.textDocuments) {
    if (isOpenElsewhere(document, code)) {
      documents.set(document.uri.toString(), document);
    }
  }
  const found = [...documents.values()];
  const withCode = found.filter((document) => findCode(document.getText(), code));
  const files = (withCode.length > 0 ? withCode : found).map(({ uri }) => uri);
  const picked = await pickFile(files, code.path);
  return picked && documents.get(picked.toString());
}

/** Whether an open document outside all workspace folders, or never saved, has the name and language of the code. */
function isOpenElsewhere({ uri, languageId, isClosed }: vscode.TextDocument, code: SelectedCode): boolean {
  return (
    !isClosed &&
    languageId === code.languageId &&
    shownPath(uri) === code.path &&
    !vscode.workspace.getWorkspaceFolder(uri) &&
    inTabs().some((open) => open.toString() === uri.toString())
  );
}

/**
 * Shows the Source Control view for changes, a folder in the Explorer, a cell in its notebook, otherwise the file of a
 * context. Selects its code where that is now, or goes to its line if the code has changed.
 */
export async function showContext(context: CodeContext, viewColumn: vscode.ViewColumn): Promise<void> {
  if (context.kind === 'changes') {
    await vscode.commands.executeCommand('workbench.view.scm');
    return;
  }
  if (context.kind === 'folder') {
    for (const uri of contextUris(context.path)) {
      if ((await typeAt(uri)) & vscode.FileType.Directory) {
        await vscode.commands.executeCommand('revealInExplorer', uri);
        return;
      }
    }
  }
  if (context.cell !== undefined && (await showCell(context, viewColumn))) {
    return;
  }
  const document = context.kind === 'folder' || context.kind === 'cell' ? undefined : await contextFile(context);
  if (document === undefined) {
    notFound(context.path);
    return;
  }
  const code = isCode(context) ? findCode(document.getText(), context) : undefined;
  const line = Math.min(context.startLine, document.lineCount) - 1;
  const selection = code === undefined || context.kind === 'file' ? new vscode.Range(line, 0, line, 0) : rangeOf(code);
  await vscode.window.showTextDocument(document, { viewColumn, preview: true, selection });
}

function pickFile(files: readonly vscode.Uri[], path: string): Promise<vscode.Uri | undefined> {
  return pickOne(files, (uri) => ({ label: shownPath(uri) }), l10n.t('Select the File for {0}', path));
}

function notFound(path: string): void {
  void showWarningMessage(l10n.t('{0} was not found. It may have been moved or deleted.', path));
}

/** Goes to the symbol of the workspace with exactly this name; does nothing if there is none. */
export async function openSymbol(name: string, viewColumn: vscode.ViewColumn): Promise<void> {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const all = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    last,
  );
  const symbols = (all ?? []).filter(
    (symbol) =>
      symbol.name.replace(/\(.*/s, '') === last &&
      vscode.workspace.getWorkspaceFolder(symbol.location.uri) !== undefined,
  );
  const symbol = await pickOne(
    symbols,
    ({ location, containerName }) => ({
      label: `${shownPath(location.uri)}:${location.range.start.line + 1}`,
      description: containerName,
    }),
    name,
  );
  if (symbol !== undefined) {
    const { uri, range } = symbol.location;
    await vscode.window.showTextDocument(uri, { viewColumn, preview: true, selection: range });
  }
}

/** A path of an answer without the workspace folder that it begins with: models repeat full paths that commands print. */
export function pathInFolder(path: string): string {
  const uri = /^(?:[A-Za-z]:)?\//.test(path) ? vscode.Uri.file(path) : undefined;
  return uri && vscode.workspace.getWorkspaceFolder(uri) ? shownPath(uri) : path;
}

/** The files of each path: the one that it names in a folder of the workspace, or else those whose paths end with it. */
async function filesAt(paths: readonly string[], files: WorkspaceFiles): Promise<ReadonlyMap<string, vscode.Uri[]>> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = new Map<string, vscode.Uri[]>();
  const ends = new Map<string, string>();
  for (const path of paths) {
    const plain = pathInFolder(path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''));
    const there = await filesInside(contextUris(plain), files);
    if (there.length > 0) {
      found.set(path, there);
    } else if (isInside(plain)) {
      ends.set(path, plain);
    }
  }
  const searched = [...ends.values()].flatMap((end) => [end, ...folders.flatMap((folder) => restBelow(folder, end))]);
  const others = searched.length === 0 ? [] : await files.endingWith(searched);
  for (const [path, end] of ends) {
    const those = others.filter((uri) => uri.path.endsWith(`/${end}`) || shownPath(uri) === end);
    // The search finds files alone.
    const outside = await Promise.all(those.map((uri) => files.outside(uri)));
    const inside = those.filter((_, index) => outside[index] === undefined);
    if (inside.length > 0) {
      found.set(path, inside);
    }
  }
  return found;
}

/** What a path that begins above a folder names in it: one from the root of a repository, or with the folder's name. */
function restBelow({ uri, name }: vscode.WorkspaceFolder, path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).flatMap((_, at) => {
    const start = parts.slice(0, at + 1).join('/');
    return start === name || uri.path.endsWith(`/${start}`) ? [parts.slice(at + 1).join('/')] : [];
  });
}

/** Those that are files, also behind a link that doesn't lead out of the workspace. */
async function filesInside(uris: readonly vscode.Uri[], files: WorkspaceFiles): Promise<vscode.Uri[]> {
  const followed = await Promise.all(uris.map((uri) => files.follow(uri)));
  return uris.filter((_, index) => followed[index]?.isFile === true && followed[index].outside === undefined);
}
