import { amountOf, type LooseRecord, recordOf, textOf } from '../../base/loose.ts';
import type { ModelPrices } from './model.ts';

/**
 * No model so far costs less or more per million tokens, so numbers beyond are in another unit than their list states or
 * implies. In some currencies a stated price is a larger number.
 */
const [lowest, highestImplied, highestStated] = [0.000_1, 1_000, 10_000];

/** Fields with a unit in their name, such as LiteLLM's `input_cost_per_token`. */
const named = /^(?:(prompt|input)|completion|output)(?:_tokens?)?(?:_(?:cost|price))?_per_(.+)$/;

/**
 * Reads the prices of a model. Units differ by a factor of a million between gateways (wire 1.1), so the unit has to be
 * stated, or implied by one of three shapes: strings in US dollars per token, as OpenRouter and Vercel have, and
 * Together's numbers in US dollars per million tokens.
 *
 * @returns undefined when the unit or the currency is not known, or can't be what is stated.
 */
export function readPrices(item: LooseRecord): ModelPrices | undefined {
  const pricing = recordOf(item.pricing);
  const prices: LooseRecord = { ...pricing, ...namedPrices(pricing), ...namedPrices(item) };
  const [input, output] = [prices.prompt ?? prices.input, prices.completion ?? prices.output];
  const isTogether =
    typeof input === 'number' && ['hourly', 'base', 'finetune'].some((name) => typeof prices[name] === 'number');
  const implied = typeof input === 'string' && typeof output === 'string' ? 1_000_000 : isTogether ? 1 : undefined;
  const factor = prices.unit === undefined ? implied : factorOf(textOf(prices.unit) ?? '');
  const unit = currencyOf([prices.currency, item.currency]);
  if (factor === undefined || unit === undefined) {
    return undefined;
  }
  const ofTokens = tokenPrices(prices, factor);
  const perRequest = amountOf(prices.request) || undefined;
  const highest = prices.unit === undefined ? highestImplied : highestStated;
  const isFree = ofTokens.input === 0 && ofTokens.output === 0;
  // What charges per image, or by the hour, lists its tokens as free, which would be misleading.
  const isPricedElse = isTogether || [prices.image, prices.image_output].some((price) => Number(price) > 0);
  if (
    ofTokens.input === undefined ||
    ofTokens.output === undefined ||
    (isFree && isPricedElse) ||
    Object.values(ofTokens).some((price) => price && (price < lowest || price > highest))
  ) {
    return undefined;
  }
  const known = Object.entries({ ...ofTokens, perRequest }).filter(([, price]) => price !== undefined);
  return { ...Object.fromEntries(known), ...longPrompts(prices, factor), unit };
}

function tokenPrices(prices: LooseRecord, factor: number) {
  return {
    input: perMillion(prices.prompt ?? prices.input, factor),
    output: perMillion(prices.completion ?? prices.output, factor),
    cachedInput:
      perMillion(
        prices.input_cache_read ?? prices.input_cache_reads ?? prices.cache_read ?? prices.cached_input,
        factor,
      ) || undefined,
    cacheWrite: perMillion(prices.input_cache_write ?? prices.cache_write, factor) || undefined,
  };
}

/** OpenRouter's prices from a number of prompt tokens on, which state only what differs. */
function longPrompts(prices: LooseRecord, factor: number): Pick<ModelPrices, 'longPrompts'> {
  const overrides: readonly unknown[] = Array.isArray(prices.overrides) ? prices.overrides : [];
  const [first] = overrides
    .flatMap((each) => {
      const above = amountOf(recordOf(each).min_prompt_tokens);
      return above === undefined ? [] : [{ above, ...tokenPrices({ ...prices, ...recordOf(each) }, factor) }];
    })
    .sort((one, other) => one.above - other.above);
  return first?.input === undefined || first.output === undefined
    ? {}
    : { longPrompts: { ...first, input: first.input, output: first.output } };
}

/** Prices by the unit in their names. Without any, and with several units, there is none. */
function namedPrices(item: LooseRecord): LooseRecord {
  const prices: { prompt?: unknown; completion?: unknown; unit?: string } = {};
  for (const [name, price] of Object.entries({ ...recordOf(item.model_info), ...item })) {
    const [, isInput, unit] = named.exec(name) ?? [];
    if (unit !== undefined && factorOf(unit) !== undefined && amountOf(price) !== undefined) {
      // Novita's unit is a ten-thousandth of a US dollar.
      prices[isInput ? 'prompt' : 'completion'] = /token_price_per_m$/.test(name) ? Number(price) / 10_000 : price;
      prices.unit = prices.unit === undefined || prices.unit === unit ? unit : 'several';
    }
  }
  return prices;
}

/** What makes prices in a stated unit, such as `per_1k_tokens`, prices per million tokens. */
function factorOf(unit: string): number | undefined {
  const parts = /^(?:per)?(?:(1m|m|million|1000000)|(1k|k|thousand|1000)|token$)(?:tok(?:en)?s?)?$/.exec(
    unit.toLowerCase().replace(/[^a-z\d]/g, ''),
  );
  return parts ? (parts[1] ? 1 : parts[2] ? 1_000 : 1_000_000) : undefined;
}

/** @returns US dollars where none is stated; undefined for what is no code of a currency, and for several. */
function currencyOf(stated: readonly unknown[]): string | undefined {
  const codes = stated.flatMap((each) =>
    each == null ? [] : String(textOf(each)).toUpperCase().replace('RMB', 'CNY'),
  );
  const [code = 'USD', ...others] = new Set(codes);
  return others.length === 0 && /^[A-Z]{3}$/.test(code) ? code : undefined;
}

/** @returns undefined when the value is not a price, such as the `-1` of a router that picks a model for each call. */
function perMillion(value: unknown, factor: number): number | undefined {
  const price = amountOf(typeof value === 'string' ? value.replace(/^\$/, '') : value);
  // In floating point, 0.00000125 × 1,000,000 is not exactly 1.25.
  return price === undefined ? undefined : Number((price * factor).toPrecision(12));
}
