import { searchable } from '../../base/searchable.ts';
import { type Model, modelAbilities, modelKinds } from '../list/model.ts';
import { bareName, vendorOf } from '../list/modelFamily.ts';
import type { ShownModel } from './shownGroups.ts';

export type FoundModels = {
  /** Best matches first; equal ones in the order they were given. */
  readonly matches: readonly ShownModel[];
  /** How many models match, regardless of the limit. */
  readonly total: number;
};

/** The texts of a model as `searchable` makes them, once. */
type Entry = {
  readonly shown: ShownModel;
  readonly id: string;
  /** The last segment of the id: the model without the path before it. */
  readonly name: string;
  readonly titleAndVendor: string;
  /** What words with `@` match: vendor, kind, abilities and state. */
  readonly tags: readonly string[];
  readonly isForChat: boolean;
};

type EntryTest = (entry: Entry) => boolean;

/** Lower ranks are better; the ranks of several words are added. */
const rank = { name: 0, prefix: 1, wordStart: 2, inside: 3, title: 4, bare: 5 } as const;
/** More than the ranks of any realistic number of words add up to. */
const notForChat = 100_000;

/**
 * Finds models by the words a person types. Every word must match: plain words in the id, the title or the vendor, and
 * words with `@` by their own test. Punctuation may be left out, and `3.5` also finds `3-5`. Models that aren't for chat
 * come last and are never left out.
 */
export class ModelFilter {
  readonly #entries: readonly Entry[];
  readonly #tags: ReadonlySet<string>;

  /** @param shown each model once. */
  constructor(shown: Iterable<ShownModel>) {
    this.#entries = [...shown].map(entryOf);
    this.#tags = new Set([...modelAbilities, ...modelKinds, ...states, ...this.#entries.flatMap(({ tags }) => tags)]);
  }

  /** @param limit how many matches to return at most. */
  search(text: string, limit: number): FoundModels {
    const plain: string[] = [];
    const tests: EntryTest[] = [];
    for (const word of searchable(text).match(/\S+/g) ?? []) {
      const test = word.startsWith('@') ? this.#readFilterWord(word) : undefined;
      if (test) {
        tests.push(test);
      } else if (word !== '@') {
        // Some ids begin with `@` too, such as `@cf/meta/…`; `@` alone is the beginning of a word.
        plain.push(word);
      }
    }
    const whole = text.trim();
    const found = this.#entries
      .filter((entry) => tests.every((test) => test(entry)))
      .map((entry) => ({ shown: entry.shown, rank: totalRank(entry, plain, whole) }))
      .filter((each) => each.rank < Number.POSITIVE_INFINITY)
      .sort((one, other) => one.rank - other.rank)
      .map(({ shown }) => shown);
    return { matches: found.slice(0, limit), total: found.length };
  }

  /**
   * Reads a word such as `@openai`, `@vendor:openai`, `@kind:embedding`, `@new`, `@context:>100k` or `@price:<1`, of which
   * the beginning is enough.
   *
   * @returns undefined for an unknown word.
   */
  #readFilterWord(word: string): EntryTest | undefined {
    const [name = '', value] = word.slice(1).split(':', 2);
    const amountOf = value === undefined ? undefined : amounts.get(name);
    if (value !== undefined && amountOf) {
      return amountTest(value, amountOf);
    }
    const wanted = bareName(value ?? name).replace(/^favourite/, 'favorite');
    const isKnown = wanted !== '' && (value === undefined || ['vendor', 'kind'].includes(name));
    return isKnown && [...this.#tags].some((tag) => tag.startsWith(wanted))
      ? ({ tags }) => tags.some((tag) => tag.startsWith(wanted))
      : undefined;
  }
}

const states = ['favorite', 'new', 'gone', 'manual', 'free', 'deprecated'] as const;

function tagsOf({ id, model, ...state }: ShownModel): readonly string[] {
  const is = {
    favorite: state.isFavourite,
    new: state.isNew,
    gone: state.isGone,
    manual: state.isManual,
    free: isFree(model),
    deprecated: model?.isDeprecated === true || model?.expiresAt !== undefined,
  };
  const vendor = bareName(model?.vendor ?? vendorOf(id));
  return [vendor, model?.kind ?? 'chat', ...(model?.abilities ?? []), ...states.filter((each) => is[each])];
}

function entryOf(shown: ShownModel): Entry {
  const { id, model } = shown;
  const lower = searchable(id);
  return {
    shown,
    id: lower,
    name: lower.slice(lower.lastIndexOf('/') + 1),
    titleAndVendor: searchable(`${model?.title ?? ''}\n${model?.vendor ?? ''}`),
    tags: tagsOf(shown),
    isForChat: model?.isForChat ?? true,
  };
}

/** @returns infinity when a word doesn't match. */
function totalRank(entry: Entry, words: readonly string[], whole: string): number {
  // The exact id comes first, whatever its kind; then an id that differs only in case.
  if (entry.id === searchable(whole)) {
    return entry.shown.id === whole ? -2 : -1;
  }
  return words.reduce((total, word) => total + wordRank(entry, word), entry.isForChat ? 0 : notForChat);
}

function wordRank({ id, name, titleAndVendor }: Entry, word: string): number {
  const at = id.indexOf(word);
  if (id === word || name === word) {
    return rank.name;
  }
  if (at === 0 || name.startsWith(word)) {
    return rank.prefix;
  }
  if (at > 0) {
    return /[\p{L}\p{N}]/u.test(id.charAt(at - 1)) ? rank.inside : rank.wordStart;
  }
  if (titleAndVendor.includes(word)) {
    return rank.title;
  }
  const isBare = /^[\p{L}\p{N}]+$/u.test(word) && bareName(id).includes(word);
  return isBare || dotted(id).includes(dotted(word)) ? rank.bare : Number.POSITIVE_INFINITY;
}

/** With a dot in versions that some gateways write with a hyphen, as in `claude-3-5`. */
function dotted(text: string): string {
  return text.replace(/(?<=\d)[-_](?=\d)/g, '.');
}

/** Words that take a number, and how to read the amount from a model. */
const amounts: ReadonlyMap<string, (model: Model) => number | undefined> = new Map([
  ['context', ({ contextTokens }: Model) => contextTokens],
  ['output', ({ outputTokens }: Model) => outputTokens],
  ['price', ({ prices }: Model) => (prices?.unit === 'USD' ? prices.input : undefined)],
]);

/** Whether both tokens and calls are stated to cost nothing; a model without stated prices isn't free. */
function isFree(model: Model | undefined): boolean {
  const { input, output, perRequest } = model?.prices ?? {};
  return input === 0 && output === 0 && (perRequest ?? 0) === 0;
}

/**
 * Compares an amount with a number such as `>100k`, by which 100,000 is meant as well, or `<1`. An amount that is not
 * stated never matches, nor does a price in another unit than US dollars.
 */
function amountTest(value: string, of: (model: Model) => number | undefined): EntryTest | undefined {
  const [, sign, digits, unit = ''] = /^(<|>)=?\$?(\d+(?:\.\d+)?)(k|m)?$/.exec(value) ?? [];
  const limit = Number(digits) * 1_000 ** ['', 'k', 'm'].indexOf(unit);
  return sign === undefined
    ? undefined
    : ({ shown: { model } }) => {
        const amount = model && of(model);
        return amount !== undefined && (sign === '<' ? amount <= limit : amount >= limit);
      };
}
