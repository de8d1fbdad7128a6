import type { ModelPrices } from '../../models/list/model.ts';
import type { Cost, CostSource } from '../../reply/cost.ts';
import { inputTokens, outputTokens, type Usage } from '../../reply/usage.ts';

/** The prices of a model, and where they are from. */
export type KnownPrices = ModelPrices & { readonly source: Extract<CostSource, 'listed' | 'priceList' | 'stated'> };

/** Finds the prices of a model; undefined when none are known. */
export type PriceOf = (model: string) => KnownPrices | undefined;

/**
 * The cost of tokens. Undefined without a price for each kind of token, and for numbers so large that their product is
 * none: JSON, and so the record of the call and its reply, can't have it.
 */
export function costOf(prices: KnownPrices | undefined, usage: Usage): Cost | undefined {
  if (prices?.input === undefined || prices.output === undefined) {
    return undefined;
  }
  const { input, output, cachedInput = input, perRequest = 0, unit, source } = prices;
  const { cachedTokens = 0 } = usage;
  const uncached = inputTokens(usage) - cachedTokens;
  const tokens = uncached * input + cachedTokens * cachedInput + outputTokens(usage) * output;
  const amount = tokens / 1_000_000 + perRequest;
  return Number.isFinite(amount) ? { amount, unit, source } : undefined;
}
