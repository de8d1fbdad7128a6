import { element } from '../page/dom.ts';
import { withoutLongClusters } from '../page/longCluster.ts';
import { type Paintable, paintAlong } from '../page/painter.ts';
import type { TextActions } from '../page/panelActions.ts';
import { markSkippable } from '../page/skippable.ts';
import { wholeCharacters } from '../page/wholeCharacters.ts';
import { CodeHeader } from './codeHeader.ts';
import { codeTokens } from './codeToken.ts';
import { coloured, type HighlightAnswer } from './highlighter.ts';

/** Lines in one piece of a block. Each piece is laid out on its own, so a new line never moves the ones above it. */
const chunkLines = 32;
/** Pieces in one stretch; a stretch that is far out of sight is not laid out. */
const stretchLength = 4;
/** The last stretches are laid out wherever they are: see `markSkippable`. */
const laidOutStretches = 3;
const chunkLength = 4_096;
/** A line goes on in the next piece when it is longer than this: a line is laid out whole for every letter it gets. */
const longestChunk = 8_192;
/** Code whose string or comment does not end within this is coloured as if it did. */
const groupLength = 6_000;
/** How often the last, unfinished piece is coloured anew, unless so much came in that time that it is full soon. */
const livelyMs = 200;
const fastLength = 400;

/** Colours that have come and are not drawn yet, of all blocks: they go into the frames that text is drawn in. */
const undrawn: (() => void)[] = [];
const colours: Paintable = {
  /** A few at a time, and more the more wait: laying out what they make takes longer than making it. */
  paint(mayGoOn) {
    let left = Math.ceil(undrawn.length / 3);
    try {
      do {
        undrawn.shift()?.();
      } while (--left > 0 && mayGoOn());
    } finally {
      // A bug in one block keeps no other one plain.
      if (undrawn.length > 0) {
        paintAlong(colours);
      }
    }
    return undrawn.length > 0;
  },
};

type Chunk = { readonly element: HTMLElement; text: string; lines: number; isFull: boolean };

/** A block of code with its header. It grows at its end, and its colours follow. */
export class CodeBlock {
  readonly element = element('div', 'codeBlock');
  readonly #code = element('code');
  readonly #header: CodeHeader;
  readonly #lines = element('pre', '', this.#code);
  #info = '';
  #language: string | undefined;
  #text = '';
  #chunks: Chunk[] = [];
  /** Pieces before this one have their final colours. */
  #coloured = 0;
  /** How many pieces from there have to be coloured together. */
  #group = 1;
  /** Nothing will be added to it. */
  #isFinished = false;
  /** When the last, unfinished piece was looked at, and how long the code was. */
  #lookedAt = performance.now();
  #lookedLength = 0;
  /** How long the code was whose colours are shown. */
  #drawnLength = 0;
  /** What was begun for code that is not there any more comes to nothing. */
  #generation = 0;
  #isAwaited = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(info: string, actions: TextActions) {
    this.#header = new CodeHeader(actions, { block: this.element, text: () => this.#plainText() });
    this.#lines.tabIndex = 0;
    this.#lines.dir = 'ltr';
    this.#lines.setAttribute('role', 'region');
    this.element.append(this.#header.element, this.#lines);
    this.#setInfo(info);
  }

  /** Shows this code. Code that only became longer keeps what is there. */
  update(info: string, text: string): void {
    if (info !== this.#info) {
      this.#setInfo(info);
      this.#clear();
    }
    if (text === this.#text) {
      return;
    }
    if (!text.startsWith(this.#text)) {
      this.#clear();
    }
    this.append(text.slice(this.#text.length));
  }

  append(text: string): void {
    this.#text += text;
    for (let from = 0; from < text.length; ) {
      const chunk = this.#openChunk();
      const end = fill(chunk, text, from);
      this.#add(chunk, text.slice(from, end));
      from = end;
    }
    this.#colourSoon();
  }

  /** Says that nothing will be added: its last colours can come at once. */
  finish(): void {
    if (this.#isFinished) {
      return;
    }
    this.#isFinished = true;
    if (this.#timer !== undefined) {
      this.#colour(this.#generation);
    } else if (this.#drawnLength < this.#text.length) {
      this.#colourSoon();
    }
  }

  /** Full pieces are coloured at once, the last one a few times a second until it is finished. */
  #colourSoon(): void {
    if (this.#language === undefined || this.#isAwaited) {
      return;
    }
    const isAtOnce = this.#isFinished || (this.#chunks[this.#coloured + this.#group - 1]?.isFull ?? false);
    const restMs = isAtOnce ? 0 : this.#lookedAt + livelyMs - performance.now();
    this.#isAwaited = true;
    const generation = this.#generation;
    if (restMs > 0) {
      this.#timer = setTimeout(() => this.#colour(generation), restMs);
    } else {
      this.#colour(generation);
    }
  }

  #setInfo(info: string): void {
    this.#info = info;
    const { language, label } = this.#header.show(info);
    this.#language = language;
    this.#lines.setAttribute('aria-label', `Code, ${label}`);
  }

  #plainText(): string {
    return this.#text.endsWith('\n') ? this.#text.slice(0, -1) : this.#text;
  }

  #clear(): void {
    this.#text = '';
    this.#chunks = [];
    this.#coloured = 0;
    this.#group = 1;
    this.#generation += 1;
    this.#isAwaited = false;
    this.#code.replaceChildren();
  }

  #openChunk(): Chunk {
    const last = this.#chunks.at(-1);
    if (last !== undefined && !last.isFull) {
      return last;
    }
    const chunk: Chunk = { element: element('span', 'chunk'), text: '', lines: 0, isFull: false };
    if (this.#chunks.length % stretchLength === 0) {
      this.#code.append(element('span', 'stretch'));
      markSkippable(this.#code.children, this.#code.children.length - laidOutStretches);
    }
    this.#chunks.push(chunk);
    this.#code.lastElementChild?.append(chunk.element);
    return chunk;
  }

  #add(chunk: Chunk, text: string): void {
    const drawn = withoutLongClusters(text, chunk.text);
    chunk.text += text;
    const last = chunk.element.lastChild;
    if (last instanceof Text) {
      last.appendData(drawn);
    } else {
      chunk.element.append(drawn);
    }
  }

  /**
   * Colours the next pieces. Which pieces are coloured together depends on the code alone and not on when it came, so
   * the result is the same for a block that streamed and one that was there at once.
   */
  #colour(generation: number): void {
    if (generation !== this.#generation) {
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isAwaited = false;
    const language = this.#language;
    const group = this.#chunks.slice(this.#coloured, this.#coloured + this.#group);
    const last = group.at(-1);
    if (language === undefined || last === undefined) {
      return;
    }
    const { isFull } = last;
    if (!isFull && !this.#isDue()) {
      this.#colourSoon();
      return;
    }
    const code = group.map((chunk) => chunk.text).join('');
    const { length } = this.#text;
    this.#isAwaited = true;
    const take = (answer?: HighlightAnswer) => {
      if (generation !== this.#generation) {
        return;
      }
      this.#isAwaited = false;
      const isSettled = isFull && (answer === undefined || answer.isWhole || code.length > groupLength);
      const after = this.#coloured + group.length;
      if (isFull && !isSettled && this.#chunks.length > after) {
        this.#group += 1;
        this.#colour(generation);
        return;
      }
      this.#drawnLength = length;
      const { runs } = answer ?? { runs: new Uint16Array() };
      undrawn.push(() => {
        if (generation === this.#generation) {
          paintRuns(group, runs);
        }
      });
      paintAlong(colours);
      if (isSettled) {
        this.#coloured = after;
        this.#group = 1;
      }
      if (isSettled || this.#text.length > length) {
        this.#colourSoon();
      }
    };
    // Without an answer the code stays plain. An error while it is taken goes to the host like any other of the page.
    if (code.length > 2 * groupLength) {
      take();
    } else {
      void coloured({ code, language }).then(take);
    }
  }

  /** Whether the last, unfinished piece is coloured now. */
  #isDue(): boolean {
    if (this.#isFinished) {
      return true;
    }
    const now = performance.now();
    if (now < this.#lookedAt + livelyMs) {
      return false;
    }
    const grew = this.#text.length - this.#lookedLength;
    this.#lookedAt = now;
    this.#lookedLength = this.#text.length;
    return grew <= fastLength;
  }
}

/** How far `text` goes into `chunk`, from `from` on. Counts its lines and says whether it is full. */
function fill(chunk: Chunk, text: string, from: number): number {
  const furthest = from + longestChunk - chunk.text.length;
  for (let end = text.indexOf('\n', from) + 1; end > 0 && end <= furthest; end = text.indexOf('\n', end) + 1) {
    chunk.lines += 1;
    chunk.isFull = chunk.lines >= chunkLines || chunk.text.length + end - from >= chunkLength;
    if (chunk.isFull) {
      return end;
    }
  }
  chunk.isFull = text.length >= furthest;
  if (!chunk.isFull) {
    return text.length;
  }
  return from + wholeCharacters(text.slice(from, furthest));
}

/** Puts runs of one colour into the chunks they belong to; what they do not reach is plain. */
function paintRuns(chunks: readonly Chunk[], runs: HighlightAnswer['runs']): void {
  let at = 0;
  let used = 0;
  for (const chunk of chunks) {
    const parts: (Node | string)[] = [];
    for (let from = 0; from < chunk.text.length; ) {
      const left = (runs[at] ?? Number.POSITIVE_INFINITY) - used;
      const token = codeTokens[(runs[at + 1] ?? 0) - 1];
      const text = chunk.text.slice(from, from + left);
      const drawn = withoutLongClusters(text);
      parts.push(token === undefined ? drawn : element('span', `token ${token}`, drawn));
      from += text.length;
      used += text.length;
      if (text.length === left) {
        at += 2;
        used = 0;
      }
    }
    chunk.element.replaceChildren(...parts);
  }
}
