import type { FencedCode } from '../../core/base/fencedCode.ts';
import { wholeCharacters } from '../page/wholeCharacters.ts';
import type { MarkdownNode } from './markdownNode.ts';
import { parseBlocks } from './markdownParse.ts';

/** Shows blocks, which are numbered from 0. */
export type BlockSink = {
  /** Shows finished blocks from block `from` on. Those after them stay until `show` is called. */
  settle(from: number, blocks: readonly MarkdownNode[]): void;
  /** Replaces everything from block `from` on with these blocks. */
  show(from: number, blocks: readonly MarkdownNode[]): void;
  /** Appends code to the last block, which is a code block. */
  grow(code: string): void;
  /** Appends text after the last block as it is, because there is too much of it. */
  showRest(text: string): void;
};

/** What a letter adds to the size of a text: each short line can be a block, and each pipe begins a cell. */
const sizeOfLetter = (letter = '') => (letter === '\n' ? 51 : letter === '|' ? 8 : 1);
/** Size of the text that is read at a time, so that a long one can be spread over several frames. */
const sliceSize = 3_000;
/** The rest of a larger reply is shown as it is; the page would stop answering otherwise. */
const maxSize = 1_200_000;
/** So is the rest of a reply with a larger block that is no code, because such a block is parsed again as it grows. */
const maxBlockSize = 100_000;
/** UTF-16 units of unfinished text that are parsed in each frame. More are parsed for a seventh of the time at most. */
const longTail = 8_000;

/** More marks on one letter can't be read, and drawing them takes time that grows with the square of their number. */
const marks = /([\p{M}\p{Emoji_Modifier}]{30})[\p{M}\p{Emoji_Modifier}]+/gu;

/** Text for display: line breaks are `\n`, NUL is U+FFFD, and no letter has more marks than any language needs. */
export function displayText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD').replaceAll(marks, '$1');
}

function sizeOf(text: string): number {
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    size += sizeOfLetter(text[at]);
  }
  return size;
}

/** Text that has arrived and is not read yet; no character is split. */
class TextQueue {
  #text = '';
  /** How much of `#text` has been read. */
  #at = 0;
  /** A carriage return or a high surrogate at the end, whose second half may still arrive. */
  #half = '';
  /** As much of the text that has arrived as the marks that one letter may have: more of them may follow. */
  #end = '';

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
    const shown = displayText(this.#end + all.slice(0, end));
    this.#text += shown.slice(this.#end.length);
    this.#end = shown.slice(-60);
  }

  /** Marks the end of the text. */
  end(): void {
    this.#text += this.#half === '\r' ? '\n' : this.#half;
    this.#half = '';
  }

  /** Removes and returns the next piece of at most this size; '' if not even one character fits. */
  next(size: number): string {
    let end = this.#at;
    for (let left = size; end < this.#text.length; end++) {
      left -= sizeOfLetter(this.#text[end]);
      if (left < 0) {
        break;
      }
    }
    const part = this.#text.slice(this.#at, end);
    const text = end === this.#text.length ? part : part.slice(0, wholeCharacters(part));
    this.#at += text.length;
    return text;
  }
}

/**
 * Renders Markdown while it arrives. Text is split into top-level blocks. A block that another one follows is finished
 * and is never parsed again; only the tail is. In the end, the blocks are those of the whole text parsed at once.
 */
export class MarkdownStream {
  readonly #sink: BlockSink;
  readonly #waiting = new TextQueue();
  /** Size of what may still be formatted. */
  #room = maxSize;
  /** The text that is not finished yet, from the start of its first block; empty while a fence is open. */
  #tail = '';
  #isTailShown = true;
  /** When a long tail is parsed again, on the clock of `performance.now`. */
  #restsUntil = 0;
  #finished = 0;
  #fence: FencedCode | undefined;
  #isEnding = false;
  /** Whether no more text is formatted: all has arrived, or there was too much of it. */
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

  /** Whether there is something to show, now or soon. */
  get hasWork(): boolean {
    return !this.#waiting.isEmpty || (!this.#hasEnded && (this.#isEnding || !this.#isTailShown));
  }

  /** Reads text until none is left or `mayContinue` returns false, and shows the result. */
  advance(mayContinue: () => boolean = () => true): void {
    for (let goesOn = true; !this.#waiting.isEmpty && goesOn; goesOn = mayContinue()) {
      if (this.#hasEnded) {
        this.#sink.showRest(this.#waiting.next(sliceSize));
      } else {
        this.#readSlice();
      }
    }
    if (this.#isEnding && this.#waiting.isEmpty) {
      this.#finish();
    }
    this.#showTail();
  }

  #readSlice(): void {
    const text = this.#waiting.next(Math.min(sliceSize, this.#room, maxBlockSize - sizeOf(this.#tail)));
    if (text !== '') {
      this.#room -= sizeOf(text);
      this.#read(text);
      return;
    }
    // What was not parsed for a while may have ended the block.
    const { length } = this.#tail;
    this.#finishBlocks();
    if (this.#tail.length === length) {
      this.#finish();
    }
  }

  #read(text: string): void {
    this.#isTailShown = false;
    if (this.#fence !== undefined) {
      this.#readCode(this.#fence, text);
      return;
    }
    this.#tail += text;
    if (text.includes('\n') && !this.#isResting) {
      this.#parsing(() => this.#finishBlocks());
    }
  }

  #readCode(fence: FencedCode, text: string): void {
    const { code, rest } = fence.take(text);
    if (code !== '') {
      this.#sink.grow(code);
    }
    if (rest !== undefined) {
      this.#fence = undefined;
      this.#finished += 1;
      this.#read(rest);
    }
  }

  /**
   * Finishes every block of the tail that another one follows. Only whole lines are parsed: `***` may be a rule or the
   * start of a bold word, and a row may be text or part of a table.
   */
  #finishBlocks(): void {
    const blocks = parseBlocks(this.#tail.slice(0, this.#tail.lastIndexOf('\n') + 1));
    const last = blocks.pop();
    if (last === undefined) {
      return;
    }
    this.#sink.settle(
      this.#finished,
      blocks.map(({ node }) => node),
    );
    this.#finished += blocks.length;
    const { openFence } = last;
    if (openFence === undefined) {
      this.#tail = this.#tail.slice(blocks.length === 0 ? 0 : last.start);
      return;
    }
    this.#sink.show(this.#finished, [last.node]);
    const rest = this.#tail.slice(this.#tail.lastIndexOf('\n') + 1);
    this.#tail = '';
    this.#fence = openFence;
    this.#read(rest);
  }

  /** Whether a long tail was parsed recently. */
  get #isResting(): boolean {
    return this.#tail.length > longTail && performance.now() < this.#restsUntil;
  }

  #parsing(parse: () => void): void {
    const from = performance.now();
    parse();
    const until = performance.now();
    this.#restsUntil = until + 6 * (until - from);
  }

  #showTail(): void {
    if (this.#isTailShown || this.#hasEnded || this.#isResting) {
      return;
    }
    this.#isTailShown = true;
    if (this.#fence === undefined) {
      this.#parsing(() => this.#show(showable(this.#tail), true));
    }
  }

  #show(text: string, unfinished = false): void {
    this.#sink.show(
      this.#finished,
      parseBlocks(text, unfinished).map(({ node }) => node),
    );
  }

  #finish(): void {
    if (this.#hasEnded) {
      return;
    }
    this.#hasEnded = true;
    if (this.#fence === undefined) {
      this.#show(this.#tail);
      return;
    }
    const code = this.#fence.end();
    if (code !== '') {
      this.#sink.grow(code);
    }
  }
}

/** A last line that may still become a list, a rule, a heading, a quote, a fence or the underline of a heading. */
const ambiguousLine =
  /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)?(?:[-*+_=#>|]+|\d{1,9}[.)]?|`{1,2}|`{3,}[^`]*|~{1,2}|~{3,}.*)?\s*$/;
/** A last line that may still become the checkbox of a task list item. */
const boxLine = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[(?:[ xX]?|[ xX]\]\s*)$/;
/** A last line that may still become a note, a footnote, the start or end of a part that opens, or its summary. */
const markLine = /^[\s>]*(?:\[[!^][^\s\]]{0,50}\]?|<\/?(?:[a-z]{0,7}|details>.*|summary>.*))\s*$/i;
/** The first row of what may become a table, which is held back until its delimiter row has arrived. */
const halfTable = /(?:^|(?<=(?:^|\n)(?![^\S\n]*\|).*\n))[^\S\n]*\|.*(?:\n(?:[^\S\n]*\|[ \t|:-]*)?)?$/;

/** The part of unfinished text that can already be shown: not what would look wrong for a moment, such as half a table. */
function showable(text: string): string {
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  const isUnclear = lastLine.length < 200 && [ambiguousLine, boxLine, markLine].some((line) => line.test(lastLine));
  const shown = isUnclear ? text.slice(0, text.length - lastLine.length) : text;
  return shown.replace(halfTable, '');
}
