import { mostOfCall } from '../../base/money.ts';
import type { ModelPrices } from '../../models/list/model.ts';
import type { Cost, CostSource } from '../../reply/cost.ts';
import { inputTokens, outputTokens, type Usage } from '../../reply/usage.ts';

/** The prices of a model, and where they are from. */
export type KnownPrices = ModelPrices & { readonly source: Extract<CostSource, 'listed' | 'priceList' | 'stated'> };

/** Finds the prices of a model; undefined when none are known. */
export type PriceOf = (model: string) => KnownPrices | undefined;

/**
 * The cost of tokens. Undefined without a price for each kind of token, for what is no price, and for numbers so large
 * that their product is none: JSON, and so the record of the call and its reply, can't have it.
 */
export function costOf(prices: KnownPrices | undefined, usage: Usage): Cost | undefined {
  if (prices?.input === undefined || prices.output === undefined) {
    return undefined;
  }
  const { input, output, cachedInput = input, cacheWrite = input, perRequest = 0, unit, source } = prices;
  if ([input, output, cachedInput, cacheWrite, perRequest].some((price) => price > mostOfCall)) {
    return undefined;
  }
  const { cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  const uncached = inputTokens(usage) - cachedTokens - cacheWriteTokens;
  const ofInput = uncached * input + cachedTokens * cachedInput + cacheWriteTokens * cacheWrite;
  const amount = (ofInput + outputTokens(usage) * output) / 1_000_000 + perRequest;
  return Number.isFinite(amount) ? { amount, unit, source } : undefined;
}
