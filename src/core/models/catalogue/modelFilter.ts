import { bareName } from '../list/modelFamily.ts';
import {
  type BareVendors,
  completeWord,
  type ModelTest,
  readFilterWord,
  vendorNameOf,
  wordsOf,
} from './filterWords.ts';
import type { ShownModel } from './shownGroups.ts';

export type FoundModels = {
  /** Best matches first; equal ones in the order they were given. */
  readonly matches: readonly ShownModel[];
  /** How many models match, regardless of the limit. */
  readonly total: number;
  /** Unknown words that begin with `@`, as typed; the search ignored them. */
  readonly unknown: readonly string[];
};

/** The searchable texts of a model in lower case, made once. */
type Entry = {
  readonly shown: ShownModel;
  readonly id: string;
  /** The last segment of the id: the model without the path before it. */
  readonly name: string;
  readonly titleAndVendor: string;
  readonly isForChat: boolean;
};

type Words = { readonly plain: string[]; readonly tests: ModelTest[]; readonly unknown: string[] };

/** Lower ranks are better; the ranks of several words are added. */
const rank = { id: 0, name: 1, prefix: 2, wordStart: 3, inside: 4, titleStart: 5, title: 6, fuzzy: 10 } as const;
/** More than the ranks of any realistic number of words add up to. */
const notForChat = 100_000;

/**
 * Finds models by the words a person types. Every word must match: plain words in the id, the title or the vendor, and
 * words with `@` by their own test. A fuzzy match, of letters in the right order, counts only when nothing else
 * matches. Models that aren't for chat come last and are never left out.
 */
export class ModelFilter {
  readonly #entries: readonly Entry[];
  readonly #vendors: BareVendors;

  /** @param shown each model once. */
  constructor(shown: Iterable<ShownModel>) {
    this.#entries = [...shown].map(entryOf);
    const names = new Set(this.#entries.map((entry) => vendorNameOf(entry.shown)));
    this.#vendors = new Map([...names].map((name) => [name, bareName(name)]));
  }

  /** @param limit how many matches to return at most. */
  search(text: string, limit: number): FoundModels {
    const words = this.#read(text);
    const whole = text.trim();
    const passing = this.#entries.filter(({ shown }) => words.tests.every((test) => test(shown)));
    const plain = ranked(passing, words.plain, whole, plainRank);
    const found = plain.length > 0 ? plain : ranked(passing, words.plain, whole, fuzzyRank);
    return { matches: found.slice(0, limit), total: found.length, unknown: words.unknown };
  }

  /** @returns whole words that complete the last word, when that begins with `@`. */
  completions(text: string): string[] {
    const last = /\s$/.test(text) ? undefined : wordsOf(text).at(-1);
    return last && isFilterWord(last) ? completeWord(last, this.#vendors) : [];
  }

  #read(text: string): Words {
    const words: Words = { plain: [], tests: [], unknown: [] };
    for (const typed of wordsOf(text)) {
      const test = isFilterWord(typed) ? readFilterWord(typed, this.#vendors) : undefined;
      const plain = typed.replaceAll('"', '').toLowerCase();
      if (test) {
        words.tests.push(test);
      } else if (isFilterWord(typed) && !(plain.length > 1 && this.#entries.some(({ id }) => id.includes(plain)))) {
        // Some ids begin with `@` too, such as `@cf/meta/…`.
        words.unknown.push(typed);
      } else if (plain !== '') {
        words.plain.push(plain);
      }
    }
    return words;
  }
}

function entryOf(shown: ShownModel): Entry {
  const { id, model } = shown;
  const lower = id.toLowerCase();
  return {
    shown,
    id: lower,
    name: lower.slice(lower.lastIndexOf('/') + 1),
    titleAndVendor: `${model?.title ?? ''}\n${model?.vendor ?? ''}`.toLowerCase(),
    isForChat: model?.isForChat ?? true,
  };
}

function isFilterWord(word: string): boolean {
  return word.startsWith('@') || word.startsWith('＠');
}

/** @returns the models that match all words, best first. */
function ranked(
  entries: readonly Entry[],
  words: readonly string[],
  whole: string,
  rankOf: (entry: Entry, word: string) => number | undefined,
): ShownModel[] {
  const found: { readonly shown: ShownModel; readonly total: number }[] = [];
  for (const entry of entries) {
    const total = totalRank(entry, words, whole, rankOf);
    if (total !== undefined) {
      found.push({ shown: entry.shown, total });
    }
  }
  return found.sort((a, b) => a.total - b.total).map(({ shown }) => shown);
}

function totalRank(
  entry: Entry,
  words: readonly string[],
  whole: string,
  rankOf: (entry: Entry, word: string) => number | undefined,
): number | undefined {
  // The exact id comes first, whatever its kind; then an id that differs only in case.
  if (entry.shown.id === whole) {
    return -1;
  }
  if (entry.id === whole.toLowerCase()) {
    return rank.id;
  }
  let sum = 0;
  for (const word of words) {
    const each = rankOf(entry, word);
    if (each === undefined) {
      return undefined;
    }
    sum += each;
  }
  const isExact = words.length > 0 && sum === rank.id;
  return sum + (entry.isForChat || isExact ? 0 : notForChat);
}

function plainRank({ id, name, titleAndVendor }: Entry, word: string): number | undefined {
  const at = id.indexOf(word);
  if (at >= 0) {
    if (at === 0 || name.startsWith(word)) {
      return id === word ? rank.id : name === word ? rank.name : rank.prefix;
    }
    return hasWordStart(id, word, at) ? rank.wordStart : rank.inside;
  }
  const where = titleAndVendor.indexOf(word);
  return where < 0 ? undefined : hasWordStart(titleAndVendor, word, where) ? rank.titleStart : rank.title;
}

/**
 * Whether the text contains the word at the start of a word.
 *
 * @param at where the word first occurs.
 */
function hasWordStart(text: string, word: string, at: number): boolean {
  for (let place = at; place >= 0; place = text.indexOf(word, place + 1)) {
    if (place === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(place - 1))) {
      return true;
    }
  }
  return false;
}

/** Ranks a match of the letters in order, with others in between; the fewer of these, the better. */
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
