import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText, sentences } from '../../core/base/localization.ts';
import { isRecord, messageOf } from '../../core/base/loose.ts';
import { type CodeContext, joinedFiles } from '../../core/chat/context/prompt.ts';
import { nameOf, shownPath } from '../ui/lastEditor.ts';
import { isConfirmed } from '../ui/messages.ts';
import { fileContext } from './fileContexts.ts';
import { fileLimit, type ReadContext, readAll, tooLargeText } from './foundContext.ts';
import { typeAt, type WorkspaceFiles } from './workspaceFiles.ts';

/** More files are not included at a time: each of them is read, and each gets a chip. */
const maxAdded = 100;
/** How many sentences about files are shown. More would not be read. */
const maxNotes = 3;
/** A folder with more files is not included as a whole. */
const maxFiles = 200;
/** Larger files are not opened: VS Code would read all of them. */
const maxBytes = 5 * 2 ** 20;

/** The addresses of the texts in tabs. */
export function inTabs(): vscode.Uri[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  );
}

/** The files in tabs, each once, without the current one. */
export function openFiles(current: vscode.Uri | undefined): vscode.Uri[] {
  const files = new Map(inTabs().map((uri) => [uri.toString(), uri]));
  files.delete(current?.toString() ?? '');
  return [...files.values()].filter(({ scheme }) => !/^(?:output|ask-model-)/.test(scheme));
}

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
  const refused = uris
    .filter((uri) => !isAllowed(uri))
    .map((uri) => l10n.t("{0} isn't in the workspace. Open it in the editor, then add it again.", nameOf(uri)));
  return { uris: uris.filter(isAllowed), refused };
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

/** Reads files and folders that the person chose. */
export async function readFiles(uris: readonly vscode.Uri[], files: WorkspaceFiles): Promise<Required<ReadContext>> {
  const read = await readAll(
    uris.slice(0, maxAdded).map((uri) => async () => {
      const isFolder = ((await typeAt(uri)) & vscode.FileType.Directory) !== 0;
      return isFolder ? readFolder(uri, files) : readFileContext(uri, files);
    }),
  );
  const first = l10n.t('Only the first {0} files are included.', numberText(maxAdded));
  return { ...read, notes: [...(uris.length > maxAdded ? [first] : []), ...read.notes] };
}

/** Joins sentences about files that aren't included. After the first three, only their number is given. */
export function notesText(notes: readonly string[]): string {
  const more = notes.length - maxNotes;
  return sentences(
    ...notes.slice(0, maxNotes),
    more > 0 && l10n.t("Others that aren't included in full: {0}.", numberText(more)),
  );
}

/** Reads the files of a folder as one piece, without those that a link leads to out of the workspace. */
export async function readFolder(folder: vscode.Uri, files: WorkspaceFiles): Promise<ReadContext> {
  const path = shownPath(folder);
  const uris = await files.filesIn(folder);
  const tooLarge = l10n.t(
    '{0} is too large to include: a folder can have {1} files with {2} characters. Include a folder in it, or single files.',
    path,
    numberText(maxFiles),
    numberText(fileLimit),
  );
  if (uris.length > maxFiles) {
    return none(tooLarge);
  }
  const followed = await Promise.all(uris.map(async (uri) => ({ uri, ...(await files.follow(uri)) })));
  const ofFiles = followed.filter(({ isFile }) => isFile);
  const inside = ofFiles.filter(({ outside }) => outside === undefined);
  const read = await Promise.all(inside.map(({ uri }) => readFile(uri)));
  const included = read.flatMap(({ pieces }) => pieces);
  const text = joinedFiles(included);
  if (included.length === 0) {
    return none(l10n.t('{0} has no text files that can be included.', path));
  }
  if (text.length > fileLimit) {
    return none(tooLarge);
  }
  const left = ofFiles.length - included.length;
  const note = l10n.t(
    "Files of {0} that aren't included, because they're too large, no text files, or links out of the workspace: {1}.",
    path,
    numberText(left),
  );
  return {
    pieces: [
      {
        kind: 'folder',
        id: crypto.randomUUID(),
        path,
        languageId: 'text',
        startLine: 1,
        endLine: text.split('\n').length - 1,
        text,
        count: included.length,
      },
    ],
    notes: left > 0 ? [note] : [],
  };
}

/**
 * Reads a whole file as context, with what is not saved yet; or says why it can't be included. Before a link is followed
 * out of the workspace, the person is asked.
 */
export async function readFileContext(uri: vscode.Uri, files: Pick<WorkspaceFiles, 'follow'>): Promise<ReadContext> {
  const { outside } = await files.follow(uri);
  const question = l10n.t('{0} is a link out of the workspace. Include the file that it leads to?', shownPath(uri));
  const isMeant = outside === undefined || (await isConfirmed(question, l10n.t('Include'), outside));
  return isMeant ? readFile(uri) : { pieces: [] };
}

/** Reads a file without following it; see `readFileContext`. */
async function readFile(uri: vscode.Uri): Promise<ReadContext> {
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
    const reason = messageOf(error);
    return none(/binary/i.test(reason) ? binaryText(path) : l10n.t("{0} can't be read: {1}", path, reason));
  }
  if (file.text.includes('\0')) {
    return none(binaryText(path));
  }
  return file.text.length > fileLimit ? none(tooLargeText(path, file.text.length)) : { pieces: [file] };
}

function none(note: string): ReadContext {
  return { pieces: [], notes: [note] };
}

function binaryText(path: string): string {
  return l10n.t("{0} can't be included because it isn't a text file.", path);
}
