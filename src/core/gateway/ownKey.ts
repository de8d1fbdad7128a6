import { KeyFilter, keyMark } from './keyFilter.ts';
import { KeyFinder } from './keyFinder.ts';
import { parseJson } from './loose.ts';
import { withoutKeys } from './withoutKeys.ts';

/** A word such as `ollama` or `not-needed`: servers that check no key take any, and it is no secret. */
const word = /^(?=.{1,11}$)(?!(?:sk|pk|rk)-)(?:[a-z]+(?:[-_][a-z]+)*|[A-Z]+(?:[-_][A-Z]+)*)$/;

/**
 * The key of one request, to take it out of whatever the gateway answers before anything else sees that: some repeat the
 * key they were called with. Made for each request, because it holds the key.
 */
export class OwnKey {
  readonly #finder: KeyFinder;

  /** @param keys none where a request goes without one. */
  constructor(keys: readonly string[]) {
    this.#finder = new KeyFinder(keys.filter((key) => !word.test(key)));
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
    return json.replace(/"(?:[^"\\]|\\.?)*(?:"|$)/gs, (literal) => this.#withoutInLiteral(literal));
  }

  #withoutInLiteral(literal: string): string {
    const text = parseJson(literal);
    if (typeof text !== 'string') {
      // Half a text, where JSON was cut.
      return this.without(literal);
    }
    const clean = this.without(text);
    return clean === text ? literal : JSON.stringify(clean);
  }
}
