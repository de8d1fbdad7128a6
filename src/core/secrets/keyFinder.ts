import { unescaped } from './unescaped.ts';

/** The place of a key, or of a part of one, in a text. */
export type Span = { readonly start: number; readonly end: number };

/** This many consecutive characters of a key's secret part give the key away. */
const windowChars = 16;
/** Shorter pieces of base64 and hex occur in ordinary words. */
const minEncodedChars = 8;
/** A shorter key is not looked for: it could occur in any text. */
const minKeyChars = 4;
/** Separates the spellings; occurs in no text. */
const separator = '\uffff';
/** Length of the pieces that are looked up in a hash table before any text is compared. */
const gramChars = 3;
const encoder = new TextEncoder();
const hexDigits = '0123456789abcdef';

/** Public prefixes: those that vendors put before their keys, and the header of a JSON Web Token. */
const publicPrefix =
  /^(?:sk-(?:proj-|svcacct-|admin-|or-v\d-|ant-(?:[a-z]{3,5}\d\d-)?)?|(?:sk|pk|rk)_(?:live|test)_|(?:sk|pk|rk|gsk|csk|nvapi|xai|pplx|r8|hf|fw|tgp_v1|gh[pousr]|github_pat)[-_]|AIza|AKIA|eyJ[\w-]*\.)/;

/** What people type in place of a key for a server that checks none. */
const placeholder =
  /^(?:sk-)?(?:ollama|lm[-_]?studio|empty|none|null|test|dummy|local|any|anything|key|token|no[-_]?key|no[-_]key[-_]required|not[-_](?:needed|required)|unused|x+)$/i;

/** False for a placeholder and for a key that is too short; neither is removed from a text. */
export function isSecret(key: string): boolean {
  return key.length >= minKeyChars && !placeholder.test(key);
}

/**
 * Whether a key is one that ordinary text may have: `data` or `pass`, as people enter for local servers. Removed from
 * logs and errors, but not from questions and answers.
 */
export function isPlainWord(key: string): boolean {
  return isShort(key) && /^[A-Za-z]?[a-z]+$|^[A-Z]+$/.test(key);
}

/** Whether a key may be a part of other words by chance. */
export function isShort(key: string): boolean {
  return key.length < windowChars;
}

/** A spelling or a part of it, any `chars` consecutive characters of which count as the key. */
type Proof = { readonly text: string; readonly chars: number };

/**
 * Finds keys in a text: a whole key, or 16 consecutive characters of it after its public prefix. Finds them as they
 * are, in hex, and in base64 at any offset, and ignores case. Escapes must be resolved with `unescaped` first.
 *
 * A spelling is a form in which a key can be written, and a run is a part of the text that also occurs in a spelling.
 * Only every n-th place of a text is checked, where n is so small that every run that is long enough to count contains
 * one of these places. So the time grows with the length of the text alone; in a text made of pieces of the key, it
 * also grows with the length of the key. The finder holds the keys, so it lives as long as one request, or is that of `StoredKeys`.
 */
export class KeyFinder {
  /** Every spelling of every key, in lower case. */
  readonly #spellings: string;
  readonly #proofs: readonly Proof[];
  /** Length of the shortest run that can count as a key. */
  readonly #shortest: number;
  /** Has a 1 at the `hash` of every three characters in the spellings. Created when it is first needed. */
  #grams: Uint8Array | undefined;

  constructor(keys: readonly string[]) {
    const found = keys.filter(isSecret).flatMap(spellingsOf);
    this.#spellings = [...new Set(found.map(({ spelling }) => spelling))].join(separator);
    this.#proofs = found.flatMap(({ proofs }) => proofs);
    this.#shortest = this.#proofs.reduce((least, { chars }) => Math.min(least, chars), Number.POSITIVE_INFINITY);
  }

  /** @returns the first run at or after `from` that is the key or enough of it, in its full length. */
  next(text: string, from: number): Span | undefined {
    if (text.length - from < this.#shortest) {
      return undefined;
    }
    const grams = this.#grams ?? this.#makeGrams();
    const last = text.length - gramChars;
    let first = from;
    for (let at = from + this.#shortest - gramChars; at <= last; at += this.#shortest - gramChars + 1) {
      if (grams[hash(text, at, grams.length)] === 1 && this.#has(text.slice(at, at + gramChars))) {
        const span = this.#runAround(text, first, at);
        if (span !== undefined) {
          return span;
        }
      }
      // Every run that begins at or before this place has been checked.
      first = at + 1;
    }
    return undefined;
  }

  /** @returns the end of the run that starts at `start`. */
  reach(text: string, start: number): number {
    let end = start;
    for (let step = this.#shortest; end < text.length; step *= 2) {
      const further = Math.min(text.length, end + step);
      if (!this.#has(text.slice(start, further))) {
        return this.#lastWithin(text, start, end, further);
      }
      end = further;
    }
    return end;
  }

  /** @returns the start of the longest run at the end of the text; the text's length when there is none. */
  tail(text: string, from: number): number {
    let start = text.length;
    while (start > from && this.#has(text.slice(start - 1))) {
      start--;
    }
    return start;
  }

  /** The run that contains the piece at `at`, starts at or after `first`, and is the key. */
  #runAround(text: string, first: number, at: number): Span | undefined {
    let start = at;
    while (start > first && this.#has(text.slice(start - 1, at + gramChars))) {
      start--;
    }
    for (; start <= at && start + this.#shortest <= text.length; start++) {
      if (this.#has(text.slice(start, start + this.#shortest))) {
        const end = this.reach(text, start);
        if (this.#isKey(text.slice(start, end))) {
          return { start, end };
        }
      }
    }
    return undefined;
  }

  /** The last end between `good` and `bad` for which the text from `start` is a run, by binary search. */
  #lastWithin(text: string, start: number, good: number, bad: number): number {
    let [low, high] = [good, bad];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#has(text.slice(start, middle))) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  #has(part: string): boolean {
    return this.#spellings.includes(part.toLowerCase());
  }

  #isKey(run: string): boolean {
    const small = run.toLowerCase();
    return this.#proofs.some(({ text, chars }) => {
      for (let at = 0; at + chars <= small.length; at++) {
        if (text.includes(small.slice(at, at + chars))) {
          return true;
        }
      }
      return false;
    });
  }

  #makeGrams(): Uint8Array {
    const grams = new Uint8Array(tableSize(this.#spellings.length));
    for (let at = 0; at + gramChars <= this.#spellings.length; at++) {
      grams[hash(this.#spellings, at, grams.length)] = 1;
    }
    this.#grams = grams;
    return grams;
  }
}

/** A hash of three characters that ignores case: a number below `size`, which must be a power of two. */
function hash(text: string, at: number, size: number): number {
  const sum = (text.charCodeAt(at) | 32) * 961 + (text.charCodeAt(at + 1) | 32) * 31 + (text.charCodeAt(at + 2) | 32);
  return sum & (size - 1);
}

/** A power of two, large enough that collisions are rare. */
function tableSize(pieces: number): number {
  return 2 ** Math.min(20, Math.ceil(Math.log2(8 * Math.max(1, pieces))));
}

type Spelling = { readonly spelling: string; readonly proofs: readonly Proof[] };

function spellingsOf(key: string): Spelling[] {
  const prefix = publicPrefix.exec(key)?.[0].length ?? 0;
  const isLong = key.length - prefix >= windowChars;
  /** @param from where the secret part begins in the spelling. */
  const spelled = (text: string, from: number, chars: number): Spelling => {
    const spelling = text.toLowerCase();
    const whole = { text: spelling, chars: spelling.length };
    return { spelling, proofs: isLong ? [whole, { text: spelling.slice(from), chars }] : [whole] };
  };
  // When the escapes of a text are resolved, a part of the key that looks like an escape is resolved with them.
  const variants = [...new Set([unescaped(key, true).text, key.replaceAll('\\', '')])].filter(
    (each) => each !== key && each.length >= minKeyChars,
  );
  const inHex = hex(key);
  const encoded = [spelled(inHex, prefix * 2, windowChars * 2), ...[0, 1, 2].flatMap((before) => inBase64(before))];
  return [
    spelled(key, prefix, windowChars),
    ...variants.map((each) => spelled(each, prefix, Math.min(windowChars, each.length))),
    ...encoded.filter(({ spelling }) => spelling.length >= minEncodedChars),
  ];

  /**
   * The key in base64, with `before` bytes in front of it: three bytes become four characters, so there are three
   * possible offsets. Leaves out the characters at both ends that depend on the neighbouring bytes. Also in the
   * URL-safe alphabet.
   */
  function inBase64(before: number): Spelling[] {
    const bytes = before + inHex.length / 2;
    const letters = btoa('\0'.repeat(before) + latin(key)).slice(0, Math.floor((bytes * 4) / 3));
    const start = Math.ceil((before * 4) / 3);
    const core = letters.slice(start);
    const from = Math.ceil(((before + prefix) * 4) / 3) - start;
    const urlSafe = core.replaceAll('+', '-').replaceAll('/', '_');
    return [core, ...(urlSafe === core ? [] : [urlSafe])].map((each) => spelled(each, from, base64Window));
  }
}

/** Base64 characters that 16 bytes determine completely, at any offset. */
const base64Window = 20;

/** The UTF-8 bytes of a text, one character for each byte. */
function latin(text: string): string {
  return /^[\0-\x7f]*$/.test(text)
    ? text
    : Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join('');
}

function hex(text: string): string {
  const bytes = latin(text);
  let digits = '';
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes.charCodeAt(at);
    digits += hexDigits.charAt(byte >> 4) + hexDigits.charAt(byte & 15);
  }
  return digits;
}
