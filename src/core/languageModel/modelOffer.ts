import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore, Emitter, type Event } from '../base/lifetime.ts';
import type { Catalogue } from '../models/catalogue/catalogue.ts';
import { type OfferedModel, type OfferSource, offeredModels, offeringConnection } from './offeredModels.ts';

export type OfferPorts = {
  readonly catalogue: OfferSource & Pick<Catalogue, 'onDidChange' | 'load'>;
  readonly clock: Clock;
  readonly onDefect: (error: unknown) => void;
};

/**
 * The models offered to the rest of VS Code, with an event when VS Code has to ask for them again. It fires at most
 * once per event of the catalogue, and only when something changed that affects the offer.
 */
export class ModelOffer implements Disposable {
  readonly #ports: OfferPorts;
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  /** What the last answer was made from; undefined before the first one. */
  #offered: readonly unknown[] | undefined;
  /** How many answers are pending. They will include all changes, so no event fires until then. */
  #pending = 0;

  constructor(ports: OfferPorts) {
    this.#ports = ports;
    this.#store.add(ports.catalogue.onDidChange(() => this.#notifyChange()));
  }

  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  /**
   * Finds the models that can be called. Returns at once when there is a stored list; otherwise waits for the gateway.
   *
   * @param maxWaitMs after this time the models known so far are returned; an event follows when the list arrives.
   */
  async find(signal: AbortSignal, maxWaitMs = Number.POSITIVE_INFINITY): Promise<readonly OfferedModel[]> {
    const { catalogue, onDefect } = this.#ports;
    this.#pending++;
    try {
      const loading = catalogue.load().catch(onDefect);
      if (!this.#isKnown) {
        await this.#untilKnown(loading, signal, maxWaitMs);
      }
      this.#offered = this.#basis;
      return offeredModels(catalogue);
    } finally {
      this.#pending--;
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Whether there is a list, or none is expected. */
  get #isKnown(): boolean {
    const { status, list } = this.#ports.catalogue.state;
    return list !== undefined || (status !== 'unread' && status !== 'loading');
  }

  async #untilKnown(loading: Promise<void>, signal: AbortSignal, maxWaitMs: number): Promise<void> {
    const { catalogue, clock } = this.#ports;
    const store = new DisposableStore();
    await new Promise<void>((resolve) => {
      const end = () => resolve();
      store.add(catalogue.onDidChange(() => this.#isKnown && resolve()));
      if (maxWaitMs !== Number.POSITIVE_INFINITY) {
        store.add(clock.after(maxWaitMs, end));
      }
      signal.addEventListener('abort', end);
      store.add({ dispose: () => signal.removeEventListener('abort', end) });
      void loading.then(end);
      if (signal.aborted) {
        end();
      }
    });
    store.dispose();
  }

  #notifyChange(): void {
    const [before, now] = [this.#offered, this.#basis];
    const isChanged = before?.length !== now.length || now.some((each, index) => each !== before[index]);
    if (before !== undefined && this.#pending === 0 && isChanged) {
      this.#offered = now;
      this.#didChange.fire();
    }
  }

  /** Everything the offer is made from; empty while there is nothing to offer. */
  get #basis(): readonly unknown[] {
    const { catalogue } = this.#ports;
    const { list, choices } = catalogue.view;
    const connection = offeringConnection(catalogue);
    if (connection === undefined || (list === undefined && choices.manual.length === 0)) {
      return [];
    }
    const { id, name, url } = connection;
    const { defaultModel, favourites, manual } = choices;
    return [list, JSON.stringify([id, name, url.base, defaultModel, favourites, manual])];
  }
}
