import MarkdownIt, { type Token } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { FencedCode } from './fencedCode.ts';
import { breakable } from './longStretch.ts';
import type { MarkdownNode } from './markdownNode.ts';
import { addRules, restorePipes } from './markdownRules.ts';
import { markdownTree } from './markdownTokens.ts';
import { addClosingRules, closable } from './unfinished.ts';

/** One top-level block, which begins at `start` in the text. `openFence` is a code block whose end has not arrived. */
export type Block = {
  readonly node: MarkdownNode;
  readonly start: number;
  readonly openFence: FencedCode | undefined;
};

/** Maximum nesting of quotes and lists. A deeper block would have no room in any panel and is shown as written. */
const maxDepth = 24;

/**
 * A paragraph with more UTF-16 units or more marks is shown as written. A person would read a tenth of it at most, and
 * the time to pair emphasis and brackets grows faster than their number.
 */
const maxParagraphLength = 16_000;
const maxMarks = 2_000;

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

/**
 * Parses text into top-level blocks. The inline content of a block is parsed only when its `node` is read: for a block
 * that still grows, most of that work would be thrown away.
 *
 * @param text has no carriage return and no NUL.
 * @param unfinished closes inline Markdown that is still open at the end.
 */
export function parseBlocks(text: string, unfinished = false): Block[] {
  const tokens: Token[] = [];
  const state = new parser.block.State(text, parser, {}, tokens);
  parser.block.tokenize(state, 0, state.lineMax);
  restorePipes(tokens);
  if (unfinished) {
    closeLast(tokens);
  }
  return topLevel(text, state.bMarks, tokens);
}

/** Only in the last block: one that another follows is finished, also while that one is still empty. */
function closeLast(tokens: readonly Token[]): void {
  const start = tokens.findLastIndex(({ level, nesting }) => level === 0 && nesting >= 0);
  const last = tokens.slice(start).findLast(({ content }) => content !== '');
  if (last?.type === 'inline' && !exceedsLimits(last.content)) {
    last.content = closable(last.content);
    last.meta = { isUnfinished: true };
  }
}

/** @param lineAt where each line of the text begins. */
function topLevel(text: string, lineAt: readonly number[], tokens: readonly Token[]): Block[] {
  const blocks: Block[] = [];
  let first = 0;
  tokens.forEach(({ level, nesting }, index) => {
    if (level !== 0 || nesting > 0) {
      return;
    }
    const own = tokens.slice(first, index + 1);
    first = index + 1;
    const { map = null, meta } = own[0] ?? {};
    const [start, end] = (map ?? []).map((line) => lineAt[line]);
    let node: MarkdownNode | undefined;
    if (start !== undefined) {
      blocks.push({
        start,
        openFence: meta?.openFence instanceof FencedCode ? meta.openFence : undefined,
        get node() {
          node ??= isTooDeep(own) ? asWritten(text.slice(start, end).replace(/\n$/, '')) : nodeOf(own);
          return node;
        },
      });
    }
  });
  return blocks;
}

/** Beyond its nesting limit, markdown-it drops the rest of a block. */
const isTooDeep = (tokens: readonly Token[]): boolean => tokens.some(({ level }) => level >= maxDepth - 1);

const asWritten = (text: string): MarkdownNode => ({ kind: 'element', tag: 'p', children: breakable(text) });

function nodeOf(tokens: Token[]): MarkdownNode {
  for (const token of tokens) {
    if (token.type === 'inline' && exceedsLimits(token.content)) {
      token.type = 'text';
    }
  }
  const state = new parser.core.State('', parser, {});
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
