import type { KeyFinder } from './keyFinder.ts';
import { type Unescaped, unescaped } from './unescaped.ts';

/** Replaces a key in a text. */
export const keyMark = '[key removed]';
/**
 * When a run starts inside a word, this many of its characters are shown. Almost every word ends in characters that
 * also occur in some key; because they are shown, ordinary words are never held back.
 */
const shownInWord = 2;

type Read = (raw: string, isWhole: boolean) => Unescaped;

/**
 * Removes keys from a text that arrives in pieces. Holds back only an end that may be the start of a key. The result
 * doesn't depend on where the text was cut.
 */
export class KeyFilter {
  /** Runs first: once escapes are resolved, the text before a key can change how the key begins. */
  readonly #literal: Pass;
  readonly #withEscapes: Pass;

  constructor(finder: KeyFinder) {
    this.#literal = new Pass(finder, (raw) => ({ text: raw, placeOf: (at) => at }));
    this.#withEscapes = new Pass(finder, unescaped);
  }

  /** @returns the text that can be shown so far. */
  push(piece: string): string {
    return this.#withEscapes.feed(this.#literal.feed(piece, false), false);
  }

  /** Ends the text. @returns what was held back. */
  end(): string {
    return this.#withEscapes.feed(this.#literal.feed('', true), true);
  }
}

/** Removes keys from one reading of the text: literal, or with its escapes resolved. */
class Pass {
  readonly #finder: KeyFinder;
  readonly #read: Read;
  /** The run that the text ended with so far, and an unfinished escape, both as received. */
  #held = '';
  /** How much of `#held` was returned already. */
  #given = 0;
  /** `#held` begins inside a word. */
  #isInWord = false;
  /** `#held` is a key whose mark was returned already. */
  #isKey = false;

  constructor(finder: KeyFinder, read: Read) {
    this.#finder = finder;
    this.#read = read;
  }

  feed(piece: string, isLast: boolean): string {
    const raw = this.#held + piece;
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
        this.#held = raw;
        return '';
      }
      given = placeOf(from);
      this.#isKey = false;
    }
    for (let span = this.#finder.next(text, from); span !== undefined; span = this.#finder.next(text, from)) {
      const start = span.start + (this.#isInside(text, span.start) ? shownInWord : 0);
      out += raw.slice(given, placeOf(start)) + keyMark;
      from = span.end;
      given = placeOf(from);
      if (from === text.length && !isLast) {
        this.#held = raw.slice(placeOf(span.start));
        this.#isKey = true;
        return out;
      }
    }
    const start = isLast ? text.length : this.#finder.tail(text, from);
    const ready = Math.max(given, placeOf(this.#firstHeld(text, start)));
    out = given === 0 && ready === raw.length ? raw : out + raw.slice(given, ready);
    this.#isInWord = this.#isInside(text, start);
    this.#held = raw.slice(placeOf(start));
    this.#given = ready - placeOf(start);
    return out;
  }

  /** The first place at or after `start` where a key may begin; the text is held back from there. */
  #firstHeld(text: string, start: number): number {
    const first = !this.#isInside(text, start)
      ? start
      : !this.#isInside(text, start + 1)
        ? start + 1
        : start + shownInWord;
    return Math.min(text.length, first);
  }

  #isInside(text: string, at: number): boolean {
    return at === 0 ? this.#isInWord : isWordUnit(text.charCodeAt(at - 1));
  }
}

/** An ASCII letter or digit. */
function isWordUnit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a);
}
