import type { KeyFinder } from './keyFinder.ts';
import { type Unescaped, unescaped } from './unescaped.ts';

/** Removes keys from a whole text: first as they are, then with its escapes resolved. */
export function withoutKeys(text: string, finder: KeyFinder, mark: string): string {
  const plain = replaced(text, { text, placeOf: (at) => at }, finder, mark);
  return /[%&\\]/.test(plain) ? replaced(plain, unescaped(plain, true), finder, mark) : plain;
}

function replaced(raw: string, { text, placeOf }: Unescaped, finder: KeyFinder, mark: string): string {
  let out = '';
  let done = 0;
  for (let span = finder.next(text, 0); span !== undefined; span = finder.next(text, span.end)) {
    out += raw.slice(done, placeOf(span.start)) + mark;
    done = placeOf(span.end);
  }
  return done === 0 ? raw : out + raw.slice(done);
}
