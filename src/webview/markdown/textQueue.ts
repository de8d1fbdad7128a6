import { wholeCharacters } from '../page/wholeCharacters.ts';
import { lineStarts } from './blockLines.ts';

/** So much is read at a time, so that a long text can be spread over several frames. */
const sliceLength = 2_048;
/** Short lines can be a block each, and a block of code is a lot of page. */
const sliceLines = 50;

const needsCleaning = /[\r\0]/;

/** Text that has come and is not read yet, with line breaks as Markdown knows them. No character is read by halves. */
export class TextQueue {
  readonly #waiting: string[] = [];
  #waitingAt = 0;
  /** The end of what came so far: a carriage return is half a line break or a whole one, a surrogate half a character. */
  #half = '';

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(text: string): void {
    if (text === '') {
      return;
    }
    if (this.#half === '' && !needsCleaning.test(text) && wholeCharacters(text) === text.length) {
      this.#waiting.push(text);
      return;
    }
    const all = this.#half + text;
    const end = all.endsWith('\r') ? all.length - 1 : wholeCharacters(all);
    this.#half = all.slice(end);
    const clean = all.slice(0, end).replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');
    if (clean !== '') {
      this.#waiting.push(clean);
    }
  }

  /** Nothing more will come. */
  end(): void {
    if (this.#half !== '') {
      this.#waiting.push(this.#half === '\r' ? '\n' : this.#half);
    }
    this.#half = '';
  }

  /** Takes the next piece to be read. */
  next(): string {
    let slice = '';
    while (slice.length < sliceLength) {
      const first = this.#waiting[0];
      if (first === undefined) {
        break;
      }
      const left = first.slice(this.#waitingAt, this.#waitingAt + sliceLength - slice.length);
      const isEnd = this.#waitingAt + left.length === first.length;
      const part = isEnd ? left : left.slice(0, wholeCharacters(left));
      slice += part;
      this.#waitingAt += part.length;
      if (this.#waitingAt < first.length) {
        break;
      }
      this.#waiting.shift();
      this.#waitingAt = 0;
    }
    const end = lineStarts(slice)[sliceLines] ?? slice.length;
    if (end < slice.length) {
      this.#putBack(slice.slice(end));
    }
    return slice.slice(0, end);
  }

  #putBack(text: string): void {
    const first = this.#waiting[0];
    if (first !== undefined) {
      this.#waiting[0] = first.slice(this.#waitingAt);
    }
    this.#waitingAt = 0;
    this.#waiting.unshift(text);
  }
}
