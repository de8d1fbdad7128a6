import { type Model, type ModelAbility, type ModelKind, modelKinds } from '../list/model.ts';
import { bareName, vendorOf } from '../list/modelFamily.ts';
import type { ShownModel } from './shownGroups.ts';

export type ModelTest = (shown: ShownModel) => boolean;

/** A word that begins with `@`, read. */
export type FilterWord =
  | { readonly means: 'test'; readonly test: ModelTest }
  /** Like a test, and whoever asks for a kind wants no other one first. */
  | { readonly means: 'kind'; readonly test: ModelTest }
  /** Models that can not chat are no longer put behind those that can. */
  | { readonly means: 'all' }
  | { readonly means: 'nothing' };

const can =
  (ability: ModelAbility): ModelTest =>
  ({ model }) =>
    model?.abilities?.includes(ability) ?? false;

/** Words that stand for themselves. */
const flags: ReadonlyMap<string, ModelTest> = new Map<string, ModelTest>([
  ['favourite', ({ isFavourite }) => isFavourite],
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

/** Words that take a number: what of a model it is held against, and numbers worth trying. */
const amounts: ReadonlyMap<string, { of: (model: Model) => number | undefined; tries: readonly string[] }> = new Map([
  ['context', { of: ({ contextTokens }: Model) => contextTokens, tries: ['>100k', '>=1m', '128k'] }],
  ['output', { of: ({ outputTokens }: Model) => outputTokens, tries: ['>=8k', '>=32k'] }],
  ['price', { of: ({ prices }: Model) => prices?.input, tries: ['<1', '<5'] }],
]);

/** Cuts what was typed into words; quotation marks hold words together. */
export function wordsOf(text: string): string[] {
  return text.match(/@[^\s"]*"[^"]*"?|"[^"]*"?|\S+/g) ?? [];
}

export function vendorNameOf({ id, model }: ShownModel): string {
  return model?.vendor ?? vendorOf(id);
}

/**
 * Reads a word such as `@vendor:openai`, `@openai`, `@context:>100k`, `@price:<1`, `@kind:embedding` or `@new`. Full
 * width signs, as some keyboards write them, count as plain ones.
 *
 * @param vendors their bare names.
 */
export function readFilterWord(typed: string, vendors: ReadonlySet<string>): FilterWord {
  const word = typed.normalize('NFKC').slice(1).toLowerCase().replaceAll('"', '');
  const colon = word.indexOf(':');
  const [name, value] = colon < 0 ? [word, undefined] : [word.slice(0, colon), word.slice(colon + 1)];
  const nothing = { means: 'nothing' } as const;
  if (value === undefined) {
    if (name === 'all') {
      return { means: 'all' };
    }
    const test = flags.get(name === 'favorite' ? 'favourite' : name) ?? vendorTest(name, vendors);
    return test ? { means: 'test', test } : nothing;
  }
  if (name === 'kind') {
    const kind = value === '' ? undefined : modelKinds.find((each) => each.startsWith(value.replace(/s$/, '')));
    return kind ? { means: 'kind', test: (shown) => kindOf(shown) === kind } : nothing;
  }
  const amount = amounts.get(name);
  const test = name === 'vendor' ? vendorTest(value, vendors) : amount && amountTest(value, amount.of);
  return test ? { means: 'test', test } : nothing;
}

/**
 * What a half-typed word can become. Only what some of the models would answer to.
 *
 * @param typed begins with `@`.
 */
export function completeWord(typed: string, models: readonly ShownModel[], vendors: ReadonlySet<string>): string[] {
  const word = typed.normalize('NFKC').toLowerCase();
  const sorted = [...vendors].sort();
  const known = [
    ...[...flags].flatMap(([name, test]) => (models.some(test) ? [`@${name}`] : [])),
    ...(models.some(({ model }) => model?.isForChat === false) ? ['@all'] : []),
    ...(word.startsWith('@vendor:') ? sorted.map((vendor) => `@vendor:${vendor}`) : ['@vendor:']),
    ...(word.startsWith('@kind:')
      ? modelKinds.flatMap((kind) => (models.some((each) => kindOf(each) === kind) ? [`@kind:${kind}`] : []))
      : ['@kind:']),
    ...[...amounts].flatMap(([name, { of, tries }]) =>
      models.some(({ model }) => model && of(model) !== undefined) ? tries.map((each) => `@${name}:${each}`) : [],
    ),
    ...(word.length > 1 ? sorted.map((vendor) => `@${vendor}`) : []),
  ];
  return [...new Set(known)].filter((each) => each.startsWith(word) && each !== word);
}

function kindOf({ model }: ShownModel): ModelKind {
  return model?.kind ?? 'chat';
}

/** Tokens cost nothing, and neither does a call; what is not stated is not free. */
function isFree(model: Model | undefined): boolean {
  const { input, output, perRequest } = model?.prices ?? {};
  return input === 0 && output === 0 && (perRequest ?? 0) === 0;
}

/** By the whole name, or else by how it begins. */
function vendorTest(typed: string, vendors: ReadonlySet<string>): ModelTest | undefined {
  const name = bareName(typed);
  const isMeant = vendors.has(name) ? (vendor: string) => vendor === name : (vendor: string) => vendor.startsWith(name);
  if (name === '' || ![...vendors].some(isMeant)) {
    return undefined;
  }
  const known = new Map<string, boolean>();
  return (shown) => {
    const vendor = vendorNameOf(shown);
    const answer = known.get(vendor) ?? isMeant(bareName(vendor));
    known.set(vendor, answer);
    return answer;
  };
}

/**
 * `128k` is anything people call so: from 128,000 to 128 × 1,024. What is not stated passes no test. Prices are in US
 * dollars for a million tokens in.
 */
function amountTest(value: string, of: (model: Model) => number | undefined): ModelTest | undefined {
  const [, sign = '=', digits, unit = ''] = /^(>=|<=|≥|≤|>|<|=)?\$?(\d+(?:\.\d+)?)(k|m)?$/.exec(value) ?? [];
  if (digits === undefined) {
    return undefined;
  }
  const power = ['', 'k', 'm'].indexOf(unit);
  const [low, high] = [Number(digits) * 1_000 ** power, Number(digits) * 1_024 ** power];
  const holds: Readonly<Record<string, (amount: number) => boolean>> = {
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
    return amount !== undefined && (holds[sign]?.(amount) ?? false);
  };
}
