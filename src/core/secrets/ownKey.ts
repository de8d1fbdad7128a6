import { parseJson } from '../base/loose.ts';
import { KeyFilter, keyMark } from './keyFilter.ts';
import { KeyFinder } from './keyFinder.ts';
import { withoutKeys } from './withoutKeys.ts';

/**
 * Removes the key of a request from its response before any other code reads the response: some gateways repeat the
 * key they were called with. Created for each request, because it holds the key.
 */
export class OwnKey {
  readonly #finder: KeyFinder;

  /** @param keys empty when the request is sent without a key. */
  constructor(keys: readonly string[]) {
    this.#finder = new KeyFinder(keys);
  }

  /** @returns a filter for one text that arrives in pieces. */
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

  /** JSON with a mark in place of the key, in strings and names; the same text when the key isn't in it. */
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
      // An incomplete string, where the JSON was cut.
      return this.without(literal);
    }
    const clean = this.without(text);
    return clean === text ? literal : JSON.stringify(clean);
  }
}

/** @returns the place after the closing quote of the string at `start`; the JSON's length when none closes it. */
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
