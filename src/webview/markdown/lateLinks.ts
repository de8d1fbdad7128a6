import type { MarkdownNode } from './markdownNode.ts';
import { type Block, parseBlocks, type References } from './markdownParse.ts';

/** A finished block that may name a link which is defined further down. */
type Bracketed = { readonly index: number; readonly source: string; readonly known: number };

/** Finished blocks with words in brackets: such a word is a link as soon as somebody defines it, were it in the last line. */
export class LateLinks {
  #blocks: Bracketed[] = [];

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  /** Remembers those of `blocks` that have brackets; the first of them is number `from` of the whole text. */
  remember(from: number, blocks: readonly Block[], text: string, lineAt: readonly number[], known: References): void {
    const count = countAll(known);
    for (const [offset, block] of blocks.entries()) {
      const source = text.slice(lineAt[block.firstLine], lineAt[block.endLine]);
      if (block.fence === undefined && source.includes('[')) {
        this.#blocks.push({ index: from + offset, source, known: count });
      }
    }
  }

  /** All definitions are there: forgets the blocks that were read with all of them. */
  settle(references: References): void {
    const all = countAll(references);
    this.#blocks = this.#blocks.filter((block) => block.known < all);
  }

  /** The next block, read anew. */
  next(references: References): { readonly index: number; readonly node: MarkdownNode } | undefined {
    const block = this.#blocks.shift();
    const node = block && parseBlocks(block.source, references).blocks[0]?.node;
    return block !== undefined && node !== undefined ? { index: block.index, node } : undefined;
  }
}

/** Definitions of `references` and of the ones it builds on. */
function countAll(references: References): number {
  let count = 0;
  for (const _ in references) {
    count += 1;
  }
  return count;
}
