import { isRecord } from '../base/loose.ts';
import { runToEnd, type Steps } from '../base/runInSlices.ts';
import { isPlainWord, isSecret, isShort, KeyFinder } from './keyFinder.ts';
import { withoutKeys } from './withoutKeys.ts';

/** What is sent and stored in place of a connection's key. Like masks, it is a name in most programming languages. */
export const removedKey = 'REMOVED_CONNECTION_KEY';
/** A long text is searched in blocks of this size, in UTF-16 units. */
const blockChars = 65_536;

/**
 * The keys of all connections, as far as they have been read from the secret storage. In memory only, to find them in
 * what is about to be sent.
 */
export class StoredKeys {
  readonly #keys = new Set<string>();
  #finder: KeyFinder | undefined;
  #short: RegExp | undefined;

  add(key: string): void {
    if (!this.#keys.has(key)) {
      this.#keys.add(key);
      this.#finder = undefined;
      this.#short = undefined;
    }
  }

  /**
   * The text with a mark in place of each key, however it is escaped or encoded. A key of less than 16 characters only
   * where it is a whole token, and no plain word.
   */
  without(text: string): string {
    return runToEnd(this.removing(text));
  }

  /** The data with a mark in place of each key in its texts and in the names of its fields. */
  withoutIn<T>(data: T): T {
    return cleanData(data, (text) => this.without(text)) as T;
  }

  /** Like `without`, in steps of a few milliseconds. */
  *removing(text: string): Steps<string> {
    const keys = [...this.#keys];
    this.#finder ??= new KeyFinder(keys.filter((key) => !isShort(key)));
    this.#short ??= wholeTokens(keys.filter((key) => isShort(key) && isSecret(key) && !isPlainWord(key)));
    let clean = '';
    for (let start = 0; start < text.length; ) {
      const end = endOfBlock(text, start + blockChars);
      clean += withoutKeys(text.slice(start, end), this.#finder, removedKey).replace(this.#short, removedKey);
      start = end;
      yield;
    }
    return clean;
  }
}

function wholeTokens(keys: readonly string[]): RegExp {
  const all = keys.map((key) => key.replace(/[^\w]/g, '\\$&')).join('|');
  return all === '' ? /(?!)/g : new RegExp(`(?<![\\w-])(?:${all})(?![\\w-])`, 'g');
}

function cleanData(data: unknown, clean: (text: string) => string): unknown {
  if (typeof data === 'string') {
    return clean(data);
  }
  if (Array.isArray(data)) {
    return data.map((each) => cleanData(each, clean));
  }
  return isRecord(data)
    ? Object.fromEntries(Object.entries(data).map(([name, each]) => [clean(name), cleanData(each, clean)]))
    : data;
}

/** The place after the first blank from `at` on: no key has one. */
function endOfBlock(text: string, at: number): number {
  const blank = /\s/g;
  blank.lastIndex = at;
  return blank.test(text) ? blank.lastIndex : text.length;
}
