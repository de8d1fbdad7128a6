import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { parseJson, recordOf } from '../../core/base/loose.ts';
import { enclosingSymbol, type OutlineSymbol, symbolWord } from '../../core/chat/context/enclosingSymbol.ts';
import { problemList } from '../../core/chat/context/problemList.ts';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { inTime, type LastEditor, nameOf, pathAndUri } from '../ui/lastEditor.ts';
import { cellOf, isCell, isNotebookPath, notebookText } from './notebookCells.ts';

/**
 * The file of which a document is an old version: a version in Git, or the left side of a diff with a file. Undefined
 * for any other document.
 */
export function fileOfOldVersion({ uri }: vscode.TextDocument): vscode.Uri | undefined {
  if (uri.scheme === 'git') {
    const { path } = recordOf(parseJson(uri.query));
    return typeof path === 'string' ? vscode.Uri.file(path) : undefined;
  }
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs.map(({ input }) => input))
    .find(
      (input): input is vscode.TabInputTextDiff =>
        input instanceof vscode.TabInputTextDiff &&
        input.original.toString() === uri.toString() &&
        input.modified.scheme !== uri.scheme &&
        vscode.workspace.getWorkspaceFolder(input.modified) !== undefined,
    )?.modified;
}

/** Where code of a document is from: the notebook of a cell, or the file of an old version. */
function sourceOf(document: vscode.TextDocument) {
  const cell = cellOf(document);
  const file = fileOfOldVersion(document);
  return {
    id: crypto.randomUUID(),
    ...pathAndUri(cell?.notebook.uri ?? file ?? document.uri),
    languageId: document.languageId,
    ...(cell && { cell: cell.index + 1 }),
    ...(file && { isOld: true }),
  };
}

/** Code in a document. A range of whole lines may end at the start of the line after them. */
function codeIn(document: vscode.TextDocument, range: vscode.Range): CodeContext {
  const { start, end } = range;
  const endsAtLineStart = end.character === 0 && end.line > start.line;
  const lines = { startLine: start.line + 1, endLine: end.line + (endsAtLineStart ? 0 : 1) };
  return { kind: 'selection', ...sourceOf(document), ...lines, text: document.getText(range) };
}

/** The selected code of an editor: one context for each selection that is not empty, in the order of the file. */
export function selectedCode(editor: Pick<vscode.TextEditor, 'document' | 'selections'> | undefined): CodeContext[] {
  const selections = editor?.selections.filter(({ isEmpty }) => !isEmpty) ?? [];
  return selections
    .toSorted((a, b) => a.start.compareTo(b.start))
    .flatMap((selection) => (editor ? codeIn(editor.document, selection) : []));
}

/** The whole text of a document, without the check for `fileLimit`. */
export function fileContext(document: vscode.TextDocument): CodeContext {
  const { lineCount } = document;
  const text = document.getText();
  const endLine = Math.max(1, text.endsWith('\n') ? lineCount - 1 : lineCount);
  return { kind: 'file', ...sourceOf(document), startLine: 1, endLine, text };
}

/** The outline of a document, from the document symbol provider of its language; empty without a provider. */
export async function outlineOf(document: vscode.TextDocument): Promise<readonly OutlineSymbol[]> {
  const symbols = await vscode.commands
    .executeCommand<unknown>('vscode.executeDocumentSymbolProvider', document.uri)
    // When the provider fails, only the symbols are missing.
    .then(undefined, () => undefined);
  return Array.isArray(symbols) ? symbols.flatMap(outlineSymbol) : [];
}

/**
 * The innermost function, class or other symbol around a position.
 *
 * @param limitMs how long its language server has to answer. By default, the person waits for a box or its text.
 */
export async function symbolAround(
  document: vscode.TextDocument,
  position: vscode.Position,
  limitMs = 3_000,
): Promise<OutlineSymbol | undefined> {
  const outline = await inTime(limitMs, outlineOf(document));
  return outline && enclosingSymbol(outline, position);
}

/** A symbol of a document. */
export function symbolContext(document: vscode.TextDocument, { name, kind, range: whole }: OutlineSymbol): CodeContext {
  const { start, end } = whole;
  // Includes the indentation unless there is other code before the symbol in its first line.
  const isFirst = start.character <= document.lineAt(start.line).firstNonWhitespaceCharacterIndex;
  const range = new vscode.Range(start.line, isFirst ? 0 : start.character, end.line, end.character);
  return { ...codeIn(document, range), kind: 'symbol', name, symbol: symbolWord(kind) };
}

/** Providers return a tree of `DocumentSymbol`, or a flat list of `SymbolInformation`, which is deprecated. */
function outlineSymbol(symbol: unknown): OutlineSymbol[] {
  if (symbol instanceof vscode.DocumentSymbol) {
    return [symbol];
  }
  return symbol instanceof vscode.SymbolInformation
    ? [{ name: symbol.name, kind: symbol.kind, range: symbol.location.range }]
    : [];
}

/** The diagnostics of a document, or of some ranges of it; undefined when there are none. */
export function problemsContext(
  document: vscode.TextDocument,
  ranges: readonly vscode.Range[],
): CodeContext | undefined {
  const found = vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ range }) => ranges.length === 0 || ranges.some((each) => each.intersection(range) !== undefined));
  const lines = [...ranges, ...(ranges.length === 0 ? found.map(({ range }) => range) : [])];
  if (found.length === 0) {
    return undefined;
  }
  return {
    ...sourceOf(document),
    kind: 'problems',
    uri: undefined,
    startLine: Math.min(...lines.map(({ start }) => start.line)) + 1,
    endLine: Math.max(...lines.map(({ end }) => end.line)) + 1,
    text: problemList(found),
    count: found.length,
  };
}

/** A comment, such as the documentation of what follows it. */
const comment = /^\s*(?:\/\/|\/?\*|#(?!\s*(?:include|define|if|endif))|--)/;

/**
 * The whole lines that the person means: those of the selection; without one, those of the symbol around the cursor with
 * the comment before it, or else the cell or the line of the cursor.
 *
 * @param line the line of a menu, from 1; by default that of the cursor.
 * @returns undefined when the lines are blank.
 */
export async function linesMeant(
  { document, selection }: vscode.TextEditor,
  line = selection.active.line + 1,
): Promise<CodeContext | undefined> {
  const isMenu = line < selection.start.line + 1 || line > selection.end.line + 1;
  if (!selection.isEmpty && !isMenu) {
    const { startLine, endLine } = codeIn(document, selection);
    return wholeLines(document, startLine - 1, endLine - 1);
  }
  // A cursor in the indentation is on the code after it.
  const start = document.lineAt(line - 1).firstNonWhitespaceCharacterIndex;
  const at = new vscode.Position(line - 1, isMenu ? start : Math.max(start, selection.active.character));
  return linesAround(document, at);
}

/** The symbol around a position with the comment before it, or else the cell or line. @returns undefined for blanks. */
export async function linesAround(
  document: vscode.TextDocument,
  at: vscode.Position,
): Promise<CodeContext | undefined> {
  const found = await symbolAround(document, at);
  if (found === undefined) {
    return isCell(document) ? wholeLines(document, 0, document.lineCount - 1) : wholeLines(document, at.line, at.line);
  }
  const { range, name, kind } = found;
  let first = range.start.line;
  while (first > 0 && comment.test(document.lineAt(first - 1).text)) {
    first -= 1;
  }
  const code = wholeLines(document, first, range.end.line);
  return code && !isCell(document) ? { ...code, kind: 'symbol', name, symbol: symbolWord(kind) } : code;
}

/** Lines, from 0 and both included. @returns undefined for blank lines. */
export function wholeLines(document: vscode.TextDocument, first: number, last: number): CodeContext | undefined {
  const code = codeIn(document, new vscode.Range(new vscode.Position(first, 0), document.lineAt(last).range.end));
  return code.text.trim() === '' ? undefined : { ...code, endLine: last + 1 };
}

/** Says why the code of an editor can't be edited in its place; undefined when it can. */
export async function editProblem({ document, selections }: vscode.TextEditor): Promise<string | undefined> {
  const name = nameOf(document.uri);
  if (selections.length > 1) {
    return l10n.t('Several parts of {0} are selected. Select one of them to edit it.', name);
  }
  const file = fileOfOldVersion(document);
  if (file) {
    return l10n.t(
      "This is an old version of {0}, which can't be changed. Select the code in the file itself.",
      nameOf(file),
    );
  }
  if (isNotebookPath(document.uri.path) && !isCell(document)) {
    return notebookText(name);
  }
  if (document.isUntitled) {
    return undefined;
  }
  const uri = cellOf(document)?.notebook.uri ?? document.uri;
  const facts = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
  // Only what has a file can be changed: other documents are made by an extension, such as an old version.
  const isReadonly =
    uri.scheme !== 'untitled' &&
    (facts === undefined ||
      facts.permissions === vscode.FilePermission.Readonly ||
      vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false);
  return isReadonly ? l10n.t("{0} can't be changed because it's read-only.", name) : undefined;
}

/**
 * The context for code that was pasted into the question box: with its place if exactly one open document has it, once.
 * The document that was edited last takes precedence.
 *
 * @param languageId of the editor that it was copied from.
 */
export function pastedCode(pasted: string, languageId: string, lastEditor: LastEditor): CodeContext {
  const text = pasted.replaceAll('\r\n', '\n');
  const last = lastEditor.current?.document;
  const found = (last && placesOf([last], text)) ?? [];
  const places = found.length > 0 ? found : placesOf(vscode.workspace.textDocuments, text);
  const [place] = places;
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (place === undefined || places.length > 1) {
    return { kind: 'pasted', id: crypto.randomUUID(), path: '', languageId, startLine: 1, endLine: lines, text };
  }
  // With the line breaks of the file, as in a selection, so that the same code is not included twice.
  return codeIn(place.document, place.range);
}

type Place = { readonly document: vscode.TextDocument; readonly range: vscode.Range };

/** Where documents have a text; of each the first two places. */
function placesOf(documents: readonly vscode.TextDocument[], text: string): readonly Place[] {
  return documents
    .filter(({ uri }) => /^(?:file|untitled|vscode-.*)$/.test(uri.scheme))
    .flatMap((document) => {
      const wanted = document.eol === vscode.EndOfLine.CRLF ? text.replaceAll('\n', '\r\n') : text;
      const all = document.getText();
      const first = all.indexOf(wanted);
      const second = first < 0 ? -1 : all.indexOf(wanted, first + 1);
      return [first, second]
        .filter((at) => at >= 0)
        .map((at) => {
          const range = new vscode.Range(document.positionAt(at), document.positionAt(at + wanted.length));
          return { document, range };
        });
    });
}
