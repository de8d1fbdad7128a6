import { type Model, modelAbilities, modelKinds } from '../list/model.ts';
import { bareName, vendorOf } from '../list/modelFamily.ts';
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
const rank = { id: 0, name: 1, prefix: 2, wordStart: 3, inside: 4, title: 5, bare: 6 } as const;
/** More than the ranks of any realistic number of words add up to. */
const notForChat = 100_000;

/**
 * Finds models by the words a person types. Every word must match: plain words in the id, the title or the vendor, and
 * words with `@` by their own test. Punctuation may be left out. Models that aren't for chat come last and are never
 * left out.
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
    const { plain, tests, unknown } = this.#read(text);
    const whole = text.trim();
    const found = this.#entries
      .filter(({ shown }) => tests.every((test) => test(shown)))
      .map((entry) => ({ shown: entry.shown, rank: totalRank(entry, plain, whole) }))
      .filter((each) => each.rank < Number.POSITIVE_INFINITY)
      .sort((one, other) => one.rank - other.rank)
      .map(({ shown }) => shown);
    return { matches: found.slice(0, limit), total: found.length, unknown };
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

/** @returns infinity when a word doesn't match. */
function totalRank(entry: Entry, words: readonly string[], whole: string): number {
  // The exact id comes first, whatever its kind; then an id that differs only in case.
  if (entry.shown.id === whole) {
    return -1;
  }
  if (entry.id === whole.toLowerCase()) {
    return rank.id;
  }
  const sum = words.reduce((total, word) => total + wordRank(entry, word), 0);
  const isExact = words.length > 0 && sum === rank.id;
  return sum + (entry.isForChat || isExact ? 0 : notForChat);
}

function wordRank({ id, name, titleAndVendor }: Entry, word: string): number {
  const at = id.indexOf(word);
  if (id === word || name === word) {
    return id === word ? rank.id : rank.name;
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
  return isBare ? rank.bare : Number.POSITIVE_INFINITY;
}

type ModelTest = (shown: ShownModel) => boolean;

/** Words without a value, such as `@new`. */
const flags: ReadonlyMap<string, ModelTest> = new Map<string, ModelTest>([
  ['favorite', ({ isFavourite }) => isFavourite],
  ['new', ({ isNew }) => isNew],
  ['gone', ({ isGone }) => isGone],
  ['manual', ({ isManual }) => isManual],
  ['free', ({ model }) => isFree(model)],
  ...modelAbilities.map((ability): [string, ModelTest] => [
    ability,
    ({ model }) => !!model?.abilities?.includes(ability),
  ]),
  ['deprecated', ({ model }) => model?.isDeprecated === true || model?.expiresAt !== undefined],
]);

/** Words that take a number: how to read the amount from a model, and example values for completion. */
const amounts: ReadonlyMap<string, { of: (model: Model) => number | undefined; hints: readonly string[] }> = new Map([
  ['context', { of: ({ contextTokens }: Model) => contextTokens, hints: ['>100k', '>=1m', '128k'] }],
  ['output', { of: ({ outputTokens }: Model) => outputTokens, hints: ['>=8k', '>=32k'] }],
  ['price', { of: ({ prices }: Model) => (prices?.unit === 'USD' ? prices.input : undefined), hints: ['<1', '<5'] }],
]);

/** Splits the typed text into words; quotation marks join words. */
function wordsOf(text: string): string[] {
  return text.match(/@[^\s"]*"[^"]*"?|"[^"]*"?|\S+/g) ?? [];
}

function vendorNameOf({ id, model }: ShownModel): string {
  return model?.vendor ?? vendorOf(id);
}

/** Maps the vendor names of some models to their bare forms, by which they are compared. */
export type BareVendors = ReadonlyMap<string, string>;

/**
 * Reads a word such as `@vendor:openai`, `@openai`, `@context:>100k`, `@price:<1`, `@kind:embedding` or `@new`.
 * Full-width characters, as some keyboards enter them, count as plain ones.
 *
 * @returns undefined for an unknown word.
 */
function readFilterWord(typed: string, vendors: BareVendors): ModelTest | undefined {
  const word = typed.normalize('NFKC').slice(1).toLowerCase().replaceAll('"', '');
  const colon = word.indexOf(':');
  if (colon < 0) {
    return flags.get(word === 'favourite' ? 'favorite' : word) ?? vendorTest(word, vendors);
  }
  const [name, value] = [word.slice(0, colon), word.slice(colon + 1)];
  if (name === 'kind') {
    const kind = value === '' ? undefined : modelKinds.find((each) => each.startsWith(value.replace(/s$/, '')));
    return kind && (({ model }) => (model?.kind ?? 'chat') === kind);
  }
  const amount = amounts.get(name);
  return name === 'vendor' ? vendorTest(value, vendors) : amount && amountTest(value, amount.of);
}

/**
 * Completes a partly typed word.
 *
 * @param typed begins with `@`.
 */
function completeWord(typed: string, vendors: BareVendors): string[] {
  const word = typed.normalize('NFKC').toLowerCase();
  const names = [...new Set(vendors.values())].sort();
  const known = [
    ...[...flags.keys(), 'vendor:', 'kind:'],
    ...[...amounts].flatMap(([name, { hints }]) => hints.map((each) => `${name}:${each}`)),
    ...(word.startsWith('@vendor:') ? names.map((name) => `vendor:${name}`) : []),
    ...(word.startsWith('@kind:') ? modelKinds.map((kind) => `kind:${kind}`) : []),
    ...(word.length > 1 ? names : []),
  ];
  return [...new Set(known.map((each) => `@${each}`))].filter((each) => each.startsWith(word) && each !== word);
}

/** Whether both tokens and calls are stated to cost nothing; a model without stated prices isn't free. */
function isFree(model: Model | undefined): boolean {
  const { input, output, perRequest } = model?.prices ?? {};
  return input === 0 && output === 0 && (perRequest ?? 0) === 0;
}

/** Matches vendors by their full name, or otherwise by the beginning of the name. */
function vendorTest(typed: string, vendors: BareVendors): ModelTest | undefined {
  const bare = bareName(typed);
  const all = [...vendors];
  const exact = all.filter(([, each]) => each === bare);
  const found = exact.length > 0 ? exact : all.filter(([, each]) => each.startsWith(bare));
  const names = new Set(found.map(([name]) => name));
  return bare !== '' && names.size > 0 ? (shown) => names.has(vendorNameOf(shown)) : undefined;
}

/**
 * Compares an amount with a number such as `128k`, which covers 128,000 to 128 × 1,024. An amount that is not stated
 * never matches, nor does a price in another unit than US dollars.
 */
function amountTest(value: string, of: (model: Model) => number | undefined): ModelTest | undefined {
  const [, sign = '=', digits, unit = ''] = /^(>=|<=|≥|≤|>|<|=)?\$?(\d+(?:\.\d+)?)(k|m)?$/.exec(value) ?? [];
  if (digits === undefined) {
    return undefined;
  }
  const power = ['', 'k', 'm'].indexOf(unit);
  const [low, high] = [Number(digits) * 1_000 ** power, Number(digits) * 1_024 ** power];
  const comparisons: Readonly<Record<string, (amount: number) => boolean>> = {
    '>': (amount) => amount > high,
    '>=': (amount) => amount >= low,
    '≥': (amount) => amount >= low,
    '<': (amount) => amount < low,
    '<=': (amount) => amount <= high,
    '≤': (amount) => amount <= high,
    '=': (amount) => amount >= low && amount <= high,
  };
  return ({ model }) => {
    const amount = model && of(model);
    return amount !== undefined && (comparisons[sign]?.(amount) ?? false);
  };
}
