import { amountOf, isRecord, type LooseRecord, recordOf, textOf } from '../base/loose.ts';
import type { Credit } from '../connections/consoleSettings.ts';
import type { ModelPrices } from '../models/list/model.ts';
import { amountUpTo, isFailure, type SiteUnit } from './accountDialects.ts';

/** Larger numbers are no ratios. */
const maxRatio = 1e6;
/** Larger numbers are no prices, in whatever unit. */
const maxPrice = 1e12;

/** The prices of a model in dollars of the site, before the ratio of a group; per million tokens or per call. */
type ListedPrice = Omit<ModelPrices, 'unit' | 'longPrompts'> & {
  /** The groups whose keys can use the model. */
  readonly groups: readonly string[];
};

/** The prices that a site of the new-api family publishes. */
export type PriceList = {
  readonly models: ReadonlyMap<string, ListedPrice>;
  readonly groupRatios: ReadonlyMap<string, number>;
  readonly credit: Credit;
};

/**
 * Reads `/api/pricing` of new-api (wire section 5). Leaves out models with prices that can't be read, and those that
 * depend on the length of the prompt.
 *
 * @returns undefined when the body isn't a price list.
 */
export function readPriceList(body: unknown, { quotaPerDollar, credit }: SiteUnit): PriceList | undefined {
  const { data, group_ratio: ratios } = recordOf(body);
  if (isFailure(body) || !Array.isArray(data) || !isRecord(ratios) || quotaPerDollar === undefined) {
    return undefined;
  }
  // A ratio is the quota for one token: 2 dollars for a million tokens, unless the site changes the quota of a dollar.
  const dollars = 1_000_000 / quotaPerDollar;
  const models = data.flatMap((item: unknown) => {
    const fields = recordOf(item);
    const model = textOf(fields.model_name);
    const price = priceOf(fields, dollars);
    return model === undefined || price === undefined ? [] : [[model, price] as const];
  });
  const groupRatios = Object.entries(ratios).flatMap(([group, value]) => {
    const ratio = amountUpTo(value, maxRatio);
    return ratio === undefined ? [] : [[group, ratio] as const];
  });
  return { models: new Map(models), groupRatios: new Map(groupRatios), credit };
}

function priceOf(fields: LooseRecord, dollars: number): ListedPrice | undefined {
  const ratio = amountUpTo(fields.model_ratio, maxRatio);
  const completion = amountUpTo(fields.completion_ratio, maxRatio);
  const cache = amountUpTo(fields.cache_ratio, maxRatio);
  const cacheWrite = amountUpTo(fields.create_cache_ratio, maxRatio);
  const perRequest = amountUpTo(fields.model_price, maxRatio);
  const enabled: readonly unknown[] = Array.isArray(fields.enable_groups) ? fields.enable_groups : [];
  const groups = enabled.flatMap((group) => textOf(group) ?? []);
  if (fields.billing_mode === 'tiered_expr') {
    return undefined;
  }
  const type = amountOf(fields.quota_type);
  if (type === 1) {
    return perRequest === undefined ? undefined : { input: 0, output: 0, perRequest, groups };
  }
  if (type !== 0 || ratio === undefined || completion === undefined) {
    return undefined;
  }
  const input = ratio * dollars;
  return {
    input,
    output: input * completion,
    ...(cache !== undefined && { cachedInput: input * cache }),
    ...(cacheWrite !== undefined && { cacheWrite: input * cacheWrite }),
    groups,
  };
}

/**
 * The prices of a model for a key. Undefined when the list doesn't have the model, when the ratio of the key's group is
 * unknown, and when a number is no price.
 *
 * @param groupRatio as the log of the key states it; without one, the ratio that all groups of the model have.
 * @param credit what a dollar of the site is worth, if the person stated it.
 */
export function pricesIn(
  { models, groupRatios, credit: own }: PriceList,
  model: string,
  groupRatio: number | undefined,
  { factor, unit }: Credit = own,
): Omit<ModelPrices, 'longPrompts'> | undefined {
  const listed = models.get(model);
  if (listed === undefined) {
    return undefined;
  }
  const { groups, ...prices } = listed;
  const ratios = new Set(groups.map((group) => groupRatios.get(group)));
  const ratio = groupRatio ?? (ratios.size === 1 ? [...ratios][0] : undefined);
  if (ratio === undefined) {
    return undefined;
  }
  const ofKey = Object.entries(prices).map(
    ([name, price]) => [name, Number((price * ratio * factor).toPrecision(12))] as const,
  );
  return ofKey.every(([, price]) => price <= maxPrice) ? { ...Object.fromEntries(ofKey), unit } : undefined;
}
