import type { FencedCode } from './fencedCode.ts';
import { isTooLong, longBlockEnd } from './markdownLimits.ts';
import type { MarkdownNode } from './markdownNode.ts';
import { type Block, lineStarts, parseBlocks, type References } from './markdownParse.ts';

import { TextQueue } from './textQueue.ts';
import { showable } from './unfinished.ts';

/** Shows blocks, which are numbered from 0. Blocks below the last `from` are finished. */
export type BlockSink = {
  /** Replaces everything from block `from` on with these blocks. */
  show(from: number, blocks: readonly MarkdownNode[]): void;
  /** Appends code to the last block, which is a code block. */
  grow(code: string): void;
  /** Replaces a finished block, because a link in it was defined later. */
  replace(index: number, block: MarkdownNode): void;
};

/** A finished block with text in brackets, which becomes a link if any later line defines it. */
type Bracketed = { readonly index: number; readonly source: string; readonly definitions: number };

/**
 * Renders Markdown while it arrives. Text is split into top-level blocks. A block that another one follows is finished
 * and is never parsed again; only the tail is. In the end, the blocks are those of the whole text parsed at once.
 */
export class MarkdownStream {
  readonly #sink: BlockSink;
  readonly #references: References = {};
  readonly #waiting = new TextQueue();
  #bracketed: Bracketed[] = [];
  /** The text that is not finished yet, from the start of its first block; empty while a fence is open. */
  #tail = '';
  #shownTail: string | undefined;
  #finished = 0;
  #fence: FencedCode | undefined;
  #isEnding = false;
  #hasEnded = false;

  constructor(sink: BlockSink) {
    this.#sink = sink;
  }

  /** Adds text; `advance` shows it. */
  append(text: string): void {
    this.#waiting.add(text);
  }

  /** Marks the end of the text. */
  end(): void {
    if (this.#isEnding) {
      return;
    }
    this.#isEnding = true;
    this.#waiting.end();
  }

  /** Whether `advance` would do anything. */
  get hasWork(): boolean {
    return (
      !this.#waiting.isEmpty || (this.#isEnding && !this.#hasEnded) || (this.#hasEnded && this.#bracketed.length > 0)
    );
  }

  /** Reads text until none is left or `mayContinue` returns false, and shows the result. */
  advance(mayContinue: () => boolean = () => true): void {
    let goesOn = true;
    while (!this.#waiting.isEmpty && goesOn) {
      this.#read(this.#waiting.next());
      goesOn = mayContinue();
    }
    if (!this.#waiting.isEmpty || !this.#isEnding) {
      this.#showTail();
      return;
    }
    if (!this.#hasEnded) {
      this.#finish();
    }
    while (this.#bracketed.length > 0 && mayContinue()) {
      this.#addLateLinks();
    }
  }

  #read(text: string): void {
    let left: string | undefined = text;
    while (left !== undefined && left !== '') {
      left = this.#fence === undefined ? this.#readBlocks(left) : this.#readCode(this.#fence, left);
    }
  }

  /** @returns the text after the end of the code block, if its end has arrived. */
  #readCode(fence: FencedCode, text: string): string | undefined {
    const { code, rest } = fence.take(text);
    if (code !== '') {
      this.#sink.grow(code);
    }
    if (rest !== undefined) {
      this.#fence = undefined;
      this.#finished += 1;
    }
    return rest;
  }

  /** @returns the text after a line that opens a fence, if there is one; it is read as code. */
  #readBlocks(text: string): string | undefined {
    this.#tail += text;
    const code = text.includes('\n') ? this.#finishBlocks() : undefined;
    while (this.#fence === undefined && isTooLong(this.#tail)) {
      this.#cutBlock();
    }
    return code;
  }

  /**
   * Finishes every block of the tail that another one follows. Only whole lines are parsed: `***` may be a rule or the
   * start of a bold word, and a row may be text or part of a table.
   *
   * @returns the text to be read as code, if the last block is an open fence.
   */
  #finishBlocks(): string | undefined {
    const complete = this.#tail.slice(0, this.#tail.lastIndexOf('\n') + 1);
    const { blocks, found } = parseBlocks(complete, this.#references);
    const last = blocks.at(-1);
    if (last === undefined) {
      return undefined;
    }
    const lineAt = lineStarts(complete);
    const fence = last.openFence;
    if (fence === undefined && blocks.length === 1) {
      return undefined;
    }
    this.#show(blocks);
    if (fence === undefined) {
      const settled = blocks.slice(0, mayContinue(blocks.at(-2), last, complete, lineAt) ? -2 : -1);
      // The text after the last finished block may be a link definition that continues on the next line.
      this.#finishAll(settled, complete, lineAt[settled.at(-1)?.endLine ?? 0] ?? 0, found);
      return undefined;
    }
    const rest = this.#tail.slice(complete.length);
    this.#finishAll(blocks.slice(0, -1), complete, lineAt[last.firstLine] ?? 0, found);
    this.#fence = fence;
    this.#tail = '';
    return rest;
  }

  /** Ends a block that is too long to be parsed again with every piece that arrives. */
  #cutBlock(): void {
    const parse = (text: string) => parseBlocks(text, this.#references);
    const head = this.#tail.slice(
      0,
      longBlockEnd(this.#tail, (text) => parse(text).blocks[0]),
    );
    const { blocks, found } = parse(head);
    this.#show(blocks);
    this.#finishAll(blocks, head, head.length, found);
  }

  #show(blocks: readonly Block[]): void {
    this.#sink.show(
      this.#finished,
      blocks.map((block) => block.node),
    );
  }

  /** Marks blocks as finished, and removes everything before `end` from the tail, which starts with `text`. */
  #finishAll(blocks: readonly Block[], text: string, end: number, found: References): void {
    const lineAt = lineStarts(text);
    const definitions = countOf(this.#references);
    for (const [offset, block] of blocks.entries()) {
      const source = text.slice(lineAt[block.firstLine], lineAt[block.endLine]);
      if (!block.isCode && source.includes('[')) {
        this.#bracketed.push({ index: this.#finished + offset, source, definitions });
      }
    }
    if (countOf(found) > 0) {
      // Only definitions before `end` count: a later one may continue and is parsed again.
      Object.assign(this.#references, parseBlocks(text.slice(0, end), this.#references).found);
    }
    this.#finished += blocks.length;
    this.#tail = this.#tail.slice(end);
    this.#shownTail = undefined;
  }

  #showTail(): void {
    if (this.#fence !== undefined) {
      return;
    }
    const text = showable(this.#tail);
    if (text === this.#shownTail) {
      return;
    }
    this.#shownTail = text;
    this.#show(parseBlocks(text, this.#references, true).blocks);
  }

  #finish(): void {
    this.#hasEnded = true;
    if (this.#fence === undefined) {
      const { blocks, found } = parseBlocks(this.#tail, this.#references);
      this.#show(blocks);
      this.#finishAll(blocks, this.#tail, this.#tail.length, found);
    } else {
      const code = this.#fence.end();
      if (code !== '') {
        this.#sink.grow(code);
      }
      this.#fence = undefined;
    }
    const all = countOf(this.#references);
    this.#bracketed = this.#bracketed.filter(({ definitions }) => definitions < all);
  }

  #addLateLinks(): void {
    const late = this.#bracketed.shift();
    const node = late && parseBlocks(late.source, this.#references).blocks[0]?.node;
    if (late !== undefined && node !== undefined) {
      this.#sink.replace(late.index, node);
    }
  }
}

const countOf = (references: References): number => Object.keys(references).length;

/** Whether a link definition, or a quote or list that ends with one, may take the lines after it as its title. */
function mayContinue(block: Block | undefined, next: Block, text: string, lineAt: readonly number[]): boolean {
  const lineBefore = text.slice(lineAt[next.firstLine - 1], lineAt[next.firstLine]);
  return block !== undefined && block.partLines.length > 0 && lineBefore.trim() !== '';
}
