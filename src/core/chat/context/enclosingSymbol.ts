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

/** The numbers of VS Code's `SymbolKind`, as words. */
const kinds = (
  'file module namespace package class method property field constructor enum interface function variable constant ' +
  'string number boolean array object key null enumMember struct'
).split(' ');
/** Kinds of symbols that have a body. */
const bodies = new Set('module namespace class method constructor enum interface function struct'.split(' '));
/** Kinds that may have a body, such as an arrow function in a constant or an object of settings. */
const holders = new Set('property field variable constant object'.split(' '));

/** All functions, classes and similar symbols, in the order of the outline. */
export function namedSymbols(symbols: readonly OutlineSymbol[]): readonly OutlineSymbol[] {
  return symbols.flatMap((symbol) => [...(hasBody(symbol) ? [symbol] : []), ...namedSymbols(symbol.children ?? [])]);
}

/**
 * The innermost function, class or similar symbol around a position.
 *
 * @returns undefined when the position is in none.
 */
export function enclosingSymbol(symbols: readonly OutlineSymbol[], at: Line): OutlineSymbol | undefined {
  for (const symbol of symbols.filter((each) => holds(each, at))) {
    const found = enclosingSymbol(symbol.children ?? [], at) ?? (hasBody(symbol) ? symbol : undefined);
    if (found) {
      return found;
    }
  }
  return undefined;
}

/** The word for a kind of symbol that has or may have a body. */
export function symbolWord(kind: number): string | undefined {
  return kinds.find((word, at) => at === kind && (bodies.has(word) || holders.has(word)));
}

function hasBody({ kind, range }: OutlineSymbol): boolean {
  const word = symbolWord(kind);
  return word !== undefined && !(holders.has(word) && range.end.line === range.start.line);
}

function holds({ range: { start, end } }: OutlineSymbol, { line, character }: Line): boolean {
  const isAfterStart = line > start.line || (line === start.line && character >= start.character);
  return isAfterStart && (line < end.line || (line === end.line && character <= end.character));
}
