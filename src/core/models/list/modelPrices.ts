import { amountOf, isRecord, type LooseRecord } from '../../base/loose.ts';
import type { ModelPrices } from './model.ts';

/** Higher than the price of any model so far; a larger number must be in another unit than its shape implies. */
const maxPerMillion = 10_000;

/**
 * Reads the prices of a model. Units differ by a factor of a million between gateways (wire 1.1), so only two shapes
 * are read: OpenRouter's strings in US dollars per token, and Together's numbers in US dollars per million tokens.
 *
 * @returns undefined when the unit is not known.
 */
export function readPrices({ pricing }: LooseRecord): ModelPrices | undefined {
  if (!isRecord(pricing)) {
    return undefined;
  }
  return typeof pricing.prompt === 'string' && typeof pricing.completion === 'string'
    ? pricesPerToken(pricing)
    : typeof pricing.input === 'number' && typeof pricing.output === 'number'
      ? pricesPerMillion(pricing)
      : undefined;
}

function pricesPerToken(pricing: LooseRecord): ModelPrices | undefined {
  const [input, output] = [perMillion(pricing.prompt), perMillion(pricing.completion)];
  const [cachedInput, cacheWrite] = [perMillion(pricing.input_cache_read), perMillion(pricing.input_cache_write)];
  const perRequest = amountOf(pricing.request);
  // A model that charges per image lists its tokens as free, which would be misleading.
  const isPricedPerImage =
    input === 0 && output === 0 && [pricing.image, pricing.image_output].some((each) => Number(each) > 0);
  if (input === undefined || output === undefined || isPricedPerImage) {
    return undefined;
  }
  return {
    input,
    output,
    ...(cachedInput !== undefined && cachedInput > 0 && { cachedInput }),
    ...(cacheWrite !== undefined && cacheWrite > 0 && { cacheWrite }),
    ...(perRequest !== undefined && perRequest > 0 && { perRequest }),
    unit: 'USD',
  };
}

/** Together writes 0 for both prices when a model is not charged per token. */
function pricesPerMillion(pricing: LooseRecord): ModelPrices | undefined {
  const isTogether = ['hourly', 'base', 'finetune'].some((name) => typeof pricing[name] === 'number');
  const [input, output] = [amountOf(pricing.input), amountOf(pricing.output)];
  const cachedInput = amountOf(pricing.cached_input);
  if (!isTogether || input === undefined || output === undefined || Math.max(input, output) > maxPerMillion) {
    return undefined;
  }
  return input === 0 && output === 0
    ? undefined
    : { input, output, ...(cachedInput !== undefined && cachedInput > 0 && { cachedInput }), unit: 'USD' };
}

/** @returns undefined when the value is not a price, such as the `-1` of a router that picks a model for each call. */
function perMillion(value: unknown): number | undefined {
  const price = typeof value === 'string' ? amountOf(value) : undefined;
  // In floating point, 0.00000125 × 1,000,000 is not exactly 1.25.
  const million = price === undefined ? undefined : Number((price * 1_000_000).toPrecision(12));
  return million === undefined || million > maxPerMillion ? undefined : million;
}
