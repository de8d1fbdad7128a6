import { isRecord } from '../base/loose.ts';

/** Replaces the key of a request in its answer. */
export const keyMark = '[key removed]';
/** What is sent and stored in place of a connection's key. Like masks, it is a name in most programming languages. */
export const removedKey = 'REMOVED_CONNECTION_KEY';

/** A key of fewer characters may be a part of other words by chance. */
const minLongKey = 16;
/** A key of fewer characters is not looked for: it could occur in any text. */
const minKey = 4;
/** Less base64 than this occurs in ordinary words. */
const minBase64 = 8;

/** What people type in place of a key for a server that checks none. */
const placeholder =
  /^(?:sk-)?(?:ollama|lm[-_]?studio|empty|none|null|test|dummy|local|any|anything|key|token|no[-_]?key|no[-_]key[-_]required|not[-_](?:needed|required)|unused|x+)$/i;

/** False for a placeholder and for a key that is too short; neither is removed from a text. */
export function isSecret(key: string): boolean {
  return key.length >= minKey && !placeholder.test(key);
}

/**
 * Removes whole keys from texts: as they are, and as they are spelled in JSON, URLs and base64. Holds the keys, so it
 * lives as long as one request, or has the keys of all connections.
 */
export class KeyRemover {
  readonly #mark: string;
  readonly #isProse: boolean;
  readonly #keys = new Set<string>();
  /** Made when a text is searched. */
  #pattern: RegExp | undefined;
  /** The longest first. */
  #spellings: readonly string[] = [];

  /**
   * @param isProse for questions, code and answers: a key of less than 16 characters is removed only where it is a whole
   *   token, and never if it is a plain word, such as `data` or `pass`, which people enter for local servers. Otherwise,
   *   as in logs and errors, every key is removed, in upper or lower case too.
   */
  constructor(mark: string, isProse: boolean, keys: readonly string[] = []) {
    this.#mark = mark;
    this.#isProse = isProse;
    this.add(...keys);
  }

  add(...keys: readonly string[]): void {
    for (const key of keys) {
      const isPlainWord = key.length < minLongKey && /^[A-Za-z]?[a-z]+$|^[A-Z]+$/.test(key);
      if (isSecret(key) && !(this.#isProse && isPlainWord)) {
        this.#keys.add(key);
      }
    }
    const tokens = [...this.#keys].filter((key) => this.#isToken(key));
    const long = [...this.#keys].filter((key) => !this.#isToken(key)).flatMap(spellingsOf);
    this.#spellings = [...new Set([...long, ...tokens])].sort((a, b) => b.length - a.length);
    this.#pattern = undefined;
  }

  #isToken(key: string): boolean {
    return this.#isProse && key.length < minLongKey;
  }

  isIn(data: unknown): boolean {
    return JSON.stringify(this.withoutIn(data)) !== JSON.stringify(data);
  }

  /** The text with the mark in place of each key. */
  without(text: string): string {
    const pattern = this.#patternFor(text);
    return pattern ? text.replace(pattern, () => this.#mark) : text;
  }

  /**
   * The pattern of all spellings; undefined for a text that is shorter than each of them, like the first words of an
   * answer and most of the hundreds of thousands of names and values in a list of models.
   */
  #patternFor(text: string): RegExp | undefined {
    if (text.length < (this.#spellings.at(-1)?.length ?? Number.POSITIVE_INFINITY)) {
      return undefined;
    }
    this.#pattern ??= new RegExp(
      this.#spellings
        .map((spelling) =>
          this.#keys.has(spelling) && this.#isToken(spelling)
            ? `(?<![\\w-])${literal(spelling)}(?![\\w-])`
            : literal(spelling),
        )
        .join('|'),
      this.#isProse ? 'g' : 'gi',
    );
    return this.#pattern;
  }

  /** The data with the mark in place of each key, in its texts and in the names of its fields. */
  withoutIn<T>(data: T): T;
  withoutIn(data: unknown): unknown {
    if (typeof data === 'string') {
      return this.without(data);
    }
    if (Array.isArray(data)) {
      return data.map((each) => this.withoutIn<unknown>(each));
    }
    return isRecord(data)
      ? Object.fromEntries(Object.entries(data).map(([name, each]) => [this.without(name), this.withoutIn(each)]))
      : data;
  }

  /**
   * Removes keys from a text that arrives in pieces, wherever it is cut: an end that may be the start of a key is held
   * back. The second function ends the text; it returns what was held back.
   */
  stream(): { push(piece: string): string; end(): string } {
    let held = '';
    /** The character before it, because a token is recognized by the characters around it. */
    let before = '';
    const read = (piece: string, isLast: boolean) => {
      const text = before + held + piece;
      let out = '';
      let done = before.length;
      let end = isLast ? text.length : this.#heldFrom(text, done);
      const pattern = this.#patternFor(text);
      if (pattern) {
        pattern.lastIndex = done;
      }
      for (let found = pattern?.exec(text); found && found.index < end; found = pattern?.exec(text)) {
        out += text.slice(done, found.index) + this.#mark;
        done = found.index + found[0].length;
        end = isLast ? text.length : this.#heldFrom(text, done);
      }
      held = text.slice(end);
      before = text.slice(Math.max(0, end - 1), end);
      return out + text.slice(done, end);
    };
    return { push: (piece) => read(piece, false), end: () => read('', true) };
  }

  /** The first place from which the rest of a text is the start of a key. */
  #heldFrom(text: string, from: number): number {
    for (let at = Math.max(from, text.length - (this.#spellings[0]?.length ?? 0)); at < text.length; at++) {
      const rest = text.slice(at);
      if (this.#spellings.some((spelling) => spelling.startsWith(rest))) {
        return at;
      }
    }
    return text.length;
  }
}

function literal(text: string): string {
  return text.replace(/[^\w]/g, '\\$&');
}

function spellingsOf(key: string): readonly string[] {
  const json = JSON.stringify(key).slice(1, -1);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return [key];
  }
  const uri = encodeURIComponent(key);
  return [
    key,
    json,
    // As PHP writes it.
    json.replaceAll('/', '\\/'),
    uri,
    uri.replace(/%../g, (code) => code.toLowerCase()),
    ...[0, 1, 2].flatMap((before) => inBase64(key, before)),
  ];
}

/**
 * A key in both alphabets of base64, with `before` bytes in front of it, because three bytes become four characters.
 * Leaves out the characters at both ends that depend on the neighbouring bytes.
 */
function inBase64(key: string, before: number): readonly string[] {
  const bytes = before + key.length;
  const letters = btoa('\0'.repeat(before) + key).slice(Math.ceil((before * 4) / 3), Math.floor((bytes * 4) / 3));
  return letters.length < minBase64 ? [] : [letters, letters.replaceAll('+', '-').replaceAll('/', '_')];
}
