import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { factsText, numberText } from '../../core/base/localization.ts';
import { bestMatches } from '../../core/chat/context/bestMatches.ts';
import { linesText } from '../../core/chat/context/contextText.ts';
import { namedSymbols, type OutlineSymbol } from '../../core/chat/context/enclosingSymbol.ts';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { inTime, type LastEditor, shownPath } from '../ui/lastEditor.ts';
import { outlineOf, problemsContext, selectedCode, symbolAround, symbolContext } from './fileContexts.ts';
import {
  type ContextSearch,
  type FoundContext,
  type IncludableContext,
  knownRow,
  matching,
  type ReadContext,
} from './foundContext.ts';
import type { GitChanges } from './gitChanges.ts';
import { cellRows, isCell } from './notebookCells.ts';
import { openFiles, readFileContext, readFolder } from './readFiles.ts';
import type { TerminalCommands } from './terminalCommands.ts';
import { contextUris, type WorkspaceFiles } from './workspaceFiles.ts';

const maxRows = 30;
/** Files with instructions for models, in each folder of the workspace. */
const instructions = ['AGENTS.md', '.github/copilot-instructions.md'] as const;
const maxSymbols = 8;
const maxFolders = 4;
/** Files are meant more often. */
const filesBeforeFolders = 5;
/** How long a list waits for the symbols of the open file. */
const symbolWaitMs = 300;
/** How long a search waits: a language server that has just started reads the whole workspace first. */
const searchWaitMs = 20_000;

/** Where context and prompts are found. */
export type ContextSources = {
  readonly lastEditor: LastEditor;
  readonly files: WorkspaceFiles;
  readonly terminals: TerminalCommands;
  readonly changes: GitChanges;
  /** The folder that `~` stands for in settings, and where dialogs start when no folder is open. */
  readonly home: vscode.Uri;
};

/**
 * Finds what a question can include by the letters typed after `#` or in *Add Context*: selection and problems,
 * uncommitted changes, commands of terminals, cells of a notebook, symbols of the open file, and folders and files of the
 * workspace. Without letters, the symbol around the cursor, the open files and those with instructions for models come first.
 */
export async function findContext(
  query: string,
  { lastEditor, files, terminals, changes }: ContextSources,
): Promise<readonly FoundContext[]> {
  const editor = lastEditor.current;
  const search = (folders: number) =>
    files
      .find(query, maxRows, folders)
      .catch((): Awaited<ReturnType<typeof files.find>> => ({ files: [], folders: [] }));
  const rowsOf = async (uris: readonly vscode.Uri[]) =>
    (await Promise.all(uris.map((uri) => fileRows(uri, files)))).flat();
  const here = [
    ...(editor === undefined ? [] : [...working(() => selectionRow(editor)), ...working(() => problemRows(editor))]),
    ...working(() => changes.rows()),
  ];
  const more = [...working(() => terminals.rows(query)), ...working(() => cellRows(query))];
  if (query === '') {
    const open = [
      ...(editor === undefined || isCell(editor.document) ? [] : [editor.document.uri]),
      ...openFiles(editor?.document.uri),
      ...instructionFiles(),
    ];
    const [around, found] = await Promise.all([
      editor === undefined ? [] : enclosingRow(editor).catch(() => []),
      search(0),
    ]);
    const uris = new Map([...open, ...found.files].map((uri) => [uri.toString(), uri]));
    return [...here, ...around, ...more, ...(await rowsOf([...uris.values()]))].slice(0, maxRows);
  }
  const [symbols, found] = await Promise.all([
    editor === undefined ? [] : symbolRows(editor.document, query).catch(() => []),
    search(maxFolders),
  ]);
  // Files outside the workspace can be found while they are open.
  const outside = openFiles(undefined).filter((uri) => !vscode.workspace.getWorkspaceFolder(uri));
  const listed = await rowsOf(found.files);
  const filesFirst = query.endsWith('/') ? 0 : filesBeforeFolders;
  const rows = [
    ...matching(here, query, maxRows),
    ...more,
    ...symbols,
    ...matching(await rowsOf(outside), query, maxRows),
    ...listed.slice(0, filesFirst),
    ...found.folders.map((folder) => folderRow(folder, files)),
    ...listed.slice(filesFirst),
  ];
  // A file whose whole path was typed, and which isn't in the list, mostly because it is excluded.
  const excluded = rows.length > 0 ? [] : await rowsOf(contextUris(query));
  return [...rows.slice(0, maxRows), ...excluded, workspaceSymbolSearch(query)];
}

/** Where a trusted workspace may have instructions for models. */
function instructionFiles(): vscode.Uri[] {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return folders.flatMap(({ uri }) => instructions.map((path) => vscode.Uri.joinPath(uri, path)));
}

/** The rows of one source; none if it fails, so that a broken notebook or extension doesn't empty the whole list. */
function working(source: () => readonly FoundContext[]): readonly FoundContext[] {
  try {
    return source();
  } catch {
    return [];
  }
}

function selectionRow(editor: vscode.TextEditor): IncludableContext[] {
  const pieces = selectedCode(editor);
  if (pieces.length === 0) {
    return [];
  }
  const label = pieces.length === 1 ? l10n.t('Selection') : l10n.t('{0} Selections', numberText(pieces.length));
  const detail = factsText(shownPath(editor.document.uri), linesText(pieces));
  return [knownRow({ id: 'selection', kind: 'selection', label, detail, pieces })];
}

function problemRows({ document, selections }: vscode.TextEditor): IncludableContext[] {
  const row = (id: string, labelOf: (count: string) => string, ranges: readonly vscode.Range[]) => {
    const problems = problemsContext(document, ranges);
    const label = labelOf(numberText(problems?.count ?? 0));
    const detail = shownPath(document.uri);
    return problems ? [knownRow({ id, kind: 'problems', label, detail, pieces: [problems] })] : [];
  };
  const selected = selections.filter(({ isEmpty }) => !isEmpty);
  const inSelection = (count: string) => l10n.t('Problems in Selection ({0})', count);
  return [
    ...(selected.length > 0 ? row('selectedProblems', inSelection, selected) : []),
    ...row('problems', (count) => l10n.t('Problems in File ({0})', count), []),
  ];
}

/** The symbol around the cursor, if its language server answers in time. */
async function enclosingRow({ document, selection }: vscode.TextEditor): Promise<IncludableContext[]> {
  const found = await symbolAround(document, selection.active, symbolWaitMs);
  return found ? [{ ...symbolRow(document, found), label: l10n.t('Enclosing Symbol "{0}"', found.name) }] : [];
}

/** Symbols of the open file, if its language server answers in time. */
async function symbolRows(document: vscode.TextDocument, query: string): Promise<readonly IncludableContext[]> {
  const outline = await inTime(symbolWaitMs, outlineOf(document));
  const symbols = bestMatches(namedSymbols(outline ?? []), ({ name }) => name, query, maxSymbols);
  return symbols.map((symbol) => symbolRow(document, symbol));
}

function symbolRow(document: vscode.TextDocument, symbol: OutlineSymbol): IncludableContext {
  const context = symbolContext(document, symbol);
  const { name, range } = symbol;
  return knownRow({
    id: `symbol:${document.uri.toString()}:${range.start.line}:${range.start.character}:${name}`,
    kind: 'symbol',
    label: name,
    detail: factsText(context.path, linesText([context])),
    pieces: [context],
  });
}

/** The name of a file or folder, and the folder that it is in, for its row. */
function nameAndFolder(uri: vscode.Uri): readonly [string, string] {
  const path = shownPath(uri);
  const at = path.lastIndexOf('/');
  return [path.slice(at + 1), path.slice(0, Math.max(0, at))];
}

/** The row of a listed path; none if that is no file, but a folder or a link to a folder or to nothing. */
async function fileRows(uri: vscode.Uri, files: WorkspaceFiles): Promise<readonly IncludableContext[]> {
  const { isFile, outside } = await files.follow(uri);
  if (!isFile) {
    return [];
  }
  const [label, folder] = nameAndFolder(uri);
  const kind = instructionFiles().some((each) => each.toString() === uri.toString()) ? 'instructions' : 'file';
  const row: IncludableContext = {
    id: `file:${uri.toString()}`,
    kind,
    label,
    detail: factsText(folder, outside && l10n.t('link to {0}', outside)),
    read: async () => {
      const found = await readFileContext(uri, files);
      return { ...found, pieces: found.pieces.map((piece): CodeContext => ({ ...piece, kind })) };
    },
  };
  return [row];
}

/** A row that includes the files of a folder, apart from those that are excluded from the list. */
function folderRow(uri: vscode.Uri, files: WorkspaceFiles): IncludableContext {
  const [name, detail] = nameAndFolder(uri);
  const read = () => readFolder(uri, files);
  return { id: `folder:${uri.toString()}`, kind: 'folder', label: `${name}/`, detail, read };
}

/** A row that looks for symbols in the whole workspace. That starts language servers, so it is done only on request. */
function workspaceSymbolSearch(query: string): ContextSearch {
  return {
    id: 'workspaceSymbols',
    kind: 'symbol',
    label: l10n.t('Symbols in Workspace…'),
    detail: query,
    search: () => workspaceSymbols(query),
  };
}

async function workspaceSymbols(query: string): Promise<readonly IncludableContext[]> {
  const searching = vscode.commands.executeCommand<unknown>('vscode.executeWorkspaceSymbolProvider', query);
  const found = await inTime(searchWaitMs, Promise.resolve(searching));
  const symbols = Array.isArray(found) ? found.filter((each) => each instanceof vscode.SymbolInformation) : [];
  return symbols.slice(0, maxRows).map((symbol) => {
    const { uri, range } = symbol.location;
    const { line } = range.start;
    return {
      id: `symbol:${uri.toString()}:${line}:${range.start.character}:${symbol.name}`,
      kind: 'symbol',
      label: symbol.name,
      detail: factsText(shownPath(uri), l10n.t('line {0}', line + 1)),
      read: () => readSymbol(symbol),
    };
  });
}

/** Reads the whole symbol from the outline of its file, because providers may give the place of its name only. */
async function readSymbol({ name, kind, location }: vscode.SymbolInformation): Promise<ReadContext> {
  const { uri, range } = location;
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    const found = await symbolAround(document, range.start, searchWaitMs);
    return { pieces: [symbolContext(document, found ?? { name, kind, range })] };
  } catch {
    return { pieces: [], notes: [l10n.t('{0} no longer exists.', shownPath(uri))] };
  }
}
