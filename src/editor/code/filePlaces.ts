import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FilePlace } from '../../protocol/protocol.ts';
import { shownPath } from '../ui/lastEditor.ts';
import { showWarningMessage } from '../ui/messages.ts';
import { pickOne } from '../ui/quickPick.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

/** Finds the paths of an answer that are files of the workspace, of which none leads out of it. */
export async function foundPaths(paths: readonly string[], files: WorkspaceFiles): Promise<readonly string[]> {
  const found = await filesAt(paths, files);
  return paths.filter((path) => found.has(path));
}

/** Opens the file of a place at its lines. The person picks one of several files. */
export async function openPlace(place: FilePlace, files: WorkspaceFiles, viewColumn: vscode.ViewColumn): Promise<void> {
  const uris = (await filesAt([place.path], files)).get(place.path) ?? [];
  if (uris.length === 0) {
    void showWarningMessage(l10n.t('{0} was not found. It may have been moved or deleted.', place.path));
    return;
  }
  const uri = await pickOne(uris, (each) => ({ label: shownPath(each) }), place.path);
  const { line, column = 1, endLine = line } = place;
  if (uri !== undefined) {
    const selection =
      line === undefined || endLine === undefined
        ? undefined
        : new vscode.Range(line - 1, column - 1, endLine - 1, endLine > line ? Number.MAX_SAFE_INTEGER : column - 1);
    // Also for pictures and notebooks.
    await vscode.commands.executeCommand('vscode.open', uri, { viewColumn, preview: true, selection });
  }
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

/** The files of each path: the one that it names in a folder of the workspace, or else those whose paths end with it. */
async function filesAt(paths: readonly string[], files: WorkspaceFiles): Promise<ReadonlyMap<string, vscode.Uri[]>> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = new Map<string, vscode.Uri[]>();
  const ends = new Map<string, string>();
  for (const path of paths) {
    const plain = path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
    // Neither up, nor another computer, nor a scheme.
    if (/(?:^|\/)\.\.(?:\/|$)|^\/\/|^[^/]{2,}:/.test(plain)) {
      continue;
    }
    const isAbsolute = /^(?:[A-Za-z]:)?\//.test(plain);
    const uris = isAbsolute
      ? [vscode.Uri.file(plain)].filter((uri) => vscode.workspace.getWorkspaceFolder(uri))
      : folders.map(({ uri }) => vscode.Uri.joinPath(uri, plain));
    const there = await filesInside(uris, files);
    if (there.length > 0) {
      found.set(path, there);
    } else if (!isAbsolute && plain !== '') {
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
