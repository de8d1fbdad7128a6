import { calcPrice, type TieredPrices } from '@pydantic/genai-prices';
import type { ModelPrices } from '../../models/list/model.ts';

/**
 * The list price of a model's vendor, in US dollars, as the package has it; it never asks the network for newer ones.
 * Prices of long prompts are left out.
 *
 * @param id as a gateway lists it; of `vendor/model` the vendor is tried first. Any length.
 * @returns undefined for a model that is unknown, or not paid by tokens.
 */
export function vendorPrices(id: string): ModelPrices | undefined {
  const [model = '', vendor] = id.slice(-200).split('/').reverse();
  const prices = (vendor && calcPrice({}, model, { providerId: vendor })) || calcPrice({}, model);
  const [input, output, cachedInput, cacheWrite] = ['input', 'output', 'cache_read', 'cache_write'].map((kind) =>
    basePrice(prices?.model_price[`${kind}_mtok`]),
  );
  return input === undefined || output === undefined
    ? undefined
    : { input, output, cachedInput, cacheWrite, unit: 'USD' };
}

function basePrice(price: number | TieredPrices | undefined): number | undefined {
  return typeof price === 'object' ? price.base : price;
}
