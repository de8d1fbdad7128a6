import { isCurrency } from '../../base/money.ts';
import type { ModelPrices } from '../../models/list/model.ts';

/** Prompt tokens for each completion token, where a person made no calls yet. */
export const usualRatio = 3;

/**
 * By how many percent other prices are lower. Undefined when they aren't, when that is unknown, and for the credit of
 * two sites, because its units have different values.
 *
 * @param ratio prompt tokens for each completion token.
 */
export function percentCheaper(prices: ModelPrices, others: ModelPrices, ratio: number): number | undefined {
  const [price, other] = [mixedPrice(prices, ratio), mixedPrice(others, ratio)];
  if (prices.unit !== others.unit || !isCurrency(prices.unit) || !price || other === undefined) {
    return undefined;
  }
  const percent = Math.round((1 - other / price) * 100);
  return percent >= 1 ? percent : undefined;
}

/** A price for tokens of both kinds. What a call costs besides can't be compared with it. */
function mixedPrice({ input, output, perRequest }: ModelPrices, ratio: number): number | undefined {
  return input === undefined || output === undefined || perRequest ? undefined : input * ratio + output;
}
