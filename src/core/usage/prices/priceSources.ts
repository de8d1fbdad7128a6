import { once } from '../../base/once.ts';
import type { Model, ModelList, ModelPrices } from '../../models/list/model.ts';
import type { KnownPrices, PriceOf } from './prices.ts';

/** Finds the prices of a model in the price list of a gateway. */
type PriceList = (model: string) => ModelPrices | undefined;

export type PriceSourcePorts = {
  /** What identifies the gateway of a connection, so that no price of another address is used for it. */
  readonly addressOf: (connection: string) => string | undefined;
  /** Reads the model list of a connection; undefined when it has none, or none is stored. */
  readonly readList: (connection: string) => Promise<ModelList | undefined>;
  /** Reads the price list of a gateway; undefined when it has none, or the connection doesn't allow to ask for it. */
  readonly readPriceList: (connection: string) => Promise<PriceList | undefined>;
  /** The prices that the person states now. */
  readonly statedPrice: PriceOf;
  /** Called when a gateway's price list was read. */
  readonly onRead: () => void;
  readonly onDefect: (error: unknown) => void;
};

/** What is known of a gateway. */
type Known = { models?: () => ReadonlyMap<string, Model>; list?: ModelList; prices?: PriceList | undefined };

/**
 * Where prices come from, the most reliable first: the model list, the gateway's price list, the person. A model that
 * none of them has a price for has no known price.
 */
export class PriceSources {
  readonly #ports: PriceSourcePorts;
  /** By the id of the connection and its address. */
  readonly #known = new Map<string, Known>();
  /** The price lists that are or were read, by the same. */
  readonly #reading = new Map<string, Promise<void>>();

  constructor(ports: PriceSourcePorts) {
    this.#ports = ports;
  }

  /** Call when the model list of a connection was read. */
  setList(connection: string, list: ModelList): void {
    const known = this.#knownOf(connection);
    if (known.list !== list) {
      known.list = list;
      known.models = once(() => new Map(list.models.map((model) => [model.id, model])));
    }
  }

  /** Finds prices in what is known now. */
  pricesOf(connection: string): PriceOf {
    return (model) => {
      const { models, prices } = this.#knownOf(connection);
      return (
        from('listed', models?.().get(model)?.prices) ??
        from('priceList', prices?.(model)) ??
        this.#ports.statedPrice(model)
      );
    };
  }

  /** Whether the model list of a connection, as far as it is known, has a model. */
  hasModel(connection: string, model: string): boolean {
    return this.#knownOf(connection).models?.().has(model) ?? false;
  }

  /** Reads what is not known yet of a connection: its model list, and once per session its gateway's price list. */
  async load(connection: string): Promise<void> {
    await Promise.all([this.#loadPrices(connection), this.loadList(connection)]);
  }

  /** As `load`, but waits for the gateway's price list only if nothing else has prices of the model. */
  async loadFor(connection: string, model: string): Promise<void> {
    const loading = this.#loadPrices(connection);
    await this.loadList(connection);
    if (this.pricesOf(connection)(model) === undefined) {
      await loading;
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

  /** Lets price lists be read again, because keys or permissions changed. Until then, the known ones stay. */
  refresh(): void {
    this.#reading.clear();
  }

  #loadPrices(connection: string): Promise<void> {
    const [name, known] = [this.#nameOf(connection), this.#knownOf(connection)];
    const reading =
      this.#reading.get(name) ??
      this.#ports.readPriceList(connection).then((prices) => {
        known.prices = prices;
        if (prices) {
          this.#ports.onRead();
        }
      }, this.#ports.onDefect);
    this.#reading.set(name, reading);
    return reading;
  }

  #knownOf(connection: string): Known {
    const name = this.#nameOf(connection);
    const known = this.#known.get(name) ?? {};
    this.#known.set(name, known);
    return known;
  }

  #nameOf(connection: string): string {
    return `${connection} ${this.#ports.addressOf(connection) ?? ''}`;
  }
}

function from(source: KnownPrices['source'], prices: ModelPrices | undefined): KnownPrices | undefined {
  return prices && { ...prices, source };
}
