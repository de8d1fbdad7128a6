import { calcPrice, type TieredPrices } from '@pydantic/genai-prices';
import type { ModelPrices } from '../../models/list/model.ts';

type TokenPrice = number | TieredPrices | undefined;

/**
 * The list price of a model's vendor, in US dollars, as the package has it; it never asks the network for newer ones.
 *
 * @param id as a gateway lists it; of `vendor/model` the vendor is tried first. Any length.
 * @returns undefined for a model that is unknown, or not paid by tokens.
 */
export function vendorPrices(id: string): ModelPrices | undefined {
  if (id.endsWith(':free')) {
    // The package would find the price of the model itself (nearai/ironclaw#613).
    return undefined;
  }
  const [model = '', vendor] = id.slice(-200).split('/').reverse();
  const prices = (vendor && calcPrice({}, model, { providerId: vendor })) || calcPrice({}, model);
  const ofKinds = ['input', 'output', 'cache_read', 'cache_write'].map((kind) => prices?.model_price[`${kind}_mtok`]);
  const [input, output, cachedInput, cacheWrite] = ofKinds.map(basePrice);
  return input === undefined || output === undefined
    ? undefined
    : { input, output, cachedInput, cacheWrite, ...longPrompts(ofKinds), unit: 'USD' };
}

function basePrice(price: TokenPrice): number | undefined {
  return typeof price === 'object' ? price.base : price;
}

function longPrompts(ofKinds: readonly TokenPrice[]): Pick<ModelPrices, 'longPrompts'> {
  const [tier] = ofKinds.flatMap((price) => (typeof price === 'object' ? price.tiers : []));
  const [input, output, cachedInput, cacheWrite] = ofKinds.map((price) =>
    typeof price === 'object' ? (price.tiers[0]?.price ?? price.base) : price,
  );
  return tier === undefined || input === undefined || output === undefined
    ? {}
    : { longPrompts: { above: tier.start, input, output, cachedInput, cacheWrite } };
}
