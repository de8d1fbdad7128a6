import MarkdownIt, { type Token } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { FencedCode } from './fencedCode.ts';
import { breakable } from './longStretch.ts';
import type { MarkdownNode } from './markdownNode.ts';
import { addRules, restorePipes } from './markdownRules.ts';
import { markdownTree } from './markdownTokens.ts';
import { addClosingRules, closable } from './unfinished.ts';

/** Link definitions (`[label]: address`) by label, in the format of markdown-it. */
export type References = Record<string, { title: string; href: string }>;

/** One top-level block. `openFence` is a fenced code block whose end has not arrived. */
export type Block = {
  readonly node: MarkdownNode;
  readonly firstLine: number;
  readonly endLine: number;
  readonly isCode: boolean;
  readonly openFence: FencedCode | undefined;
  /**
   * First lines of the items of a list, the blocks of a quote or the rows of a table, without the table's head; the
   * first line of a link definition.
   */
  readonly partLines: readonly number[];
};

/** Maximum nesting of quotes and lists. A deeper block would have no room in any panel and is shown as written. */
const maxDepth = 24;

/**
 * A paragraph with more UTF-16 units or more marks is shown as written. A person would read a tenth of it at most, and
 * the time to pair emphasis and brackets grows faster than their number.
 */
const maxParagraphLength = 16_000;
const maxMarks = 2_000;

/** Maximum UTF-16 units after the opening marker of a code block; a block with more is shown as written. */
const maxInfoLength = 1_000;

const parser = new MarkdownIt({ html: false, linkify: true });
// Addresses are validated when a link is created; rejecting one here would show its markup instead of its text.
parser.validateLink = () => true;
parser.normalizeLink = (address) => address;
parser.normalizeLinkText = (address) => address;
parser.set({ maxNesting: maxDepth });
// Bare addresses become links only with a scheme: `main.rs` and `README.md` are files, not hosts.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
parser.linkify.add('//', null).add('ftp:', null);
// linkify searches every text letter by letter for schemes, which all end with a colon.
const findsLink = parser.linkify.test.bind(parser.linkify);
parser.linkify.test = (text) => text.includes(':') && findsLink(text);
// Marks that close bold or struck words end an address (KiroCrew#3519).
const linkAtStart = parser.linkify.matchAtStart.bind(parser.linkify);
parser.linkify.matchAtStart = (text) => linkAtStart(text.split(/\*\*|~~/, 1).join());
parser.use(cjkFriendly);
// Words in bold may end with punctuation before any letter, and begin with a quotation mark after one (future-os#744,
// marked#2154, markdown-it#410).
const { scanDelims } = parser.inline.State.prototype;
parser.inline.State.prototype.scanDelims = function (start, canSplitWord) {
  const found = scanDelims.call(this, start, canSplitWord);
  const isBold = this.src[start] === '*' && found.length === 2;
  return {
    ...found,
    can_open: found.can_open || (isBold && /[“‘]/.test(this.src.charAt(start + 2))),
    can_close: found.can_close || (isBold && /[:.!?)\]”’…%;]/.test(this.src.charAt(start - 1))),
  };
};
addRules(parser);
addClosingRules(parser);

// `parseBlocks` has already parsed the block structure; this processor only parses inline content, on demand.
parser.core.ruler.at('block', () => undefined);
parser.core.ruler.disable('strip_references');

/**
 * Parses text into top-level blocks. The link definitions in `known` apply, and new ones are returned in `found`. The
 * inline content of a block is parsed only when its `node` is read: for a block that still grows, most of that work
 * would be thrown away.
 *
 * @param text has no carriage return and no NUL.
 * @param unfinished closes inline Markdown that is still open at the end.
 */
export function parseBlocks(
  text: string,
  known: References,
  unfinished = false,
): { readonly blocks: readonly Block[]; readonly found: References } {
  const found: References = Object.create(known);
  const env = { references: found };
  const tokens: Token[] = [];
  parser.block.parse(text, parser, env, tokens);
  restorePipes(tokens);
  for (const token of tokens) {
    if (token.type === 'reference_definition') {
      token.content = definition(text, token);
      token.children = exceedsLimits(token.content) ? null : [];
    }
  }
  if (unfinished) {
    closeLast(tokens);
  }
  return { blocks: topLevel(text, tokens, env), found };
}

/** A link definition without the marks of the quotes and lists around it. It is shown, because nothing may refer to it. */
function definition(text: string, { map }: Token): string {
  const lines = text.split('\n').slice(...(map ?? []));
  return lines.map((line, index) => line.replace(index === 0 ? /^[^[]*/ : /^[\s>]*/, '')).join('\n');
}

/** Only in the last block: one that another follows is finished, also while that one is still empty. */
function closeLast(tokens: readonly Token[]): void {
  const start = tokens.findLastIndex(({ level, nesting }) => level === 0 && nesting >= 0);
  const last = tokens.slice(start).findLast(({ type, content }) => content !== '' && type !== 'reference_definition');
  if (last?.type === 'inline' && !exceedsLimits(last.content)) {
    last.content = closable(last.content);
    last.meta = { isUnfinished: true };
  }
}

function topLevel(text: string, tokens: readonly Token[], env: { references: References }): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  tokens.forEach((token, index) => {
    if (token.level !== 0 || token.nesting > 0) {
      return;
    }
    const own = tokens.slice(start, index + 1);
    const [first] = own;
    start = index + 1;
    if (first?.map == null) {
      return;
    }
    const [firstLine, endLine] = first.map;
    const isPlain = isTooDeep(own) || hasLongInfo(first);
    let node: MarkdownNode | undefined;
    blocks.push({
      firstLine,
      endLine,
      partLines: partLines(own),
      isCode: token.type === 'fence',
      openFence: !isPlain && first.meta?.openFence instanceof FencedCode ? first.meta.openFence : undefined,
      get node() {
        node ??= isPlain ? asWritten(text.split('\n').slice(firstLine, endLine).join('\n')) : nodeOf(own, env);
        return node;
      },
    });
  });
  return blocks;
}

/** Beyond its nesting limit, markdown-it drops the rest of a block. */
const isTooDeep = (tokens: readonly Token[]): boolean => tokens.some(({ level }) => level >= maxDepth - 1);

/** The info string names the language and is not shown, so a long text in it would be lost. */
const hasLongInfo = ({ info }: Token): boolean => info.length > maxInfoLength;

const asWritten = (text: string): MarkdownNode => ({ kind: 'element', tag: 'p', children: breakable(text) });

function nodeOf(tokens: Token[], env: { references: References }): MarkdownNode {
  for (const token of tokens) {
    if (token.type === 'inline' && exceedsLimits(token.content)) {
      token.type = 'text';
    }
  }
  const state = new parser.core.State('', parser, env);
  state.tokens = tokens;
  parser.core.process(state);
  return markdownTree(state.tokens)[0] ?? '';
}

/** Whether a paragraph is too long, or has too many marks, to be parsed. */
function exceedsLimits(text: string): boolean {
  return (
    text.length > maxParagraphLength ||
    (text.length > maxMarks && text.replaceAll(/[\p{L}\p{N}\s.,;]/gu, '').length > maxMarks)
  );
}

/** See `Block.partLines`. */
function partLines(tokens: readonly Token[]): readonly number[] {
  const startLines = (isPart: (token: Token) => boolean) =>
    tokens.flatMap((token) => (token.nesting >= 0 && isPart(token) ? (token.map?.[0] ?? []) : []));
  switch (tokens[0]?.type) {
    case 'bullet_list_open':
    case 'ordered_list_open':
      return startLines(({ type, level }) => type === 'list_item_open' && level === 1);
    case 'details_open':
    case 'blockquote_open':
      return startLines(({ level }) => level === 1);
    case 'table_open':
      return startLines(({ type }) => type === 'tr_open').slice(1);
    case 'reference_definition':
      return startLines(() => true);
    default:
      return [];
  }
}

/** The offset of the start of each line. After a final line break, that is the end of the text. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}
