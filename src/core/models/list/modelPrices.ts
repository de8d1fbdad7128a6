import { amountOf, isRecord, type LooseRecord } from '../../base/loose.ts';
import type { ModelPrices } from './model.ts';

/** Dearer than any model has been; a larger number is in another unit than its shape says. */
const mostForMillion = 10_000;

/**
 * Prices differ by a factor of a million from gateway to gateway (wire 1.1), so they are read from two shapes alone:
 * OpenRouter's texts in US dollars a token, and Together's numbers in US dollars for a million tokens.
 *
 * @returns undefined when the unit is not known.
 */
export function readPrices({ pricing }: LooseRecord): ModelPrices | undefined {
  if (!isRecord(pricing)) {
    return undefined;
  }
  return typeof pricing.prompt === 'string' && typeof pricing.completion === 'string'
    ? pricesByToken(pricing)
    : typeof pricing.input === 'number' && typeof pricing.output === 'number'
      ? pricesByMillion(pricing)
      : undefined;
}

function pricesByToken(pricing: LooseRecord): ModelPrices | undefined {
  const [input, output] = [forMillion(pricing.prompt), forMillion(pricing.completion)];
  const [cachedInput, perRequest] = [forMillion(pricing.input_cache_read), amountOf(pricing.request)];
  // Where it is pictures that cost, free tokens would say the wrong thing.
  const isByPicture =
    input === 0 && output === 0 && [pricing.image, pricing.image_output].some((each) => Number(each) > 0);
  if (input === undefined || output === undefined || isByPicture) {
    return undefined;
  }
  return {
    input,
    output,
    ...(cachedInput !== undefined && cachedInput > 0 && { cachedInput }),
    ...(perRequest !== undefined && perRequest > 0 && { perRequest }),
    unit: 'USD',
  };
}

/** Nothing for nothing is how Together writes that a model is not paid by the token. */
function pricesByMillion(pricing: LooseRecord): ModelPrices | undefined {
  const isTogether = ['hourly', 'base', 'finetune'].some((name) => typeof pricing[name] === 'number');
  const [input, output] = [amountOf(pricing.input), amountOf(pricing.output)];
  const cachedInput = amountOf(pricing.cached_input);
  if (!isTogether || input === undefined || output === undefined || Math.max(input, output) > mostForMillion) {
    return undefined;
  }
  return input === 0 && output === 0
    ? undefined
    : { input, output, ...(cachedInput !== undefined && cachedInput > 0 && { cachedInput }), unit: 'USD' };
}

/** @returns undefined for what is no price, such as the `-1` of a router that asks another model each time. */
function forMillion(value: unknown): number | undefined {
  const price = typeof value === 'string' ? amountOf(value) : undefined;
  // 0.00000125 × 1,000,000 is not 1.25 for a computer.
  const million = price === undefined ? undefined : Number((price * 1_000_000).toPrecision(12));
  return million === undefined || million > mostForMillion ? undefined : million;
}
