import { bareName } from '../list/modelFamily.ts';
import { completeWord, type ModelTest, readFilterWord, vendorNameOf, wordsOf } from './filterWords.ts';
import type { ShownModel } from './shownGroups.ts';

export type FoundModels = {
  /** The best ones first; equally good ones in the order they were given. */
  readonly matches: readonly ShownModel[];
  /** How many there are without a limit. */
  readonly total: number;
  /** Words beginning with `@` that mean nothing here, as they were typed; the search went on without them. */
  readonly unknown: readonly string[];
};

/** All in lower case, made once. */
type Entry = {
  readonly shown: ShownModel;
  readonly id: string;
  /** The last segment of the id: the model without the path in front. */
  readonly name: string;
  readonly more: string;
  readonly isForChat: boolean;
};

type Words = { readonly plain: string[]; readonly tests: ModelTest[]; readonly unknown: string[]; ranksAll: boolean };

/** Ranks: the lower, the better; those of several words add up. */
const rank = { id: 0, name: 1, prefix: 2, wordStart: 3, inside: 4, moreStart: 5, more: 6, fuzzy: 10 } as const;
/** Worse than any rank of as many words as anybody types. */
const notForChat = 100_000;

/**
 * Finds models by the words a person types. All of them must match: plain ones the id, the title or the vendor, and
 * those with `@` what they say. Letters in the right order are enough only where nothing else matches. What can not chat
 * is put behind, never left out.
 */
export class ModelFilter {
  readonly #shown: readonly ShownModel[];
  #entries: readonly Entry[] | undefined;
  #vendors: ReadonlySet<string> | undefined;

  /** @param shown each model once. The index is made with the first search. */
  constructor(shown: Iterable<ShownModel>) {
    this.#shown = [...shown];
  }

  /** @param limit the most matches to give back. */
  search(text: string, limit: number): FoundModels {
    const words = this.#read(text);
    const whole = text.trim();
    const passing = this.#index.filter(({ shown }) => words.tests.every((test) => test(shown)));
    const ranked = ranks(passing, words, whole, plainRank);
    const found = ranked.length > 0 ? ranked : ranks(passing, words, whole, fuzzyRank);
    const matches: ShownModel[] = [];
    for (const code of found.sort().subarray(0, Math.min(limit, found.length))) {
      const entry = passing[code % passing.length];
      if (entry) {
        matches.push(entry.shown);
      }
    }
    return { matches, total: found.length, unknown: words.unknown };
  }

  /** @returns what the last word can become when it begins with `@`, as whole words. */
  completions(text: string): string[] {
    const last = /\s$/.test(text) ? undefined : wordsOf(text).at(-1);
    return last && isFilterWord(last) ? completeWord(last, this.#shown, this.#knownVendors) : [];
  }

  get #index(): readonly Entry[] {
    this.#entries ??= this.#shown.map((shown) => {
      const { id, model } = shown;
      const lower = id.toLowerCase();
      return {
        shown,
        id: lower,
        name: lower.slice(lower.lastIndexOf('/') + 1),
        more: `${model?.title ?? ''}\n${model?.vendor ?? ''}`.toLowerCase(),
        isForChat: model?.isForChat ?? true,
      };
    });
    return this.#entries;
  }

  get #knownVendors(): ReadonlySet<string> {
    this.#vendors ??= new Set([...new Set(this.#shown.map(vendorNameOf))].map(bareName));
    return this.#vendors;
  }

  #read(text: string): Words {
    const words: Words = { plain: [], tests: [], unknown: [], ranksAll: false };
    for (const typed of wordsOf(text)) {
      if (!isFilterWord(typed)) {
        const plain = plainWord(typed);
        words.plain.push(...(plain === '' ? [] : [plain]));
        continue;
      }
      const word = readFilterWord(typed, this.#knownVendors);
      if (word.means === 'nothing') {
        // Some ids begin with such a sign too: `@cf/meta/…`.
        const plain = plainWord(typed);
        if (plain.length > 1 && this.#index.some(({ id }) => id.includes(plain))) {
          words.plain.push(plain);
        } else {
          words.unknown.push(typed);
        }
        continue;
      }
      if (word.means !== 'all') {
        words.tests.push(word.test);
      }
      words.ranksAll ||= word.means !== 'test';
    }
    return words;
  }
}

function isFilterWord(word: string): boolean {
  return word.startsWith('@') || word.startsWith('＠');
}

function plainWord(typed: string): string {
  return typed.replaceAll('"', '').toLowerCase();
}

/** Rank and place in one number each, so that sorting 20,000 costs next to nothing. */
function ranks(
  entries: readonly Entry[],
  { plain, ranksAll }: Words,
  whole: string,
  rankOf: (entry: Entry, word: string) => number | undefined,
): Float64Array {
  const codes = new Float64Array(entries.length);
  let count = 0;
  for (const [place, entry] of entries.entries()) {
    // Exactly what was typed comes first, whatever it is for; then what differs in case alone.
    let sum = entry.shown.id === whole ? -1 : 0;
    let isExact = sum < 0 || entry.id === whole.toLowerCase();
    if (!isExact) {
      for (const word of plain) {
        const each = rankOf(entry, word);
        if (each === undefined) {
          sum = Number.NaN;
          break;
        }
        sum += each;
      }
      isExact = plain.length > 0 && sum === rank.id;
    }
    if (!Number.isNaN(sum)) {
      const behind = entry.isForChat || ranksAll || isExact ? 0 : notForChat;
      codes[count++] = (sum + 1 + behind) * entries.length + place;
    }
  }
  return codes.slice(0, count);
}

function plainRank({ id, name, more }: Entry, word: string): number | undefined {
  const at = id.indexOf(word);
  if (at >= 0) {
    if (at === 0 || name.startsWith(word)) {
      return id === word ? rank.id : name === word ? rank.name : rank.prefix;
    }
    return hasWordStart(id, word, at) ? rank.wordStart : rank.inside;
  }
  const where = more.indexOf(word);
  return where < 0 ? undefined : hasWordStart(more, word, where) ? rank.moreStart : rank.more;
}

/** @param at where the word stands first. */
function hasWordStart(text: string, word: string, at: number): boolean {
  for (let place = at; place >= 0; place = text.indexOf(word, place + 1)) {
    if (place === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(place - 1))) {
      return true;
    }
  }
  return false;
}

/** The letters in their order, with others between; the fewer between, the better. */
function fuzzyRank(entry: Entry, word: string): number | undefined {
  const plain = plainRank(entry, word);
  if (plain !== undefined || word.length < 2) {
    return plain;
  }
  let from = -1;
  let at = -1;
  for (const letter of word) {
    at = entry.id.indexOf(letter, at + 1);
    if (at < 0) {
      return undefined;
    }
    from = from < 0 ? at : from;
  }
  return rank.fuzzy + Math.min(at - from, 1_000);
}
