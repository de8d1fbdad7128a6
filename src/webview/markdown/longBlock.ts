import type { MarkdownElement, MarkdownNode } from './markdownNode.ts';
import { type Block, parseBlocks, type References } from './markdownParse.ts';
import { closeInline } from './unfinished.ts';

/** So much of a block is worth cutting off. */
const worthCutting = 2_048;

/**
 * The beginning of a block that is long and still grows, such as a list of hundreds of items: it stays as it was shown,
 * and only what follows is parsed for new text. This is for the eye while text arrives. A finished block is parsed whole,
 * because what comes late may change how it begins.
 */
export type LongBlock = {
  /** What is not parsed any more. */
  readonly source: string;
  /** Whole lines that go before the rest, so that it is read as the rest of such a block. */
  readonly prefix: string;
  /** The block as far as it is kept. */
  readonly kept: MarkdownElement;
  readonly isLoose: boolean;
};

/** The whole of a long block whose rest was parsed together with the prefix; undefined when that is no rest of it. */
export function joined(long: LongBlock, rest: Block | undefined): MarkdownElement | undefined {
  if (rest === undefined) {
    return long.kept;
  }
  const { node, isLoose = false } = rest;
  if (!isElement(node, long.kept.tag) || isLoose !== long.isLoose) {
    return undefined;
  }
  if (node.tag === 'div') {
    return withRows(long.kept, [...rowsOf(long.kept), ...rowsOf(node)]);
  }
  if (node.tag === 'p') {
    return { ...long.kept, children: joinedText(long.kept.children, node.children) };
  }
  // The prefix of a list is an item.
  const own = long.prefix === '' ? node.children : node.children.slice(1);
  return { ...long.kept, children: [...long.kept.children, ...own] };
}

/**
 * Cuts the beginning off a block that may still grow.
 *
 * @param block its lines are those of `text`, its node is the whole block.
 * @param text what was parsed: prefix and rest of `long` where there is one, else the whole block.
 * @returns `long` where there is not enough to cut off.
 */
export function cutLongBlock(
  block: Block,
  text: string,
  lineAt: readonly number[],
  known: References,
  long?: LongBlock,
): LongBlock | undefined {
  const { node, partLines, isLoose = false } = block;
  const from = long?.prefix.length ?? 0;
  if (text.length - from < worthCutting || !isElement(node)) {
    return long;
  }
  if (node.tag === 'p') {
    return cutParagraph(text, known, long);
  }
  const at = lineAt[partLines?.at(-1) ?? 0] ?? 0;
  if (at - from < worthCutting) {
    return long;
  }
  const source = (long?.source ?? '') + text.slice(from, at);
  const kept = { ...node, children: node.children.slice(0, -1) };
  switch (node.tag) {
    case 'ul':
    case 'ol': {
      // An item that stands alone has no space around it: one before it tells that its list has.
      const marker = /^ {0,3}(?:[-+*]|\d{1,9}[.)])/.exec(text.slice(at, at + 20))?.[0];
      if (marker === undefined) {
        return long;
      }
      return { source, prefix: isLoose ? `${marker} x\n\n` : '', kept, isLoose };
    }
    case 'blockquote':
      // A line without its mark would be no part of a quote.
      return /^ {0,3}>/.test(text.slice(at, at + 4)) ? { source, prefix: '', kept, isLoose } : long;
    case 'div': {
      const prefix = long?.prefix ?? text.slice(lineAt[block.firstLine], lineAt[block.firstLine + 2]);
      return { source, prefix, kept: withRows(node, rowsOf(node).slice(0, -1)), isLoose };
    }
    default:
      return long;
  }
}

/** A paragraph is cut behind a line, or a sentence of a long one, that leaves no emphasis, code or bracket open. */
function cutParagraph(text: string, known: References, long: LongBlock | undefined): LongBlock | undefined {
  // What comes next must not look like a list, a heading or another block.
  const end = [...text.matchAll(/[^\s\\](\n)(?=\p{L})|\p{L}[.!?]( )(?=\p{L})/gu)].at(-1);
  if (end === undefined) {
    return long;
  }
  const at = end.index + end[0].length;
  const source = text.slice(0, at);
  const isOpen = closeInline(source) !== source || count(source, '[') !== count(source, ']');
  if (at < worthCutting || isOpen) {
    return long;
  }
  const [first, ...more] = parseBlocks(source, known).blocks;
  if (more.length > 0 || !isElement(first?.node, 'p')) {
    return long;
  }
  const children = joinedText(long?.kept.children ?? [], first.node.children);
  const gap = source.slice(-1);
  return {
    source: (long?.source ?? '') + source,
    prefix: '',
    kept: { ...first.node, children: gap === '\n' ? [...children, gap] : joinedText(children, [gap]) },
    isLoose: false,
  };
}

/** Text that meets text becomes one. */
function joinedText(before: readonly MarkdownNode[], after: readonly MarkdownNode[]): readonly MarkdownNode[] {
  const [last, first] = [before.at(-1), after[0]];
  const meets = typeof last === 'string' && last !== '\n' && typeof first === 'string' && first !== '\n';
  return meets ? [...before.slice(0, -1), last + first, ...after.slice(1)] : [...before, ...after];
}

/** The rows below the head of a table in its box. */
function rowsOf(box: MarkdownElement): readonly MarkdownNode[] {
  const [table] = box.children;
  const body = isElement(table) ? table.children[1] : undefined;
  return isElement(body) ? body.children : [];
}

function withRows(box: MarkdownElement, rows: readonly MarkdownNode[]): MarkdownElement {
  const [table] = box.children;
  if (!isElement(table)) {
    return box;
  }
  const body: MarkdownElement = { kind: 'element', tag: 'tbody', children: rows };
  return { ...box, children: [{ ...table, children: [...table.children.slice(0, 1), body] }] };
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function isElement(node: MarkdownNode | undefined, tag?: MarkdownElement['tag']): node is MarkdownElement {
  return typeof node === 'object' && node.kind === 'element' && (tag === undefined || node.tag === tag);
}
