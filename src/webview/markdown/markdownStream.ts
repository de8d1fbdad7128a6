import { lineStarts, mayGoOn } from './blockLines.ts';
import { LateLinks } from './lateLinks.ts';
import { cutLongBlock, joined, type LongBlock } from './longBlock.ts';
import { LongLine } from './longLine.ts';
import { blockWindow, fillsWindow } from './markdownLimits.ts';
import type { MarkdownNode } from './markdownNode.ts';
import { parseBlocks, type References } from './markdownParse.ts';
import { type OpenFence, openFence } from './openFence.ts';
import { TextQueue } from './textQueue.ts';
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

/**
 * Renders Markdown while it arrives. Text is cut into top-level blocks; a block that another one follows is finished
 * and never parsed again, only the tail is. In the end the blocks are those of the whole text parsed at once.
 */
export class MarkdownStream {
  readonly #sink: BlockSink;
  readonly #references: References = {};
  readonly #lateLinks = new LateLinks();
  readonly #waiting = new TextQueue();
  #tail = '';
  #shownTail = '';
  #finished = 0;
  #fence: OpenFence | undefined;
  #line: LongLine | undefined;
  /** The beginning of the tail's block, when that has become long; the tail is what follows. */
  #long: LongBlock | undefined;
  #isEnding = false;
  #hasEnded = false;

  constructor(sink: BlockSink) {
    this.#sink = sink;
  }

  /** Takes more text; nothing is shown before `advance`. */
  append(text: string): void {
    this.#waiting.add(text);
  }

  /** Says that no more text will come. */
  end(): void {
    if (this.#isEnding) {
      return;
    }
    this.#isEnding = true;
    this.#waiting.end();
  }

  /** Whether `advance` would do something. */
  get hasWork(): boolean {
    return (
      !this.#waiting.isEmpty || (this.#isEnding && !this.#hasEnded) || (this.#hasEnded && !this.#lateLinks.isEmpty)
    );
  }

  /** Works until nothing is left or `mayGoOn` says no, and shows the result. */
  advance(mayGoOn: () => boolean = () => true): void {
    let goesOn = true;
    while (!this.#waiting.isEmpty && goesOn) {
      this.#read(this.#waiting.next());
      goesOn = mayGoOn();
    }
    if (!this.#waiting.isEmpty || !this.#isEnding) {
      this.#showTail();
      return;
    }
    if (!this.#hasEnded) {
      this.#finish();
    }
    while (!this.#lateLinks.isEmpty && mayGoOn()) {
      this.#mend();
    }
  }

  #read(text: string): void {
    let left = text;
    while (left !== '') {
      if (this.#fence === undefined) {
        left = this.#line === undefined ? this.#readBlocks(left) : this.#readLine(this.#line, left);
      } else {
        const { code, rest } = this.#fence.take(left);
        if (code !== '') {
          this.#sink.grow(code);
        }
        if (rest === undefined) {
          return;
        }
        this.#fence = undefined;
        this.#finished += 1;
        left = rest;
      }
    }
  }

  /** Takes as much as may be looked at as one block; returns what is still to be taken. */
  #readBlocks(text: string): string {
    const all = this.#whole + text;
    const seen = all.slice(0, blockWindow(all));
    this.#tail = seen.slice(this.#long?.source.length);
    const code = text.includes('\n') ? this.#settleBlocks() : '';
    if (this.#fence === undefined && this.#whole === seen && fillsWindow(seen)) {
      this.#cutBlock();
    }
    if (this.#line === undefined) {
      return code + all.slice(seen.length);
    }
    this.#tail = '';
    return all;
  }

  /** What is not finished yet, from the beginning of its first block. */
  get #whole(): string {
    return (this.#long?.source ?? '') + this.#tail;
  }

  /** Ends a block that is too long to be read as one, at the end of a line; a line that long is not read at all. */
  #cutBlock(): void {
    this.#mendLong();
    const complete = this.#tail.slice(0, this.#tail.lastIndexOf('\n') + 1);
    if (complete === '') {
      this.#line = new LongLine();
      return;
    }
    const lineAt = lineStarts(complete);
    const [block] = parseBlocks(complete, this.#references).blocks;
    const cutLine = block?.isContainer ? (block.partLines?.at(-1) ?? 0) : 0;
    const head = cutLine > (block?.firstLine ?? 0) ? complete.slice(0, lineAt[cutLine]) : complete;
    const { blocks, found } = parseBlocks(head, this.#references);
    this.#lateLinks.remember(this.#finished, blocks, head, lineAt, found);
    this.#finishBlocks(blocks.map((block) => block.node));
    this.#keepDefinitions(head, found);
    this.#tail = this.#tail.slice(head.length);
  }

  #readLine(line: LongLine, text: string): string {
    const { full, rest } = line.take(text);
    this.#finishBlocks(full);
    if (rest !== undefined) {
      this.#line = undefined;
    }
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
    if (this.#long !== undefined && this.#growsLong(this.#long)) {
      return '';
    }
    const complete = this.#tail.slice(0, this.#tail.lastIndexOf('\n') + 1);
    const { blocks, found } = parseBlocks(complete, this.#references);
    const last = blocks.at(-1);
    if (last === undefined) {
      return '';
    }
    const lineAt = lineStarts(complete);
    const open = blocks.findIndex((block) => block === last || mayGoOn(block, complete, lineAt));
    const fence = blocks[open] === last ? openFence(last, complete, lineAt) : undefined;
    if (fence === undefined && open === 0) {
      if (blocks.length === 1) {
        this.#cut(cutLongBlock(last, complete, lineAt, this.#references), 0);
      }
      return '';
    }

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

  /** Whether the tail is still the rest of a long block; else it is the whole of that block and more. */
  #growsLong(long: LongBlock): boolean {
    const complete = long.prefix + this.#tail.slice(0, this.#tail.lastIndexOf('\n') + 1);
    const [rest, ...more] = parseBlocks(complete, this.#references).blocks;
    const node = more.length === 0 ? joined(long, rest) : undefined;
    if (node === undefined) {
      this.#mendLong();
      return false;
    }
    if (rest !== undefined) {
      const cut = cutLongBlock({ ...rest, node }, complete, lineStarts(complete), this.#references, long);
      this.#cut(cut, long.source.length);
    }
    return true;
  }

  /** `before`: how much of the block was cut off already. */
  #cut(long: LongBlock | undefined, before: number): void {
    if (long === undefined || long === this.#long) {
      return;
    }
    this.#long = long;
    this.#tail = this.#tail.slice(long.source.length - before);
    this.#shownTail = '';
  }

  #mendLong(): void {
    this.#tail = this.#whole;
    this.#long = undefined;
    this.#shownTail = '';
  }

  #keepDefinitions(text: string, found: References): void {
    if (Object.keys(found).length > 0) {
      Object.assign(this.#references, parseBlocks(text, this.#references).found);
    }
  }

  #showTail(): void {
    if (this.#fence !== undefined) {
      return;
    }
    if (this.#line !== undefined) {
      this.#sink.show(this.#finished, this.#line.open);
      return;
    }
    const text = showable((this.#long?.prefix ?? '') + this.#tail);
    if (text === this.#shownTail) {
      return;
    }
    this.#shownTail = text;
    const { blocks } = parseBlocks(text, this.#references, true);
    const [first, ...more] = blocks;
    const whole = this.#long === undefined ? first?.node : joined(this.#long, first);
    if (this.#long !== undefined && whole === undefined) {
      this.#mendLong();
      this.#showTail();
      return;
    }
    this.#sink.show(this.#finished, whole === undefined ? [] : [whole, ...more.map((block) => block.node)]);
    // A paragraph may be long without a single line break.
    if (first?.isParagraph && more.length === 0) {
      this.#cut(cutLongBlock(first, text, [], this.#references, this.#long), this.#long?.source.length ?? 0);
    }
  }

  #finish(): void {
    this.#hasEnded = true;
    this.#mendLong();
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
      if (code !== '') {
        this.#sink.grow(code);
      }
      this.#fence = undefined;
    }
    this.#tail = '';
    this.#lateLinks.settle(this.#references);
  }

  #mend(): void {
    const late = this.#lateLinks.next(this.#references);
    if (late !== undefined) {
      this.#sink.replace(late.index, late.node);
    }
  }
}
