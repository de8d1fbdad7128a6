import * as vscode from 'vscode';
import { enclosingSymbol, type OutlineSymbol } from '../../core/chat/context/enclosingSymbol.ts';
import { type Problem, problemList } from '../../core/chat/context/problemList.ts';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { shownPath } from '../ui/shownPath.ts';

/** UTF-16 units of a file that may go along whole: some 100,000 tokens, more than most models take. */
export const fileLimit = 400_000;

/** Pieces of context that are read from a document, besides what is selected in it. */

/** All of a document; see `fileLimit`. */
export function fileContext(document: vscode.TextDocument): CodeContext {
  const { uri, languageId, lineCount } = document;
  const text = document.getText();
  const endLine = Math.max(1, text.endsWith('\n') ? lineCount - 1 : lineCount);
  return { kind: 'file', id: crypto.randomUUID(), path: shownPath(uri), languageId, startLine: 1, endLine, text };
}

/** The innermost function, class or the like around a cursor, by whoever knows the language; undefined outside of any. */
export async function symbolContext(
  document: vscode.TextDocument,
  at: vscode.Position,
): Promise<CodeContext | undefined> {
  const answered = await vscode.commands
    .executeCommand<unknown>('vscode.executeDocumentSymbolProvider', document.uri)
    // A language's own trouble costs this row alone.
    .then(undefined, () => undefined);
  const found = enclosingSymbol(Array.isArray(answered) ? answered.flatMap(outlineOf) : [], at);
  if (found === undefined) {
    return undefined;
  }
  const { symbol, word } = found;
  const { start, end } = symbol.range;
  const first = document.lineAt(start.line);
  // With its indentation, when nothing else stands in its first line.
  const from = start.character <= first.firstNonWhitespaceCharacterIndex ? 0 : start.character;
  return {
    kind: 'symbol',
    id: crypto.randomUUID(),
    path: shownPath(document.uri),
    languageId: document.languageId,
    startLine: start.line + 1,
    endLine: end.line + 1,
    text: document.getText(new vscode.Range(start.line, from, end.line, end.character)),
    name: symbol.name,
    symbol: word,
  };
}

/** Languages answer with a tree, or in the old way with a flat list. */
function outlineOf(symbol: unknown): OutlineSymbol[] {
  if (symbol instanceof vscode.DocumentSymbol) {
    return [symbol];
  }
  return symbol instanceof vscode.SymbolInformation
    ? [{ name: symbol.name, kind: symbol.kind, range: symbol.location.range }]
    : [];
}

/** What VS Code says is wrong in a document, or in some lines of it; undefined when nothing is. */
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
    kind: 'problems',
    id: crypto.randomUUID(),
    path: shownPath(document.uri),
    languageId: document.languageId,
    startLine: Math.min(...lines.map(({ start }) => start.line)) + 1,
    endLine: Math.max(...lines.map(({ end }) => end.line)) + 1,
    text: problemList(found.map(problemOf)),
    count: found.length,
  };
}

const severities = ['error', 'warning', 'info', 'hint'] as const;

function problemOf({ range, severity, message, source, code }: vscode.Diagnostic): Problem {
  const shownCode = typeof code === 'object' ? code.value : code;
  return {
    line: range.start.line + 1,
    severity: severities[severity] ?? 'info',
    message,
    ...(source !== undefined && { source }),
    ...(shownCode !== undefined && { code: String(shownCode) }),
  };
}
