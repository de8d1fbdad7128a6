import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText, plural, sentences } from '../../core/base/localization.ts';
import {
  enclosingSymbol,
  type NamedSymbol,
  namedSymbols,
  type OutlineSymbol,
} from '../../core/chat/context/enclosingSymbol.ts';
import { FileSearch } from '../../core/chat/context/fileSearch.ts';
import { filesText } from '../../core/chat/context/filesText.ts';
import { symbolText } from '../../core/chat/context/symbolText.ts';
import { inTime, type LastEditor, shownPath } from '../ui/lastEditor.ts';
import { linesText } from './contextLine.ts';
import { fileLimit, outlineOf, problemsContext, symbolContext, tooLargeText } from './fileContexts.ts';
import { exclusionNote } from './fileExclusion.ts';
import type { FileTokens } from './fileTokens.ts';
import { folderRow } from './folderContext.ts';
import {
  type ContextSearch,
  detailOf,
  type FoundContext,
  type IncludableContext,
  knownRow,
  matching,
  tokensOf,
} from './foundContext.ts';
import { changedRepositories, changesProblem } from './gitChanges.ts';
import { cellRows, isCell } from './notebookCells.ts';
import { openFiles } from './openFiles.ts';
import { readFileContext } from './readFileContext.ts';
import { selectedCode } from './selection.ts';
import type { TerminalCommands } from './terminalCommands.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';
import { searchWaitMs, workspaceSymbolSearch } from './workspaceSymbols.ts';

export type ContextFinderDeps = {
  readonly lastEditor: LastEditor;
  readonly files: WorkspaceFiles;
  readonly tokens: FileTokens;
  readonly terminals: Pick<TerminalCommands, 'rows'>;
};

const maxRows = 30;
const maxSymbols = 8;
const maxFolders = 4;
/** Files are meant more often. */
const filesBeforeFolders = 5;
/** How long a list waits for the symbols of the open file. */
const symbolWaitMs = 300;
/** How long it waits for the first files of a large workspace. */
const filesWaitMs = 1_000;

/**
 * Finds what a question can include by the letters typed after `#` or in *Add Context*: selection and problems,
 * uncommitted changes, commands of terminals, cells of a notebook, symbols of the open file, and folders and files of the
 * workspace. Without letters, the symbol around the cursor and the open files come first.
 */
export async function findContext(
  { lastEditor, files, tokens, terminals }: ContextFinderDeps,
  query: string,
): Promise<readonly FoundContext[]> {
  const editor = lastEditor.current;
  const fileRow = (uri: vscode.Uri, outside?: string) => rowOfFile(uri, files, tokens, outside);
  /** Rows for those of the listed paths that are files: neither folders nor links to folders or to nothing. */
  const fileRows = async (uris: readonly vscode.Uri[]) => {
    const followed = await Promise.all(uris.map(async (uri) => ({ uri, ...(await files.follow(uri)) })));
    return followed.flatMap(({ uri, isFile, outside }) => (isFile ? [fileRow(uri, outside)] : []));
  };
  const here = [
    ...(editor === undefined ? [] : [...working(() => selectionRow(editor)), ...working(() => problemRows(editor))]),
    ...working(changesRows),
    ...working(noChangesRow),
  ];
  const more = [...working(() => terminals.rows(query)), ...working(() => cellRows(query))];
  if (query === '') {
    const open = [
      ...(editor === undefined || isCell(editor.document) ? [] : [editor.document.uri]),
      ...openFiles(editor?.document.uri),
    ];
    const others = files.find('', maxRows).filter(({ uri }) => !open.some((each) => isSame(each, uri)));
    const [around, rest] = await Promise.all([
      editor === undefined ? [] : enclosingRow(editor).catch(() => []),
      fileRows(others.map(({ uri }) => uri)),
    ]);
    return [...here, ...around, ...more, ...open.map((uri) => fileRow(uri)), ...rest].slice(0, maxRows);
  }
  const [symbols] = await Promise.all([
    editor === undefined ? noSymbols : symbolRows(editor.document, query),
    inTime(filesWaitMs, files.ready()),
  ]);
  // Files outside the workspace can be found while they are open.
  const outside = openFiles(undefined).filter((uri) => !vscode.workspace.getWorkspaceFolder(uri));
  const found = await fileRows(files.find(query, maxRows).map(({ uri }) => uri));
  const filesFirst = query.endsWith('/') ? 0 : filesBeforeFolders;
  const folders = files.findFolders(query, maxFolders).map((folder) => folderRow(folder, files, tokens));
  const rows = [
    ...matching(here, query, maxRows),
    ...more,
    ...symbols.found,
    ...matching(
      outside.map((uri) => fileRow(uri)),
      query,
      maxRows,
    ),
    ...found.slice(0, filesFirst),
    ...folders,
    ...found.slice(filesFirst),
  ];
  const excluded = rows.length > 0 ? [] : await unlistedFile(query, files, fileRows);
  return [...rows.slice(0, maxRows), ...excluded, ...symbols.late, workspaceSymbolSearch(query, maxRows)];
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
  const label = plural(pieces.length, l10n.t('Selection'), l10n.t('{0} Selections', numberText(pieces.length)));
  const detail = detailOf(shownPath(editor.document.uri), linesText(pieces));
  return [knownRow({ id: 'selection', kind: 'selection', label, detail, size: tokensOf(pieces), pieces })];
}

function problemRows({ document, selections }: vscode.TextEditor): IncludableContext[] {
  const ranges = selections.filter(({ isEmpty }) => !isEmpty);
  const row = (id: string, labelOf: (count: string) => string, problems = problemsContext(document, [])) =>
    problems === undefined
      ? []
      : knownRow({
          id,
          kind: 'problems',
          label: labelOf(numberText(problems.count ?? 0)),
          detail: shownPath(document.uri),
          size: tokensOf([problems]),
          pieces: [problems],
        });
  const inSelection = ranges.length > 0 ? problemsContext(document, ranges) : undefined;
  return [
    inSelection ? row('selectedProblems', (count) => l10n.t('Problems in Selection ({0})', count), inSelection) : [],
    row('problems', (count) => l10n.t('Problems in File ({0})', count)),
  ].flat();
}

/** The symbol around the cursor, if its language server answers in time. */
async function enclosingRow({ document, selection }: vscode.TextEditor): Promise<IncludableContext[]> {
  const outline = await inTime(symbolWaitMs, outlineOf(document));
  const found = outline && enclosingSymbol(outline, selection.active);
  return found ? [{ ...symbolRow(document, found), label: l10n.t('Enclosing Symbol "{0}"', found.symbol.name) }] : [];
}

/** The uncommitted changes of each repository. */
export function changesRows(): IncludableContext[] {
  const changed = changedRepositories();
  return changed.map(({ uri, name, files, read }) => ({
    id: `changes:${uri.toString()}`,
    kind: 'changes',
    label: l10n.t('Uncommitted Changes'),
    detail: changed.length === 1 ? '' : name,
    size: filesText(files),
    read: async () => {
      const changes = await read();
      return changes.text.length > fileLimit
        ? { pieces: [], note: tooLargeText(name, changes.text.length) }
        : { pieces: [changes] };
    },
  }));
}

/** A row that says why there are no changes to include. */
function noChangesRow(): IncludableContext[] {
  const problem = changesProblem();
  const note = problem && sentences(l10n.t("Uncommitted changes can't be included."), problem);
  const label = l10n.t('Uncommitted Changes');
  return problem && note
    ? [{ id: 'noChanges', kind: 'changes', label, detail: problem, read: async () => ({ pieces: [], note }) }]
    : [];
}

/** Symbols of the open file; in `late` a row that waits for them, if its language server has not answered yet. */
type FileSymbols = { readonly found: readonly IncludableContext[]; readonly late: readonly ContextSearch[] };
const noSymbols: FileSymbols = { found: [], late: [] };

async function symbolRows(document: vscode.TextDocument, query: string): Promise<FileSymbols> {
  const coming = outlineOf(document);
  const outline = await inTime(symbolWaitMs, coming);
  if (outline !== undefined) {
    return { found: matchingSymbols(document, outline, query), late: [] };
  }
  const name = shownPath(document.uri).split('/').at(-1) ?? '';
  const late: ContextSearch = {
    id: 'fileSymbols',
    kind: 'symbol',
    label: l10n.t("Symbols of {0} aren't available yet", name),
    detail: l10n.t('select to wait for them'),
    search: async () => matchingSymbols(document, (await inTime(searchWaitMs, coming)) ?? [], query),
  };
  return { found: [], late: [late] };
}

function matchingSymbols(
  document: vscode.TextDocument,
  outline: readonly OutlineSymbol[],
  query: string,
): readonly IncludableContext[] {
  const symbols = namedSymbols(outline);
  const names = symbols.map(({ symbol }) => symbol.name);
  return new FileSearch(names).find(query, maxSymbols).flatMap((index) => {
    const symbol = symbols[index];
    return symbol ? [symbolRow(document, symbol)] : [];
  });
}

function symbolRow(document: vscode.TextDocument, named: NamedSymbol): IncludableContext {
  const context = symbolContext(document, named);
  const { name, range } = named.symbol;
  return knownRow({
    id: `symbol:${document.uri.toString()}:${range.start.line}:${range.start.character}:${name}`,
    kind: 'symbol',
    label: name,
    detail: detailOf(symbolText(named.word), context.path),
    size: tokensOf([context]),
    pieces: [context],
  });
}

/** @param outside where it leads, if it is a link out of the workspace. */
function rowOfFile(
  uri: vscode.Uri,
  files: WorkspaceFiles,
  tokens: FileTokens,
  outside: string | undefined,
): IncludableContext {
  const path = shownPath(uri);
  const at = path.lastIndexOf('/');
  return {
    id: `file:${uri.toString()}`,
    kind: 'file',
    label: path.slice(at + 1),
    detail: detailOf(path.slice(0, Math.max(0, at)), outside && l10n.t('link to {0}', outside)),
    path,
    read: async () => {
      const read = await readFileContext(uri, files);
      const note = read.pieces.length > 0 ? exclusionNote(await files.excluded([uri])) : undefined;
      return note === undefined ? read : { ...read, note, isOnlyNote: true };
    },
    countTokens: () => tokens.of(uri),
  };
}

/** A file whose whole path was typed, and which isn't in the list, mostly because it is excluded. */
async function unlistedFile(
  path: string,
  files: WorkspaceFiles,
  fileRows: (uris: readonly vscode.Uri[]) => Promise<readonly IncludableContext[]>,
): Promise<readonly IncludableContext[]> {
  if (path.split('/').some((name) => name === '' || name === '.' || name === '..')) {
    return [];
  }
  const uris = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => vscode.Uri.joinPath(uri, path));
  const rows = await Promise.all(
    uris.map(async (uri) => {
      const [row] = await fileRows([uri]);
      const isExcluded = row !== undefined && (await files.excluded([uri])).has(uri);
      return isExcluded ? [{ ...row, detail: l10n.t('excluded by .gitignore or by settings') }] : (row ?? []);
    }),
  );
  return rows.flat();
}

function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}
