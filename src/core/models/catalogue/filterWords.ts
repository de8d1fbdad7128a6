import { type Model, type ModelAbility, modelKinds } from '../list/model.ts';
import { bareName, vendorOf } from '../list/modelFamily.ts';
import type { ShownModel } from './shownGroups.ts';

export type ModelTest = (shown: ShownModel) => boolean;

const can =
  (ability: ModelAbility): ModelTest =>
  ({ model }) =>
    model?.abilities?.includes(ability) ?? false;

/** Words without a value, such as `@new`. */
const flags: ReadonlyMap<string, ModelTest> = new Map<string, ModelTest>([
  ['favorite', ({ isFavourite }) => isFavourite],
  ['new', ({ isNew }) => isNew],
  ['gone', ({ isGone }) => isGone],
  ['manual', ({ isManual }) => isManual],
  ['free', ({ model }) => isFree(model)],
  ['vision', can('vision')],
  ['tools', can('tools')],
  ['reasoning', can('reasoning')],
  ['audio', can('audio')],
  ['video', can('video')],
  ['files', can('files')],
  ['deprecated', ({ model }) => model?.isDeprecated === true || model?.expiresAt !== undefined],
]);

/** Words that take a number: how to read the amount from a model, and example values for completion. */
const amounts: ReadonlyMap<string, { of: (model: Model) => number | undefined; hints: readonly string[] }> = new Map([
  ['context', { of: ({ contextTokens }: Model) => contextTokens, hints: ['>100k', '>=1m', '128k'] }],
  ['output', { of: ({ outputTokens }: Model) => outputTokens, hints: ['>=8k', '>=32k'] }],
  ['price', { of: ({ prices }: Model) => (prices?.unit === 'USD' ? prices.input : undefined), hints: ['<1', '<5'] }],
]);

/** Splits the typed text into words; quotation marks join words. */
export function wordsOf(text: string): string[] {
  return text.match(/@[^\s"]*"[^"]*"?|"[^"]*"?|\S+/g) ?? [];
}

export function vendorNameOf({ id, model }: ShownModel): string {
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
export function readFilterWord(typed: string, vendors: BareVendors): ModelTest | undefined {
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
export function completeWord(typed: string, vendors: BareVendors): string[] {
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
