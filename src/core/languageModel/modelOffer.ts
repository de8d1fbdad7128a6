import type { Clock } from '../clock.ts';
import { type Disposable, DisposableStore, Emitter, type Event } from '../lifetime.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { isSameOffer, type OfferedModel, type OfferSource, offeredModels } from './offeredModels.ts';

export type OfferPorts = {
  readonly catalogue: OfferSource & Pick<Catalogue, 'onDidChange' | 'load'>;
  readonly clock: Clock;
  readonly onDefect: (error: unknown) => void;
};

/**
 * What the rest of VS Code was told of the models, and when to tell it anew. One event of the catalogue becomes at most
 * one of these, and only when what was told is no longer so.
 */
export class ModelOffer implements Disposable {
  readonly #ports: OfferPorts;
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  #told: readonly OfferedModel[] | undefined;
  /** Answers under way; they say the newest by themselves. */
  #waiting = 0;

  constructor(ports: OfferPorts) {
    this.#ports = ports;
    this.#store.add(ports.catalogue.onDidChange(() => this.#tellChange()));
  }

  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  /**
   * The models that can be asked. A kept list answers at once; without one the gateway is waited for.
   *
   * @param patienceMs after this what is there by then is the answer; the event tells of what comes later.
   */
  async find(signal: AbortSignal, patienceMs = Number.POSITIVE_INFINITY): Promise<readonly OfferedModel[]> {
    const { catalogue, onDefect } = this.#ports;
    this.#waiting++;
    try {
      const loading = catalogue.load().catch(onDefect);
      if (!this.#isKnown) {
        await this.#known(loading, signal, patienceMs);
      }
    } finally {
      this.#waiting--;
    }
    this.#told = offeredModels(catalogue);
    return this.#told;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** There is a list, or nothing that could bring one is under way. */
  get #isKnown(): boolean {
    const { status, list } = this.#ports.catalogue.state;
    return list !== undefined || (status !== 'unread' && status !== 'loading');
  }

  async #known(loading: Promise<void>, signal: AbortSignal, patienceMs: number): Promise<void> {
    const { catalogue, clock } = this.#ports;
    const store = new DisposableStore();
    await new Promise<void>((resolve) => {
      const end = () => resolve();
      store.add(catalogue.onDidChange(() => this.#isKnown && resolve()));
      if (patienceMs !== Number.POSITIVE_INFINITY) {
        store.add(clock.after(patienceMs, end));
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

  #tellChange(): void {
    if (this.#told === undefined || this.#waiting > 0) {
      return;
    }
    const now = offeredModels(this.#ports.catalogue);
    if (!isSameOffer(now, this.#told)) {
      this.#told = now;
      this.#didChange.fire();
    }
  }
}
