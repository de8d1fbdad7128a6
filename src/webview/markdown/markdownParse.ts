import MarkdownIt, { type Token } from 'markdown-it';
import { isTooMuch, limitWork } from './markdownLimits.ts';
import type { MarkdownNode } from './markdownNode.ts';
import { markdownTree } from './markdownTokens.ts';
import { closeInline } from './unfinished.ts';

/** Link definitions (`[label]: address`) by label, as markdown-it keeps them. */
export type References = Record<string, { title: string; href: string }>;

/** One top-level block. `fence` is the marker of a fenced code block: "```" or longer. */
export type Block = {
  readonly node: MarkdownNode;
  readonly firstLine: number;
  readonly endLine: number;
  readonly fence?: string;
  /** Whether it is a list or a quote. */
  readonly isContainer: boolean;
  /** Of a list, a quote and a table: where its items, blocks and rows begin. A table's head is none of them. */
  readonly partLines?: readonly number[];
  readonly isParagraph?: true;
  /** Of a list: whether there is space between its items. */
  readonly isLoose?: boolean;
};

const parser = new MarkdownIt({ html: false, linkify: true });
// Addresses are checked and spelled out where a link is made; refusing one here would show its markup instead of its words.
parser.validateLink = () => true;
parser.normalizeLink = (address) => address;
parser.normalizeLinkText = (address) => address;
limitWork(parser);
// Bare addresses become links only with a scheme: `main.rs` and `README.md` are files, not hosts.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
parser.linkify.add('//', null).add('ftp:', null);
// Its own search goes through every text letter by letter, for schemes that all have this sign.
const findsLink = parser.linkify.test.bind(parser.linkify);
parser.linkify.test = (text) => text.includes(':') && findsLink(text);

// The lines are read before, for all blocks; what is in them when somebody wants to know.
parser.core.ruler.at('block', () => undefined);

/**
 * A parse of its own that sees the definitions of `known` and adds new ones to `found`. The words of a block are read
 * when its node is asked for: of a block that still grows most of what was read would be thrown away.
 *
 * @param text has no carriage return and no NUL.
 * @param unfinished closes what the last words left open.
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
  if (unfinished) {
    closeLast(tokens);
  }
  return { blocks: topLevel(tokens, env), found };
}

const container = /^(?:bullet_list|ordered_list|blockquote)_close$/;

function closeLast(tokens: readonly Token[]): void {
  const last = tokens.findLast(
    ({ type, content }) =>
      (type === 'inline' && content !== '') || type === 'text' || type === 'fence' || type === 'code_block',
  );
  if (last?.type === 'inline' && !isTooMuch(last.content)) {
    last.content = closeInline(last.content);
  }
}

function topLevel(tokens: readonly Token[], env: { references: References }): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  tokens.forEach((token, index) => {
    if (token.level !== 0 || token.nesting > 0) {
      return;
    }
    const own = tokens.slice(start, index + 1);
    const [first] = own;
    start = index + 1;
    // A definition is nothing to be seen.
    if (first?.map == null || token.type === 'reference_definition') {
      return;
    }
    const [firstLine, endLine] = first.map;
    const isContainer = container.test(token.type);
    const facts = token.type === 'fence' ? { fence: token.markup } : parts(own);
    let node: MarkdownNode | undefined;
    blocks.push({
      firstLine,
      endLine,
      isContainer,
      ...facts,
      get node() {
        node ??= nodeOf(own, env);
        return node;
      },
    });
  });
  return blocks;
}

function nodeOf(tokens: Token[], env: { references: References }): MarkdownNode {
  const state = new parser.core.State('', parser, env);
  state.tokens = tokens;
  parser.core.process(state);
  return markdownTree(state.tokens)[0] ?? '';
}

function parts(tokens: readonly Token[]): Pick<Block, 'partLines' | 'isLoose' | 'isParagraph'> {
  const begins = (isPart: (token: Token) => boolean) =>
    tokens.flatMap((token) => (token.nesting >= 0 && isPart(token) ? (token.map?.[0] ?? []) : []));
  switch (tokens[0]?.type) {
    case 'bullet_list_open':
    case 'ordered_list_open':
      return {
        partLines: begins(({ type, level }) => type === 'list_item_open' && level === 1),
        isLoose: tokens.some(({ type, level, hidden }) => type === 'paragraph_open' && level === 2 && !hidden),
      };
    case 'blockquote_open':
      return { partLines: begins(({ level }) => level === 1) };
    case 'table_open':
      return { partLines: begins(({ type }) => type === 'tr_open').slice(1) };
    case 'paragraph_open':
      return { isParagraph: true };
    default:
      return {};
  }
}
