import { lineStarts, mayGoOn } from './blockLines.ts';
import { LateLinks } from './lateLinks.ts';
import { LongLine } from './longLine.ts';
import { blockWindow, fillsWindow } from './markdownLimits.ts';
import type { MarkdownNode } from './markdownNode.ts';
import { parseBlocks, type References } from './markdownParse.ts';
import { type OpenFence, openFence } from './openFence.ts';
import { showable } from './unfinished.ts';

/** Where blocks are shown. Blocks are numbered from 0; a block below the last `from` is finished. */
export type BlockSink = {
  /** Shows these blocks in place of everything from block `from` on. */
  show(from: number, blocks: readonly MarkdownNode[]): void;
  /** Adds code to the last block, which is a code block. */
  grow(code: string): void;
  /** Shows a finished block anew, because a link it names was defined later. */
  replace(index: number, block: MarkdownNode): void;
};

/** So much is read at a time, so that a long text can be spread over several frames. */
const sliceLength = 2_048;
/** Short lines can be a block each, and a block of code is a lot of page. */
const sliceLines = 150;

const needsCleaning = /[\r\0]/;

/**
 * Renders Markdown while it arrives. Text is cut into top-level blocks; a block that another one follows is finished
 * and never parsed again, only the tail is. In the end the blocks are those of the whole text parsed at once.
 */
export class MarkdownStream {
  readonly #sink: BlockSink;
  readonly #references: References = {};
  readonly #lateLinks = new LateLinks();
  #waiting: string[] = [];
  #waitingAt = 0;
  /** Carriage return at the end of what came: half a line break or a whole one. */
  #halfBreak = false;
  #tail = '';
  #shownTail = '';
  #finished = 0;
  #fence: OpenFence | undefined;
  #line: LongLine | undefined;
  #isEnding = false;
  #hasEnded = false;

  constructor(sink: BlockSink) {
    this.#sink = sink;
  }

  /** Takes more text; nothing is shown before `advance`. */
  append(text: string): void {
    if (text === '') return;
    if (!this.#halfBreak && !needsCleaning.test(text)) {
      this.#waiting.push(text);
      return;
    }
    const whole = this.#halfBreak ? `\r${text}` : text;
    this.#halfBreak = whole.endsWith('\r');
    const clean = (this.#halfBreak ? whole.slice(0, -1) : whole).replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');
    if (clean !== '') this.#waiting.push(clean);
  }

  /** Says that no more text will come. */
  end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (this.#halfBreak) this.#waiting.push('\n');
    this.#halfBreak = false;
  }

  /** Whether `advance` would do something. */
  get hasWork(): boolean {
    return (
      this.#waiting.length > 0 || (this.#isEnding && !this.#hasEnded) || (this.#hasEnded && !this.#lateLinks.isEmpty)
    );
  }

  /** Works until nothing is left or `mayGoOn` says no, and shows the result. */
  advance(mayGoOn: () => boolean = () => true): void {
    let goesOn = true;
    while (this.#waiting.length > 0 && goesOn) {
      this.#read(this.#nextSlice());
      goesOn = mayGoOn();
    }
    if (this.#waiting.length > 0 || !this.#isEnding) {
      this.#showTail();
      return;
    }
    if (!this.#hasEnded) this.#finish();
    while (!this.#lateLinks.isEmpty && mayGoOn()) this.#mend();
  }

  #nextSlice(): string {
    let slice = '';
    while (slice.length < sliceLength) {
      const first = this.#waiting[0];
      if (first === undefined) break;
      const part = first.slice(this.#waitingAt, this.#waitingAt + sliceLength - slice.length);
      slice += part;
      this.#waitingAt += part.length;
      if (this.#waitingAt < first.length) break;
      this.#waiting.shift();
      this.#waitingAt = 0;
    }
    const end = lineStarts(slice)[sliceLines] ?? slice.length;
    if (end === slice.length) return slice;
    const first = this.#waiting[0];
    if (first !== undefined) this.#waiting[0] = first.slice(this.#waitingAt);
    this.#waitingAt = 0;
    this.#waiting.unshift(slice.slice(end));
    return slice.slice(0, end);
  }

  #read(text: string): void {
    let left = text;
    while (left !== '') {
      if (this.#fence === undefined) {
        left = this.#line === undefined ? this.#readBlocks(left) : this.#readLine(this.#line, left);
      } else {
        const { code, rest } = this.#fence.take(left);
        if (code !== '') this.#sink.grow(code);
        if (rest === undefined) return;
        this.#fence = undefined;
        this.#finished += 1;
        left = rest;
      }
    }
  }

  /** Takes as much as may be looked at as one block; returns what is still to be taken. */
  #readBlocks(text: string): string {
    const all = this.#tail + text;
    const seen = all.slice(0, blockWindow(all));
    this.#tail = seen;
    const code = text.includes('\n') ? this.#settleBlocks() : '';
    if (this.#fence === undefined && this.#tail === seen && fillsWindow(seen)) this.#cutBlock();
    if (this.#line === undefined) return code + all.slice(seen.length);
    this.#tail = '';
    return all;
  }

  /** Ends a block that is too long to be read as one, at the end of a line; a line that long is not read at all. */
  #cutBlock(): void {
    const complete = this.#tail.slice(0, this.#tail.lastIndexOf('\n') + 1);
    if (complete === '') {
      this.#line = new LongLine();
      return;
    }
    const lineAt = lineStarts(complete);
    const cutLine = parseBlocks(complete, this.#references).blocks[0]?.cutLine;
    const head = cutLine === undefined ? complete : complete.slice(0, lineAt[cutLine]);
    const { blocks, found } = parseBlocks(head, this.#references);
    this.#lateLinks.remember(this.#finished, blocks, head, lineAt, found);
    this.#finishBlocks(blocks.map((block) => block.node));
    this.#keepDefinitions(head, found);
    this.#tail = this.#tail.slice(head.length);
  }

  #readLine(line: LongLine, text: string): string {
    const { full, rest } = line.take(text);
    this.#finishBlocks(full);
    if (rest !== undefined) this.#line = undefined;
    return rest ?? '';
  }

  #finishBlocks(blocks: readonly MarkdownNode[]): void {
    this.#shownTail = '';
    this.#sink.show(this.#finished, blocks);
    this.#finished += blocks.length;
  }

  /**
   * Finishes every block of the tail that another one follows. Only whole lines are looked at: `***` may be a rule or
   * the start of a bold word, a row may be text or a table. Returns what an open fence has still to take.
   */
  #settleBlocks(): string {
    const complete = this.#tail.slice(0, this.#tail.lastIndexOf('\n') + 1);
    const { blocks, found } = parseBlocks(complete, this.#references);
    const last = blocks.at(-1);
    if (last === undefined) return '';
    const lineAt = lineStarts(complete);
    const open = blocks.findIndex((block) => block === last || mayGoOn(block, complete, lineAt));
    const fence = blocks[open] === last ? openFence(last, complete, lineAt) : undefined;
    if (fence === undefined && open === 0) return '';

    const settled = blocks.slice(0, open);
    const end = lineAt[settled.at(-1)?.endLine ?? 0] ?? complete.length;
    this.#shownTail = '';
    this.#sink.show(
      this.#finished,
      blocks.map((block) => block.node),
    );
    this.#lateLinks.remember(this.#finished, settled, complete, lineAt, found);
    this.#finished += settled.length;
    if (fence === undefined) {
      this.#keepDefinitions(complete.slice(0, end), found);
      this.#tail = this.#tail.slice(end);
      return '';
    }
    this.#keepDefinitions(complete.slice(0, lineAt[last.firstLine]), found);
    this.#fence = fence;
    const rest = this.#tail.slice(complete.length);
    this.#tail = '';
    return rest;
  }

  #keepDefinitions(text: string, found: References): void {
    if (Object.keys(found).length > 0) Object.assign(this.#references, parseBlocks(text, this.#references).found);
  }

  #showTail(): void {
    if (this.#fence !== undefined) return;
    if (this.#line !== undefined) {
      this.#sink.show(this.#finished, this.#line.open);
      return;
    }
    const text = showable(this.#tail);
    if (text === this.#shownTail) return;
    this.#shownTail = text;
    this.#sink.show(
      this.#finished,
      parseBlocks(text, this.#references, true).blocks.map((block) => block.node),
    );
  }

  #finish(): void {
    this.#hasEnded = true;
    if (this.#line !== undefined) {
      this.#finishBlocks(this.#line.open);
    } else if (this.#fence === undefined) {
      const { blocks, found } = parseBlocks(this.#tail, this.#references);
      this.#sink.show(
        this.#finished,
        blocks.map((block) => block.node),
      );
      Object.assign(this.#references, found);
    } else {
      const code = this.#fence.end();
      if (code !== '') this.#sink.grow(code);
      this.#fence = undefined;
    }
    this.#tail = '';
    this.#lateLinks.settle(this.#references);
  }

  #mend(): void {
    const late = this.#lateLinks.next(this.#references);
    if (late !== undefined) this.#sink.replace(late.index, late.node);
  }
}
