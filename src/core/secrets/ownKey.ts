import { parseJson } from '../base/loose.ts';
import { KeyFilter, keyMark } from './keyFilter.ts';
import { KeyFinder } from './keyFinder.ts';
import { withoutKeys } from './withoutKeys.ts';

/**
 * The key of one request, to take it out of whatever the gateway answers before anything else sees that: some repeat the
 * key they were called with. Made for each request, because it holds the key.
 */
export class OwnKey {
  readonly #finder: KeyFinder;

  /** @param keys none where a request goes without one. */
  constructor(keys: readonly string[]) {
    this.#finder = new KeyFinder(keys);
  }

  /** For one text that comes in pieces. */
  filter(): KeyFilter {
    return new KeyFilter(this.#finder);
  }

  isIn(text: string): boolean {
    return this.without(text) !== text;
  }

  /** The text with a mark in place of the key. */
  without(text: string): string {
    return withoutKeys(text, this.#finder, keyMark);
  }

  /** JSON with a mark in place of the key, in texts and in names; the same text when there is none of it. */
  withoutInJson(json: string): string {
    if (!json.includes('\\') && !this.isIn(json)) {
      return json;
    }
    let out = '';
    let done = 0;
    for (let start = json.indexOf('"'); start !== -1; ) {
      const end = endOfLiteral(json, start);
      const literal = json.slice(start, end);
      const clean = this.#withoutInLiteral(literal);
      if (clean !== literal) {
        out += json.slice(done, start) + clean;
        done = end;
      }
      start = json.indexOf('"', end);
    }
    return done === 0 ? json : out + json.slice(done);
  }

  #withoutInLiteral(literal: string): string {
    if (!literal.includes('\\') && !this.isIn(literal)) {
      return literal;
    }
    const text = parseJson(literal);
    if (typeof text !== 'string') {
      // Half a text, where JSON was cut.
      return this.without(literal);
    }
    const clean = this.without(text);
    return clean === text ? literal : JSON.stringify(clean);
  }
}

/** @returns the place behind the quote that ends the text which starts there; the end of the JSON when none does. */
function endOfLiteral(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === 0x22) {
      return at + 1;
    }
    if (unit === 0x5c) {
      at++;
    }
  }
  return json.length;
}
