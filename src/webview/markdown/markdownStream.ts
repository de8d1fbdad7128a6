import { wholeCharacters } from '../page/wholeCharacters.ts';
import type { FencedCode } from './fencedCode.ts';
import { isTooLong, longBlockEnd } from './markdownLimits.ts';
import type { MarkdownNode } from './markdownNode.ts';
import { type Block, lineStarts, parseBlocks, type References } from './markdownParse.ts';
import { showable } from './unfinished.ts';

/** Shows blocks, which are numbered from 0. Blocks below the last `from` are finished. */
export type BlockSink = {
  /** Replaces everything from block `from` on with these blocks. */
  show(from: number, blocks: readonly MarkdownNode[]): void;
  /** Appends code to the last block, which is a code block. */
  grow(code: string): void;
  /** Replaces a finished block, because a link in it was defined later. */
  replace(index: number, block: MarkdownNode): void;
  /** Appends text after the last block as it is, because there is too much of it. */
  showRest(text: string): void;
};

/** UTF-16 units read at a time, so that a long text can be spread over several frames. */
const sliceLength = 2_048;
/** Lines read at a time: each short line can be a block, and a code block has many elements. */
const sliceLines = 50;

const firstLines = new RegExp(`^(?:[^\\n]*\\n){${sliceLines}}`);

/** More marks on one letter can't be read, and drawing them takes time that grows with the square of their number. */
const marks = /([\p{M}\p{Emoji_Modifier}]{30})[\p{M}\p{Emoji_Modifier}]+/gu;
const mark = /[\p{M}\p{Emoji_Modifier}]/u;

/** Text for display: line breaks are `\n`, NUL is U+FFFD, and no letter has more marks than any language needs. */
export function displayText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD').replaceAll(marks, '$1');
}

/** Text that has arrived and is not read yet; no character is split. */
class TextQueue {
  #text = '';
  /** How much of `#text` has been read. */
  #at = 0;
  /** A carriage return or a high surrogate at the end, whose second half may still arrive. */
  #half = '';
  /** The marks at the end of the text that has arrived: more of them may follow. */
  #marks = '';

  get isEmpty(): boolean {
    return this.#at === this.#text.length;
  }

  add(text: string): void {
    const all = this.#half + text;
    const end = all.endsWith('\r') ? all.length - 1 : wholeCharacters(all);
    this.#half = all.slice(end);
    if (this.isEmpty) {
      this.#text = '';
      this.#at = 0;
    }
    const shown = displayText(this.#marks + all.slice(0, end));
    this.#text += shown.slice(this.#marks.length);
    const last = [...shown.slice(-60)];
    this.#marks = last.slice(last.findLastIndex((letter) => !mark.test(letter)) + 1).join('');
  }

  /** Marks the end of the text. */
  end(): void {
    this.#text += this.#half === '\r' ? '\n' : this.#half;
    this.#half = '';
  }

  /** Removes and returns the next piece, of at most this length. */
  next(length: number): string {
    const slice = this.#text.slice(this.#at, this.#at + Math.min(length, sliceLength));
    const part = firstLines.exec(slice)?.[0] ?? slice.slice(0, wholeCharacters(slice) || slice.length);
    this.#at += part.length;
    return part;
  }
}

/** A reply with more UTF-16 units or blocks is formatted up to there; the page would stop answering otherwise. */
const maxLength = 1_000_000;
const maxBlocks = 6_000;

/**
 * Renders Markdown while it arrives. Text is split into top-level blocks. A block that another one follows is finished
 * and is never parsed again; only the tail is. In the end, the blocks are those of the whole text parsed at once.
 */
export class MarkdownStream {
  readonly #sink: BlockSink;
  readonly #references: References = {};
  readonly #waiting = new TextQueue();
  /** Finished blocks with text in brackets, which becomes a link if any later line defines it. */
  readonly #bracketed: { readonly index: number; readonly source: string }[] = [];
  #length = 0;
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
    this.#isEnding = true;
    this.#waiting.end();
  }

  /** Whether `advance` would do anything. */
  get hasWork(): boolean {
    return !this.#waiting.isEmpty || (this.#isEnding && !this.#hasEnded);
  }

  /** Reads text until none is left or `mayContinue` returns false, and shows the result. */
  advance(mayContinue: () => boolean = () => true): void {
    for (let goesOn = true; !this.#waiting.isEmpty && goesOn; goesOn = mayContinue()) {
      if (this.#length < maxLength && !this.#isFull) {
        this.#read(this.#waiting.next(maxLength - this.#length));
      } else {
        this.#finish();
        this.#sink.showRest(this.#waiting.next(sliceLength));
      }
    }
    if (this.#isEnding && this.#waiting.isEmpty) {
      this.#finish();
    } else if (!this.#hasEnded) {
      this.#showTail();
    }
  }

  /** Whether as many blocks are finished as are shown. The text after them is in the tail. */
  get #isFull(): boolean {
    return this.#finished === maxBlocks;
  }

  #read(text: string): void {
    this.#length += text.length;
    let left: string | undefined = text;
    while (left !== undefined && left !== '' && !this.#isFull) {
      left = this.#fence === undefined ? this.#readBlocks(left) : this.#readCode(this.#fence, left);
    }
    this.#tail += left ?? '';
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
    while (this.#fence === undefined && !this.#isFull && isTooLong(this.#tail)) {
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
    if (this.#isFull) {
      return undefined;
    }
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
      blocks.slice(0, maxBlocks - this.#finished).map((block) => block.node),
    );
  }

  /** Marks blocks as finished, as many as may be shown, and removes them from the tail, which starts with `text`. */
  #finishAll(all: readonly Block[], text: string, endOfAll: number, found: References): void {
    const lineAt = lineStarts(text);
    const blocks = all.slice(0, maxBlocks - this.#finished);
    const end = blocks.length < all.length ? (lineAt[blocks.at(-1)?.endLine ?? 0] ?? 0) : endOfAll;
    for (const [offset, block] of blocks.entries()) {
      const source = text.slice(lineAt[block.firstLine], lineAt[block.endLine]);
      if (!block.isCode && source.includes('[')) {
        this.#bracketed.push({ index: this.#finished + offset, source });
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
    if (this.#hasEnded) {
      return;
    }
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
    if (this.#tail !== '') {
      // More blocks than are shown.
      this.#sink.showRest(this.#tail);
      this.#tail = '';
    }
    for (const { index, source } of countOf(this.#references) > 0 ? this.#bracketed : []) {
      const node = parseBlocks(source, this.#references).blocks[0]?.node;
      if (node !== undefined) {
        this.#sink.replace(index, node);
      }
    }
  }
}

const countOf = (references: References): number => Object.keys(references).length;

/** Whether a link definition, or a quote or list that ends with one, may take the lines after it as its title. */
function mayContinue(block: Block | undefined, next: Block, text: string, lineAt: readonly number[]): boolean {
  const lineBefore = text.slice(lineAt[next.firstLine - 1], lineAt[next.firstLine]);
  return block !== undefined && block.partLines.length > 0 && lineBefore.trim() !== '';
}
