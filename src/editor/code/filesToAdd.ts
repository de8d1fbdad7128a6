import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText, plural, sentences } from '../../core/base/localization.ts';
import { isRecord } from '../../core/base/loose.ts';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { shownPath } from '../ui/lastEditor.ts';
import { exclusionNote } from './fileExclusion.ts';
import { readFolder } from './folderContext.ts';
import type { ReadContext } from './foundContext.ts';
import { openFiles } from './openFiles.ts';
import { readFileContext } from './readFileContext.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

/** More files are not included at a time: each of them is read, and each gets a chip. */
const maxFiles = 100;
/** How many sentences about files are shown. More would not be read. */
const maxNotes = 3;

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
  /** A sentence about each file that is refused. */
  readonly refused: readonly string[];
} {
  const uris = [...new Set(addresses)].flatMap(ownUri);
  const open = new Set(openFiles(undefined).map((uri) => uri.toString()));
  const isAllowed = (uri: vscode.Uri) =>
    // VS Code takes `folder/../file` for a file in the folder, but reads the one beside it.
    !uri.path.split(/[\\/]/).includes('..') &&
    (vscode.workspace.getWorkspaceFolder(uri) !== undefined || open.has(uri.toString()));
  return { uris: uris.filter(isAllowed), refused: uris.filter((uri) => !isAllowed(uri)).map(outsideText) };
}

/**
 * Parses an address; none is returned for one that VS Code can't parse. The page of a panel names remote files as VS
 * Code's window does. Where this extension runs on that machine, they are local.
 */
function ownUri(address: string): vscode.Uri[] {
  let uri: vscode.Uri;
  try {
    uri = vscode.Uri.parse(address, true);
  } catch {
    return [];
  }
  const isHere = vscode.workspace.workspaceFolders?.every(({ uri: { scheme } }) => scheme === 'file') ?? true;
  return [uri.scheme === 'vscode-remote' && isHere ? uri.with({ scheme: 'file', authority: '' }) : uri];
}

/** A sentence about a file that may not be included because it is neither in the workspace nor open. */
function outsideText({ path }: vscode.Uri): string {
  const name = path.split('/').at(-1) || path;
  return l10n.t("{0} isn't in the workspace. Open it in the editor, then add it again.", name);
}

/** What was read of files and folders that the person chose. */
type ReadFiles = {
  readonly pieces: readonly CodeContext[];
  /** A sentence for each one that isn't included, or not in full. */
  readonly notes: readonly string[];
  /** A sentence about those that are included although they are excluded from the list of files. */
  readonly exclusion: string | undefined;
};

/** Reads files and folders that the person chose. */
export async function readFiles(uris: readonly vscode.Uri[], files: WorkspaceFiles): Promise<ReadFiles> {
  const pieces: CodeContext[] = [];
  const chosen = uris.slice(0, maxFiles);
  const excluded = await files.excluded(chosen);
  const included: vscode.Uri[] = [];
  const notes: string[] =
    uris.length > maxFiles ? [l10n.t('Only the first {0} files are included.', numberText(maxFiles))] : [];
  for (const uri of chosen) {
    const isOfFolder = await isFolder(uri);
    const read = isOfFolder ? await readListed(uri, files, excluded.has(uri)) : await readFileContext(uri, files);
    pieces.push(...read.pieces);
    if (read.pieces.length > 0 && !isOfFolder) {
      included.push(uri);
    }
    if (read.note !== undefined) {
      notes.push(read.note);
    }
  }
  return { pieces, notes, exclusion: exclusionNote(included.filter((uri) => excluded.has(uri))) };
}

/** Joins sentences about files that aren't included. After the first three, only their number is given. */
export function notesText(notes: readonly string[]): string {
  const more = notes.length - maxNotes;
  return sentences(
    ...notes.slice(0, maxNotes),
    more > 0 &&
      plural(
        more,
        l10n.t("1 more file or folder isn't included in full."),
        l10n.t("{0} more files or folders aren't included in full.", numberText(more)),
      ),
  );
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.Directory) !== 0,
    () => false,
  );
}

async function readListed(uri: vscode.Uri, files: WorkspaceFiles, isExcluded: boolean): Promise<ReadContext> {
  await files.listed();
  const path = shownPath(uri);
  const listed = files.filesIn(uri);
  return listed.length === 0 && isExcluded
    ? {
        pieces: [],
        note: l10n.t('{0} is excluded by .gitignore or by settings. Add single files of it instead.', path),
      }
    : readFolder(path, listed, files);
}
