import * as z from 'zod/mini';
import { recordOf } from '../../base/loose.ts';
import { isCurrency, mostOfCall } from '../../base/money.ts';
import { matchesWildcards } from '../../base/wildcards.ts';
import type { Model, ModelList, ModelPrices } from '../../models/list/model.ts';
import type { Cost, CostSource } from '../../reply/cost.ts';
import { inputTokens, outputTokens, type Usage } from '../../reply/usage.ts';

/** The prices of a model, and where they are from. */
export type KnownPrices = ModelPrices & {
  readonly source: Extract<CostSource, 'listed' | 'priceList' | 'stated' | 'vendor'>;
};

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
  const { input, output, cachedInput = input, cacheWrite = input, longPrompts } = prices;
  const { perRequest = 0, unit, source } = prices;
  if (longPrompts !== undefined && inputTokens(usage) > longPrompts.above) {
    return costOf({ ...longPrompts, perRequest, unit, source }, usage);
  }
  if ([input, output, cachedInput, cacheWrite, perRequest].some((price) => price > mostOfCall)) {
    return undefined;
  }
  const { cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  const uncached = inputTokens(usage) - cachedTokens - cacheWriteTokens;
  const ofInput = uncached * input + cachedTokens * cachedInput + cacheWriteTokens * cacheWrite;
  const amount = (ofInput + outputTokens(usage) * output) / 1_000_000 + perRequest;
  return Number.isFinite(amount) ? { amount, unit, source } : undefined;
}

/** Prompt tokens for each completion token, about. */
const usualRatio = 3;

/**
 * By how many percent other prices are lower. Undefined when they aren't, when that is unknown, and for the credit of
 * two sites, because its units have different values.
 */
export function percentCheaper(prices: ModelPrices, others: ModelPrices): number | undefined {
  const [price, other] = [mixedPrice(prices), mixedPrice(others)];
  if (prices.unit !== others.unit || !isCurrency(prices.unit) || !price || other === undefined) {
    return undefined;
  }
  const percent = Math.round((1 - other / price) * 100);
  return percent >= 1 ? percent : undefined;
}

/** A price for tokens of both kinds. What a call costs besides can't be compared with it. */
function mixedPrice({ input, output, perRequest }: ModelPrices): number | undefined {
  return input === undefined || output === undefined || perRequest ? undefined : input * usualRatio + output;
}

/** Finds the prices of a model in the price list of a gateway, or of all vendors. */
type PriceList = (model: string) => ModelPrices | undefined;

export type PriceSourcePorts = {
  /** What identifies the gateway of a connection, so that no price of another address is used for it. */
  readonly addressOf: (connection: string) => string | undefined;
  /** Reads the model list of a connection; undefined when it has none, or none is stored. */
  readonly readList: (connection: string) => Promise<ModelList | undefined>;
  /**
   * The price list of a gateway, which is asked for it once; undefined when it has none, or the connection doesn't allow
   * to ask for it. Never rejects.
   */
  readonly readPriceList: (connection: string) => Promise<PriceList | undefined>;
  /** The prices that the person states now. */
  readonly statedPrice: PriceOf;
  /** Called when a gateway's price list was read, and when vendors' prices were. */
  readonly onRead: () => void;
  readonly onDefect: (error: unknown) => void;
};

/** What is known of a gateway. */
type Known = { list?: ModelList; models?: Map<string, Model>; prices?: PriceList };

/**
 * Where prices come from, the most reliable first: the model list, the gateway's price list, the person, and the list
 * price of the model's vendor. A model that none of them has a price for has no known price.
 */
export class PriceSources {
  readonly #ports: PriceSourcePorts;
  /** By the id of the connection and its address. */
  readonly #known = new Map<string, Known>();
  #vendorPrices: PriceList | undefined;

  constructor(ports: PriceSourcePorts) {
    this.#ports = ports;
  }

  /** Call when the model list of a connection was read. */
  setList(connection: string, list: ModelList): void {
    const known = this.#knownOf(connection);
    if (known.list !== list) {
      known.list = list;
      known.models = new Map(list.models.map((model) => [model.id, model]));
    }
  }

  /** Finds prices in what is known now. */
  pricesOf(connection: string): PriceOf {
    return (model) => {
      const { models, prices } = this.#knownOf(connection);
      return (
        from('listed', models?.get(model)?.prices) ??
        from('priceList', prices?.(model)) ??
        this.#ports.statedPrice(model) ??
        from('vendor', models?.get(model)?.isForChat === false ? undefined : this.#vendorPrices?.(model))
      );
    };
  }

  /** Whether the model list of a connection, as far as it is known, has a model. */
  hasModel(connection: string, model: string): boolean {
    return this.#knownOf(connection).models?.has(model) ?? false;
  }

  /**
   * Reads what is not known yet of a connection: its model list, and its gateway's price list.
   *
   * @param model that is asked; the list may lack it.
   */
  async load(connection: string, model?: string): Promise<void> {
    await Promise.all([this.#loadPrices(connection), this.loadList(connection)]);
    const priceOf = this.pricesOf(connection);
    const ids = [...(model === undefined ? [] : [model]), ...(this.#knownOf(connection).models?.keys() ?? [])];
    // They are half a megabyte of code, so they are loaded only when a model has no other price.
    if (this.#vendorPrices === undefined && ids.some((id) => priceOf(id) === undefined)) {
      this.#vendorPrices = (await import('./vendorPrices.ts')).vendorPrices;
      this.#ports.onRead();
    }
  }

  /** Reads the model list of a connection unless it is known. */
  async loadList(connection: string): Promise<void> {
    if (this.#knownOf(connection).list === undefined) {
      const { readList, onDefect } = this.#ports;
      const list = await readList(connection).catch((error: unknown) => void onDefect(error));
      if (list) {
        this.setList(connection, list);
      }
    }
  }

  async #loadPrices(connection: string): Promise<void> {
    const known = this.#knownOf(connection);
    const prices = await this.#ports.readPriceList(connection);
    const isNew = prices !== undefined && known.prices === undefined;
    known.prices = prices;
    if (isNew) {
      this.#ports.onRead();
    }
  }

  #knownOf(connection: string): Known {
    const name = `${connection} ${this.#ports.addressOf(connection) ?? ''}`;
    const known = this.#known.get(name) ?? {};
    this.#known.set(name, known);
    return known;
  }
}

function from(source: KnownPrices['source'], prices: ModelPrices | undefined): KnownPrices | undefined {
  return prices && { ...prices, source };
}

/** The setting with the prices that a person states. */
export const priceSetting = 'askModel.prices';

const price = z.number().check(z.nonnegative(), z.maximum(mostOfCall));

/**
 * The prices of a model in the setting: per million tokens, and `perCall` in addition to them. `currency` is an ISO 4217
 * code, or what the gateway calls its own unit. The schema in package.json has the same rules.
 */
export const statedPrice = z.strictObject({
  input: price,
  cached: z.optional(price),
  output: price,
  perCall: z.optional(price),
  currency: z.string().check(z.regex(/^(?=\S)\D{1,16}$/)),
});

/**
 * Reads the setting with stated prices: an object that has the prices for each model ID or pattern, in which `*` stands
 * for any characters. An exact ID comes before patterns, and a longer pattern before a shorter one. Entries that can't be
 * used are left out: VS Code underlines them by the schema, and their models have no known price.
 *
 * @param setting its value, of any type.
 */
export function readStatedPrices(setting: unknown): PriceOf {
  const entries = Object.entries(recordOf(setting)).flatMap(([name, value]) => {
    const { data } = z.safeParse(statedPrice, value);
    return data ? [{ name, prices: knownPrices(data) }] : [];
  });
  const patterns = entries.filter(({ name }) => name.includes('*')).sort((a, b) => b.name.length - a.name.length);
  return (model) =>
    (entries.find(({ name }) => name === model) ?? patterns.find(({ name }) => matchesWildcards(model, name)))?.prices;
}

function knownPrices({ input, cached, output, perCall, currency }: z.infer<typeof statedPrice>): KnownPrices {
  const unit = /^[a-z]{3}$/i.test(currency) ? currency.toUpperCase() : currency.trim();
  return { input, output, cachedInput: cached, perRequest: perCall, unit, source: 'stated' };
}
