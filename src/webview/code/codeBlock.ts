import * as l10n from '@vscode/l10n';
import { element } from '../page/dom.ts';
import { requestPaint } from '../page/painter.ts';
import { markSkippable } from '../page/skippable.ts';
import { wholeCharacters } from '../page/wholeCharacters.ts';
import { codeHeader, codes, factsOf } from './codeHeader.ts';
import type { CodeRun } from './highlight.ts';
import { colourCode } from './highlighter.ts';

/** Lines in one chunk of a block. Each chunk is laid out on its own, so a new line never moves the ones above it. */
const chunkLines = 32;
/** Chunks in one stretch. A stretch is not laid out while it is far off screen. */
const chunksPerStretch = 4;
/** Number of stretches at the end that are always laid out: see `markSkippable`. */
const laidOutStretches = 3;
/** A chunk ends at the first line break after this many UTF-16 units. */
const chunkLength = 4_096;
/** Maximum UTF-16 units in a chunk. A longer line is split, because every addition lays out the whole line again. */
const maxChunkLength = 8_192;
/** UTF-16 units that are colored together. After them, an open string or comment counts as ended. */
const maxColoured = 12_000;
/** Milliseconds between two colorings of a block that still grows. */
const unfinishedMs = 200;

type Chunk = {
  readonly element: HTMLElement;
  text: string;
  lines: number;
  isFull: boolean;
  /** The kind and the length of each run that it shows. */
  drawn: readonly string[];
};

/** A code block with its header. Code is appended at the end and is colored later. */
export class CodeBlock {
  readonly element = element('div', 'codeBlock');
  readonly #code = element('code');
  readonly #lines = element('pre', '', this.#code);
  readonly #language: string | undefined;
  #text = '';
  readonly #chunks: Chunk[] = [];
  /** Chunks before this index have their final colors. */
  #coloured = 0;
  /** Whether no more code will be added. */
  #isFinished = false;
  /** Whether there is code whose colors were not requested yet. */
  #isWaiting = false;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #isAwaited = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(info: string) {
    const { language, label } = factsOf(info);
    this.#language = language;
    this.element.dataset.vscodeContext = '{"webviewSection":"code"}';
    codes.set(this.element, () => ({ fence: info.slice(0, 1_000), text: this.#plainText() }));
    const name = l10n.t('Code, {0}', label);
    // *Next Code Block* leads here and not to the lines, so that Tab comes to the buttons above them.
    this.element.tabIndex = -1;
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', name);
    this.#lines.tabIndex = 0;
    this.#lines.dir = 'ltr';
    this.#lines.setAttribute('role', 'region');
    this.#lines.setAttribute('aria-label', name);
    this.element.append(codeHeader(label), this.#lines);
  }

  append(text: string): void {
    this.#text += text;
    for (let from = 0; from < text.length; ) {
      const chunk = this.#openChunk();
      const end = fill(chunk, text, from);
      this.#add(chunk, text.slice(from, end));
      from = end;
      this.#isWaiting = true;
    }
    this.#colourSoon();
  }

  /** Marks the end of the code, so that its last chunk is colored at once. */
  finish(): void {
    this.#isFinished = true;
    this.#colourSoon();
  }

  /** Colors a block that has ended at once, and one that grows a few times a second. */
  #colourSoon(): void {
    clearTimeout(this.#timer);
    const language = this.#language;
    if (language === undefined || this.#isAwaited || !this.#isWaiting) {
      return;
    }
    const delayMs = this.#isFinished ? 0 : this.#drawnAt + unfinishedMs - performance.now();
    if (delayMs > 0) {
      this.#timer = setTimeout(() => void this.#colour(language), delayMs);
    } else {
      void this.#colour(language);
    }
  }

  #plainText(): string {
    return this.#text.endsWith('\n') ? this.#text.slice(0, -1) : this.#text;
  }

  #openChunk(): Chunk {
    const last = this.#chunks.at(-1);
    if (last !== undefined && !last.isFull) {
      return last;
    }
    const chunk: Chunk = { element: element('span', 'chunk'), text: '', lines: 0, isFull: false, drawn: [] };
    if (this.#chunks.length % chunksPerStretch === 0) {
      this.#code.append(element('span', 'stretch'));
      markSkippable(this.#code.children, this.#code.children.length - laidOutStretches);
    }
    this.#chunks.push(chunk);
    this.#code.lastElementChild?.append(chunk.element);
    return chunk;
  }

  #add(chunk: Chunk, text: string): void {
    chunk.text += text;
    const last = chunk.element.lastChild;
    if (last instanceof Text) {
      last.appendData(text);
    } else {
      chunk.element.append(text);
    }
  }

  /** Colors the next chunks. They are settled if no string or comment is open at their end, or if others follow. */
  async #colour(language: string): Promise<void> {
    let length = 0;
    const group = this.#chunks.slice(this.#coloured).filter(({ text }) => {
      length += text.length;
      return length <= maxColoured;
    });
    const isLast = this.#coloured + group.length === this.#chunks.length;
    const isFull = group.at(-1)?.isFull ?? false;
    const code = group.map((chunk) => chunk.text).join('');
    this.#isAwaited = true;
    this.#isWaiting = !isLast;
    // Without a response the code stays plain. An error while drawing is reported like any other error of the page.
    const response = await colourCode({ code, language });
    const drawing = paintRuns(group, response?.runs ?? []);
    await new Promise<void>((resolve) => {
      requestPaint({
        paint(mayContinue) {
          while (drawing.next().done !== true) {
            if (!mayContinue()) {
              return true;
            }
          }
          resolve();
          return false;
        },
      });
    });
    this.#isAwaited = false;
    this.#drawnAt = performance.now();
    if (!isLast || (isFull && response?.isWhole !== false)) {
      this.#coloured += group.length;
    }
    this.#colourSoon();
  }
}

/** @returns where the part of `text` ends that fits into `chunk`, from `from` on. Updates its `lines` and `isFull`. */
function fill(chunk: Chunk, text: string, from: number): number {
  const furthest = from + maxChunkLength - chunk.text.length;
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

/** Draws colored runs into the chunks they belong to; code after the last run is plain. Yields after each chunk. */
function* paintRuns(chunks: readonly Chunk[], runs: readonly CodeRun[]): Generator<undefined, void> {
  let at = 0;
  let used = 0;
  for (const chunk of chunks) {
    const parts: (readonly [token: string | undefined, text: string])[] = [];
    for (let from = 0; from < chunk.text.length; ) {
      const run = runs[at];
      const left = run === undefined ? chunk.text.length : run.text.length - used;
      const text = chunk.text.slice(from, from + left);
      parts.push([run?.token, text]);
      from += text.length;
      used += text.length;
      if (text.length === left) {
        at += 1;
        used = 0;
      }
    }
    const drawn = parts.map(([token = '', text]) => `${token} ${text.length}`);
    const changed = drawn.findIndex((run, index) => run !== chunk.drawn[index]);
    // A block that grows is colored again and again, and most of it stays the same, also a selection in it.
    if (changed !== -1) {
      // The last run, because code was added to it or after it.
      const first = Math.max(0, Math.min(changed, chunk.drawn.length - 1));
      chunk.drawn = drawn;
      for (const node of [...chunk.element.childNodes].slice(first)) {
        node.remove();
      }
      const made = parts
        .slice(first)
        .map(([token, text]) => (token === undefined ? text : element('span', `token ${token}`, text)));
      chunk.element.append(...made);
      yield;
    }
  }
}
