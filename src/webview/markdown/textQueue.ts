import { wholeCharacters } from '../page/wholeCharacters.ts';

/** UTF-16 units read at a time, so that a long text can be spread over several frames. */
const sliceLength = 2_048;
/** Lines read at a time: each short line can be a block, and a code block has many elements. */
const sliceLines = 50;

const firstLines = new RegExp(`^(?:[^\\n]*\\n){${sliceLines}}`);

/** Text that has arrived and is not read yet. Line breaks become `\n`, NUL becomes U+FFFD; no character is split. */
export class TextQueue {
  #text = '';
  /** How much of `#text` has been read. */
  #at = 0;
  /** A carriage return or a high surrogate at the end, whose second half may still arrive. */
  #half = '';

  get isEmpty(): boolean {
    return this.#at === this.#text.length;
  }

  add(text: string): void {
    const all = this.#half + text;
    const end = all.endsWith('\r') ? all.length - 1 : wholeCharacters(all);
    this.#half = all.slice(end);
    const clean = all.slice(0, end).replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');
    if (this.isEmpty) {
      this.#text = '';
      this.#at = 0;
    }
    this.#text += clean;
  }

  /** Marks the end of the text. */
  end(): void {
    this.#text += this.#half === '\r' ? '\n' : this.#half;
    this.#half = '';
  }

  /** Removes and returns the next piece. */
  next(): string {
    const slice = this.#text.slice(this.#at, this.#at + sliceLength);
    const part = firstLines.exec(slice)?.[0] ?? slice.slice(0, wholeCharacters(slice) || slice.length);
    this.#at += part.length;
    return part;
  }
}
