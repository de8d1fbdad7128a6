import type * as vscode from 'vscode';

type Line = Pick<vscode.Position, 'line' | 'character'>;

/** A symbol as in VS Code's outline. Its range covers the whole symbol. */
export type OutlineSymbol = {
  readonly name: string;
  /** VS Code's `SymbolKind`. */
  readonly kind: number;
  readonly range: { readonly start: Line; readonly end: Line };
  readonly children?: readonly OutlineSymbol[];
};

/** Kinds of symbols that have a body, by the numbers of VS Code's `SymbolKind`. */
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
/** Kinds that may have a body, such as an arrow function in a constant or an object of settings. */
const holders: ReadonlyMap<number, string> = new Map([
  [6, 'property'],
  [7, 'field'],
  [12, 'variable'],
  [13, 'constant'],
  [18, 'object'],
]);

/** A function, class or similar symbol, and a word for its kind. */
export type NamedSymbol = { readonly symbol: OutlineSymbol; readonly word: string };

/** All functions, classes and similar symbols, in the order of the outline. */
export function namedSymbols(symbols: readonly OutlineSymbol[]): readonly NamedSymbol[] {
  return symbols.flatMap((symbol) => {
    const word = wordOf(symbol);
    return [...(word === undefined ? [] : [{ symbol, word }]), ...namedSymbols(symbol.children ?? [])];
  });
}

/**
 * The innermost function, class or similar symbol around a position.
 *
 * @returns undefined when the position is in none.
 */
export function enclosingSymbol(symbols: readonly OutlineSymbol[], at: Line): NamedSymbol | undefined {
  for (const symbol of symbols) {
    if (!holds(symbol, at)) {
      continue;
    }
    const inner = enclosingSymbol(symbol.children ?? [], at);
    if (inner) {
      return inner;
    }
    const word = wordOf(symbol);
    if (word !== undefined) {
      return { symbol, word };
    }
  }
  return undefined;
}

/** The word for a kind of symbol that has or may have a body. */
export function symbolWord(kind: number): string | undefined {
  return bodies.get(kind) ?? holders.get(kind);
}

function wordOf({ kind, range }: OutlineSymbol): string | undefined {
  const isLong = range.end.line > range.start.line;
  return bodies.get(kind) ?? (isLong ? holders.get(kind) : undefined);
}

function holds({ range: { start, end } }: OutlineSymbol, { line, character }: Line): boolean {
  const isAfterStart = line > start.line || (line === start.line && character >= start.character);
  return isAfterStart && (line < end.line || (line === end.line && character <= end.character));
}
