import MarkdownIt, { type Token } from 'markdown-it';
import { limitWork } from './markdownLimits.ts';
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
  /** Where a list or a quote can be cut in two: the first line of the last thing in it. */
  readonly cutLine?: number;
};

const parser = new MarkdownIt({ html: false, linkify: true });
// Addresses are checked where a link is made; refusing one here would show its markup instead of its words.
parser.validateLink = () => true;
limitWork(parser);
// Bare addresses become links only with a scheme: `main.rs` and `README.md` are files, not hosts.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
parser.linkify.add('//', null).add('ftp:', null);

/** A parse of its own that sees the definitions of `known` and adds new ones to `found`. */
export function parseBlocks(
  text: string,
  known: References,
  unfinished = false,
): { readonly blocks: readonly Block[]; readonly found: References } {
  const found: References = Object.create(known);
  const env = { references: found };
  const tokens = parser.parse(text, env);
  if (unfinished) closeLast(tokens, env);
  return { blocks: topLevel(tokens), found };
}

const container = /^(?:bullet_list|ordered_list|blockquote)_close$/;

function closeLast(tokens: readonly Token[], env: { references: References }): void {
  const last = tokens.findLast(
    ({ type, content }) =>
      (type === 'inline' && content !== '') || type === 'text' || type === 'fence' || type === 'code_block',
  );
  if (last?.type !== 'inline') return;
  const closed = closeInline(last.content);
  if (closed !== last.content) last.children = parser.parseInline(closed, env)[0]?.children ?? [];
}

function topLevel(tokens: readonly Token[]): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  tokens.forEach((token, index) => {
    if (token.level !== 0 || token.nesting > 0) return;
    const from = start;
    const first = tokens[from];
    const [node] = markdownTree(tokens.slice(from, index + 1));
    start = index + 1;
    if (node === undefined || first?.map == null) return;
    const [firstLine, endLine] = first.map;
    const isContainer = container.test(token.type);
    const cutLine = isContainer ? lastChildLine(tokens, from, index) : undefined;
    blocks.push({
      node,
      firstLine,
      endLine,
      isContainer,
      ...(token.type === 'fence' && { fence: token.markup }),
      ...(cutLine !== undefined && cutLine > firstLine && { cutLine }),
    });
  });
  return blocks;
}

function lastChildLine(tokens: readonly Token[], from: number, to: number): number | undefined {
  for (let index = to - 1; index > from; index--) {
    const token = tokens[index];
    if (token?.level === 1 && token.nesting >= 0 && token.map !== null) return token.map?.[0];
  }
  return undefined;
}
