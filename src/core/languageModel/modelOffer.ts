import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore, Emitter, type Event } from '../base/lifetime.ts';
import { ShortTurns, type Steps } from '../base/shortTurns.ts';
import type { Catalogue } from '../models/catalogue/catalogue.ts';
import {
  isSameOffer,
  type OfferedModel,
  type OfferSource,
  offeredModels,
  offeringConnection,
} from './offeredModels.ts';

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
  readonly #turns: ShortTurns;
  /** The newest offer that was made, and what it was made of. */
  #told: { readonly source: OfferSource; readonly models: readonly OfferedModel[] } | undefined;
  #isTelling = false;
  /** Answers under way; they say the newest by themselves. */
  #waiting = 0;

  constructor(ports: OfferPorts) {
    this.#ports = ports;
    this.#turns = new ShortTurns(ports.clock);
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
      return (await this.#renew()).models;
    } finally {
      this.#waiting--;
      // A change in the very moment between the answer and here.
      this.#tellChange();
    }
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
    if (this.#told === undefined || this.#waiting > 0 || this.#isNewest(this.#told.source)) {
      return;
    }
    const source = this.#source;
    if (offeringConnection(source) === undefined) {
      // Models that can not be asked any more are taken away at once.
      const isOther = this.#told.models.length > 0;
      this.#told = { source, models: [] };
      if (isOther) {
        this.#didChange.fire();
      }
      return;
    }
    if (this.#isTelling) {
      return;
    }
    this.#isTelling = true;
    this.#renew()
      .finally(() => {
        this.#isTelling = false;
      })
      .then(({ isOther }) => {
        if (isOther && this.#waiting === 0) {
          this.#didChange.fire();
        }
        this.#tellChange();
      })
      .catch(this.#ports.onDefect);
  }

  /** Makes the offer of this moment, in short turns and anew when the catalogue changes meanwhile. */
  async #renew(): Promise<{ readonly models: readonly OfferedModel[]; readonly isOther: boolean }> {
    for (;;) {
      const before = this.#told;
      if (before && this.#isNewest(before.source)) {
        return { models: before.models, isOther: false };
      }
      const source = this.#source;
      const { models, isOther } = await this.#turns.run(offerAfter(before?.models, source));
      if (this.#isNewest(source) && this.#told === before) {
        this.#told = { source, models };
        return { models, isOther };
      }
    }
  }

  /** All that an offer is made of, as it is at this moment. */
  get #source(): OfferSource {
    const { view, state, defaultModel, favourites } = this.#ports.catalogue;
    return { view, state, defaultModel, favourites };
  }

  #isNewest(source: OfferSource): boolean {
    const { catalogue } = this.#ports;
    return source.view === catalogue.view && offeringConnection(source) === offeringConnection(catalogue);
  }
}

function* offerAfter(
  before: readonly OfferedModel[] | undefined,
  source: OfferSource,
): Steps<{ models: readonly OfferedModel[]; isOther: boolean }> {
  const models = yield* offeredModels(source);
  return { models, isOther: before === undefined || !(yield* isSameOffer(before, models)) };
}
