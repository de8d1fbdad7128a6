import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText } from '../../core/base/localization.ts';
import { enclosingSymbol, type NamedSymbol, type OutlineSymbol } from '../../core/chat/context/enclosingSymbol.ts';
import { type Problem, problemList } from '../../core/chat/context/problemList.ts';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { inTime, pathAndUri, shownPath } from '../ui/lastEditor.ts';

/** The largest file that is sent whole, in UTF-16 units: about 100,000 tokens, more than most models accept. */
export const fileLimit = 400_000;

/** Says why a file is not added, and what to do. @param units its UTF-16 units. */
export function tooLargeText(name: string, units: number): string {
  return l10n.t(
    '{0} is too large to include: it has {1} characters, and the limit is {2}. Select the part you need and add that.',
    name,
    numberText(units),
    numberText(fileLimit),
  );
}

/** The whole text of a document, without the check for `fileLimit`. */
export function fileContext(document: vscode.TextDocument): CodeContext {
  const { uri, languageId, lineCount } = document;
  const text = document.getText();
  const endLine = Math.max(1, text.endsWith('\n') ? lineCount - 1 : lineCount);
  return { kind: 'file', id: crypto.randomUUID(), ...pathAndUri(uri), languageId, startLine: 1, endLine, text };
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
): Promise<NamedSymbol | undefined> {
  const outline = await inTime(limitMs, outlineOf(document));
  return outline && enclosingSymbol(outline, position);
}

/** A symbol of a document. */
export function symbolContext(document: vscode.TextDocument, { symbol, word }: NamedSymbol): CodeContext {
  const { start, end } = symbol.range;
  const first = document.lineAt(start.line);
  // Includes the indentation unless there is other code before the symbol in its first line.
  const from = start.character <= first.firstNonWhitespaceCharacterIndex ? 0 : start.character;
  return {
    kind: 'symbol',
    id: crypto.randomUUID(),
    ...pathAndUri(document.uri),
    languageId: document.languageId,
    startLine: start.line + 1,
    endLine: end.line + 1,
    text: document.getText(new vscode.Range(start.line, from, end.line, end.character)),
    name: symbol.name,
    symbol: word,
  };
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
    source,
    ...(shownCode !== undefined && { code: String(shownCode) }),
  };
}
