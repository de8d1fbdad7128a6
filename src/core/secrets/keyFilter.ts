import type { KeyFinder } from './keyFinder.ts';
import { type Unescaped, unescaped } from './unescaped.ts';

/** Stands in a text in place of a key. */
export const keyMark = '[key removed]';
/**
 * Of a run inside of a word so much stays: almost every word ends as some part of a key does, and none of it has to wait
 * for what follows.
 */
const stays = 2;

type Read = (raw: string, isWhole: boolean) => Unescaped;

/**
 * Takes keys out of a text that comes in pieces. Held back is only an end that may begin a key; the text that comes out
 * is the same however it is cut.
 */
export class KeyFilter {
  /** As it is first: read with escapes, what stands before a key can change how the key begins. */
  readonly #asItIs: Pass;
  readonly #withEscapes: Pass;

  constructor(finder: KeyFinder) {
    this.#asItIs = new Pass(finder, (raw) => ({ text: raw, placeOf: (at) => at }));
    this.#withEscapes = new Pass(finder, unescaped);
  }

  /** @returns what can be shown by now. */
  push(piece: string): string {
    return this.#withEscapes.feed(this.#asItIs.feed(piece, false), false);
  }

  /** The text is over. @returns what was held back. */
  end(): string {
    return this.#withEscapes.feed(this.#asItIs.feed('', true), true);
  }
}

class Pass {
  readonly #finder: KeyFinder;
  readonly #read: Read;
  /** What was read of the run that the text ended with, and of an escape that was only begun. */
  #kept = '';
  /** How much of it was given out already. */
  #given = 0;
  /** It began inside of a word. */
  #isInWord = false;
  /** It is a key, and its mark was given out. */
  #isKey = false;

  constructor(finder: KeyFinder, read: Read) {
    this.#finder = finder;
    this.#read = read;
  }

  feed(piece: string, isLast: boolean): string {
    const raw = this.#kept + piece;
    if (raw === '') {
      return '';
    }
    const { text, placeOf } = this.#read(raw, isLast);
    let from = 0;
    let out = '';
    let given = this.#given;
    if (this.#isKey) {
      from = this.#finder.reach(text, 0);
      if (from === text.length && !isLast) {
        this.#kept = raw;
        return '';
      }
      given = placeOf(from);
      this.#isKey = false;
    }
    for (let span = this.#finder.next(text, from); span !== undefined; span = this.#finder.next(text, from)) {
      const start = span.start + (this.#isInside(text, span.start) ? stays : 0);
      out += raw.slice(given, placeOf(start)) + keyMark;
      from = span.end;
      given = placeOf(from);
      if (from === text.length && !isLast) {
        this.#kept = raw.slice(placeOf(span.start));
        this.#isKey = true;
        return out;
      }
    }
    const start = isLast ? text.length : this.#finder.tail(text, from);
    const ready = Math.max(given, placeOf(this.#firstHeld(text, start)));
    out = given === 0 && ready === raw.length ? raw : out + raw.slice(given, ready);
    this.#isInWord = this.#isInside(text, start);
    this.#kept = raw.slice(placeOf(start));
    this.#given = ready - placeOf(start);
    return out;
  }

  /** The first place that a key may begin at which starts there or behind it, and so has to be held back. */
  #firstHeld(text: string, start: number): number {
    const first = !this.#isInside(text, start) ? start : !this.#isInside(text, start + 1) ? start + 1 : start + stays;
    return Math.min(text.length, first);
  }

  #isInside(text: string, at: number): boolean {
    return at === 0 ? this.#isInWord : isWordUnit(text.charCodeAt(at - 1));
  }
}

/** A letter or a digit of ASCII. */
function isWordUnit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a);
}
