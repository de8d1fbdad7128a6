import type { MarkdownNode } from './markdownNode.ts';

const pieceLength = 400;

/**
 * Runs of letters in scripts that join letters or find words with a dictionary, and of what is no letter: finding line
 * breaks in them takes time that grows with the square of the length between two spaces.
 */
const stretches = /[\u0530-\u1FFF\u200C-\u200F\uA000-\uABFF\uD800-\uDFFF\uFB1D-\uFDFF\uFE70-\uFEFF\uFFFD]{401,}/gu;

const modifiesPrevious = /[\p{M}\u200C-\u200F]/u;

/** Adds line break opportunities to runs without a space that are longer than any sentence has. */
export function breakable(text: string): readonly MarkdownNode[] {
  if (text.length <= pieceLength) {
    return [text];
  }
  const nodes: MarkdownNode[] = [];
  let from = 0;
  for (const { 0: stretch, index } of text.matchAll(stretches)) {
    const end = index + stretch.length;
    for (let at = index + pieceLength; at < end; at += pieceLength) {
      while (at < end && modifiesPrevious.test(text.charAt(at))) {
        at += 1;
      }
      if (at === end) {
        break;
      }
      nodes.push(text.slice(from, at), { kind: 'element', tag: 'wbr', children: [] });
      from = at;
    }
  }
  nodes.push(text.slice(from));
  return nodes;
}
