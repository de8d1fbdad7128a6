import type * as vscode from 'vscode';

type Line = Pick<vscode.Position, 'line' | 'character'>;

/** A symbol as VS Code's outline has it; its range is everything that belongs to it. */
export type OutlineSymbol = {
  readonly name: string;
  /** VS Code's `SymbolKind`. */
  readonly kind: number;
  readonly range: { readonly start: Line; readonly end: Line };
  readonly children?: readonly OutlineSymbol[];
};

/** What has a body of its own, by the numbers of VS Code's `SymbolKind`. */
const bodies: ReadonlyMap<number, string> = new Map([
  [1, 'module'],
  [2, 'namespace'],
  [4, 'class'],
  [5, 'method'],
  [8, 'constructor'],
  [9, 'enum'],
  [10, 'interface'],
  [11, 'function'],
  [22, 'struct'],
]);
/** What may have one: an arrow function in a constant, an object of settings. */
const holders: ReadonlyMap<number, string> = new Map([
  [6, 'property'],
  [7, 'field'],
  [12, 'variable'],
  [13, 'constant'],
  [18, 'object'],
]);

/**
 * The innermost function, class or the like around a place.
 *
 * @returns the symbol and what it is, in a word; undefined when the place is in none.
 */
export function enclosingSymbol(
  symbols: readonly OutlineSymbol[],
  at: Line,
): { readonly symbol: OutlineSymbol; readonly word: string } | undefined {
  for (const symbol of symbols) {
    if (!holds(symbol, at)) {
      continue;
    }
    const inner = enclosingSymbol(symbol.children ?? [], at);
    if (inner) {
      return inner;
    }
    const isLong = symbol.range.end.line > symbol.range.start.line;
    const word = bodies.get(symbol.kind) ?? (isLong ? holders.get(symbol.kind) : undefined);
    if (word !== undefined) {
      return { symbol, word };
    }
  }
  return undefined;
}

function holds({ range: { start, end } }: OutlineSymbol, { line, character }: Line): boolean {
  const isAfterStart = line > start.line || (line === start.line && character >= start.character);
  return isAfterStart && (line < end.line || (line === end.line && character <= end.character));
}
