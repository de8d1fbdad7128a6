import type { MarkdownNode } from './markdownNode.ts';

const pieceLength = 400;

/**
 * Letters of scripts that are joined to each other, or whose words are found by dictionary: where a line may break takes
 * time that grows with the square of what stands between two spaces.
 */
const stretches = /[\u0530-\u1FFF\u200C-\u200F\uA000-\uABFF\uFB1D-\uFDFF\uFE70-\uFEFF]{401,}/g;

const changesTheOneBefore = /[\p{M}\u200C-\u200F]/u;

/** Text with places to break a line in stretches that have no space for longer than any sentence goes on without one. */
export function breakable(text: string): readonly MarkdownNode[] {
  if (text.length <= pieceLength) {
    return [text];
  }
  const nodes: MarkdownNode[] = [];
  let from = 0;
  for (const { 0: stretch, index } of text.matchAll(stretches)) {
    const end = index + stretch.length;
    for (let at = index + pieceLength; at < end; at += pieceLength) {
      while (at < end && changesTheOneBefore.test(text.charAt(at))) {
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
