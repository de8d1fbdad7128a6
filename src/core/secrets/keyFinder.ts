import { unescaped } from './unescaped.ts';

/** Where something of a key is in a text. */
export type Span = { readonly start: number; readonly end: number };

/** So many characters in a row of what is secret in a key give the key away. */
const windowChars = 16;
/** Shorter pieces of base64 and hex are found in ordinary words. */
const minEncodedChars = 8;
/** A key shorter than this is next to nothing. */
const minKeyChars = 4;
/** Stands between spellings and in no text. */
const border = '\uffff';
/** Characters of the pieces that are looked up in a table before anything is compared. */
const gramChars = 3;
const encoder = new TextEncoder();
const hexDigits = '0123456789abcdef';

/** What the makers of keys put in front of them, and what every JSON Web Token of a kind begins with. */
const publicPrefix =
  /^(?:sk-(?:proj-|svcacct-|admin-|or-v\d-|ant-(?:[a-z]{3,5}\d\d-)?)?|(?:sk|pk|rk)_(?:live|test)_|(?:sk|pk|rk|gsk|csk|nvapi|xai|pplx|r8|hf|fw|tgp_v1|gh[pousr]|github_pat)[-_]|AIza|AKIA|eyJ[\w-]*\.)/;

/** What servers that check no key tell people to type for one, and what people type there. */
const placeholder =
  /^(?:sk-)?(?:ollama|lm[-_]?studio|empty|none|null|test|dummy|local|any|anything|key|token|no[-_]?key|no[-_]key[-_]required|not[-_](?:needed|required)|unused|x+)$/i;

/** False for a word that stands in place of a key, and for what is next to nothing: neither is taken out of a text. */
export function isSecret(key: string): boolean {
  return key.length >= minKeyChars && !placeholder.test(key);
}

/** A part of a spelling, any `chars` in a row of which are the key. */
type Proof = { readonly text: string; readonly chars: number };

/**
 * Finds keys in a text: a whole key, or 16 characters in a row of it behind its public prefix; as they are, in base64
 * wherever they begin there, and in hex; in capitals or not. Escapes are for `unescaped` to resolve before.
 *
 * A run is a part of the text that is a part of a spelling. Most of a text is skipped: of every run that is long enough
 * to count, one of a few places far apart is a part too, so that the time grows with the length of the text alone; in
 * a text made of pieces of the key, with the length of the key as well. It holds the keys, so it lives no longer than
 * the request it is made for.
 */
export class KeyFinder {
  /** Every spelling of every key, in small letters. */
  readonly #spellings: string;
  readonly #proofs: readonly Proof[];
  /** The shortest run that can count. */
  readonly #shortest: number;
  /** One for each piece of three characters there is in the spellings, by `hash`. Made for the first long text. */
  #grams: Uint8Array | undefined;

  constructor(keys: readonly string[]) {
    const found = keys.filter(isSecret).flatMap(spellingsOf);
    this.#spellings = [...new Set(found.map(({ spelling }) => spelling))].join(border);
    this.#proofs = found.flatMap(({ proofs }) => proofs);
    this.#shortest = this.#proofs.reduce((least, { chars }) => Math.min(least, chars), Number.POSITIVE_INFINITY);
  }

  /** @returns the first run from `from` on that is the key or enough of it, as long as it is. */
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
      // Whatever begins here or before has been looked at.
      first = at + 1;
    }
    return undefined;
  }

  /** @returns where the run ends that starts there. */
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

  /** @returns where the longest run starts that the text ends with; the end of the text when there is none. */
  tail(text: string, from: number): number {
    let start = text.length;
    while (start > from && this.#has(text.slice(start - 1))) {
      start--;
    }
    return start;
  }

  /** The run that holds the piece at `at`, starts at `first` or behind it, and is the key. */
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

  /** The last end between two for which the part of the text is a run. */
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

/** A number below `size` for three characters, the same for capitals and small letters; several may share one. */
function hash(text: string, at: number, size: number): number {
  const sum = (text.charCodeAt(at) | 32) * 961 + (text.charCodeAt(at + 1) | 32) * 31 + (text.charCodeAt(at + 2) | 32);
  return sum & (size - 1);
}

/** A power of two with room enough that few numbers are shared. */
function tableSize(pieces: number): number {
  return 2 ** Math.min(20, Math.ceil(Math.log2(8 * Math.max(1, pieces))));
}

type Spelling = { readonly spelling: string; readonly proofs: readonly Proof[] };

function spellingsOf(key: string): Spelling[] {
  const prefix = publicPrefix.exec(key)?.[0].length ?? 0;
  const isLong = key.length - prefix >= windowChars;
  /** @param from where what is secret begins in the spelling. */
  const spelled = (text: string, from: number, chars: number): Spelling => {
    const spelling = text.toLowerCase();
    const whole = { text: spelling, chars: spelling.length };
    return { spelling, proofs: isLong ? [whole, { text: spelling.slice(from), chars }] : [whole] };
  };
  // Read with escapes, what looks like one in the key may be read as one, or have been written as what it looks like.
  const otherwise = [...new Set([unescaped(key, true).text, key.replaceAll('\\', '')])].filter(
    (each) => each !== key && each.length >= minKeyChars,
  );
  const inHex = hex(key);
  const encoded = [spelled(inHex, prefix * 2, windowChars * 2), ...[0, 1, 2].flatMap((before) => inBase64(before))];
  return [
    spelled(key, prefix, windowChars),
    ...otherwise.map((each) => spelled(each, prefix, Math.min(windowChars, each.length))),
    ...encoded.filter(({ spelling }) => spelling.length >= minEncodedChars),
  ];

  /**
   * What is left of the key in base64 behind so many bytes: three bytes become four letters, so there are three ways to
   * begin. The letters at the two ends depend on the neighbours and are left out. With the letters of addresses too.
   */
  function inBase64(before: number): Spelling[] {
    const bytes = before + inHex.length / 2;
    const letters = btoa('\0'.repeat(before) + latin(key)).slice(0, Math.floor((bytes * 4) / 3));
    const start = Math.ceil((before * 4) / 3);
    const core = letters.slice(start);
    const from = Math.ceil(((before + prefix) * 4) / 3) - start;
    const forAddresses = core.replaceAll('+', '-').replaceAll('/', '_');
    return [core, ...(forAddresses === core ? [] : [forAddresses])].map((each) => spelled(each, from, base64Window));
  }
}

/** Characters of base64 that 16 bytes decide, wherever they begin. */
const base64Window = 20;

/** The bytes of a text as characters. */
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
