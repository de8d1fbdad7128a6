import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRecord } from '../../core/base/loose.ts';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { shownPath } from '../ui/shownPath.ts';
import { readFolder } from './folderContext.ts';
import type { ReadContext } from './foundContext.ts';
import { openFiles } from './openFiles.ts';
import { readFileContext } from './readFileContext.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

/**
 * The files that VS Code passes to a command in a menu: an address and all selected ones in the Explorer, an address for
 * a tab, and the changed files of Source Control.
 */
export function filesOf(args: readonly unknown[]): readonly vscode.Uri[] {
  const files = args.flat().flatMap((each) => {
    const uri = isRecord(each) && 'resourceUri' in each ? each.resourceUri : each;
    return uri instanceof vscode.Uri ? [uri] : [];
  });
  return [...new Map(files.map((uri) => [uri.toString(), uri])).values()];
}

/**
 * Parses the addresses of files that were dropped on the panel. Its page is not trusted, so files that are neither in
 * the workspace nor open are refused.
 */
export function droppedFiles(addresses: readonly string[]): {
  readonly uris: readonly vscode.Uri[];
  readonly refused: readonly vscode.Uri[];
} {
  const uris = [...new Set(addresses)].map(ownUri);
  const open = new Set(openFiles(undefined).map((uri) => uri.toString()));
  const isAllowed = (uri: vscode.Uri) =>
    vscode.workspace.getWorkspaceFolder(uri) !== undefined || open.has(uri.toString());
  return { uris: uris.filter(isAllowed), refused: uris.filter((uri) => !isAllowed(uri)) };
}

/** The page of a panel names remote files as VS Code's window does. Where this extension runs on that machine, they are local. */
function ownUri(address: string): vscode.Uri {
  const uri = vscode.Uri.parse(address);
  const isHere = vscode.workspace.workspaceFolders?.every(({ uri: { scheme } }) => scheme === 'file') ?? true;
  return uri.scheme === 'vscode-remote' && isHere ? uri.with({ scheme: 'file', authority: '' }) : uri;
}

/** A sentence about files that may not be included because they are neither in the workspace nor open. */
export function outsideText(uri: vscode.Uri): string {
  return l10n.t("{0} isn't in the workspace. Open it in the editor, then add it again.", shownPath(uri));
}

/** Reads files and folders that the person chose. */
export async function readFiles(uris: readonly vscode.Uri[], files: WorkspaceFiles): Promise<ReadContext> {
  const pieces: CodeContext[] = [];
  const notes: string[] = [];
  for (const uri of uris) {
    const read = (await isFolder(uri)) ? await readListed(uri, files) : await readFileContext(uri);
    pieces.push(...read.pieces);
    if (read.note !== undefined) {
      notes.push(read.note);
    }
  }
  // More sentences would not be read.
  return { pieces, ...(notes[0] !== undefined && { note: notes[0] }) };
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.Directory) !== 0,
    () => false,
  );
}

async function readListed(uri: vscode.Uri, files: WorkspaceFiles): Promise<ReadContext> {
  await files.listed();
  return readFolder(shownPath(uri), files.filesIn(uri));
}
