import type { Clock } from '../clock.ts';
import type { Advice } from '../gateway/advice.ts';
import type { Connection, Destination } from '../gateway/connection.ts';
import { type GatewayProblem, isGatewayError } from '../gateway/gatewayProblem.ts';
import { type Disposable, Emitter, type Event } from '../lifetime.ts';
import type { ModelList } from './model.ts';
import type { KeptList, ModelLists } from './storedList.ts';

export type CatalogueState = {
  readonly status: 'unread' | 'disconnected' | 'keyMissing' | 'keyElsewhere' | 'loading' | 'ready' | 'failed';
  readonly connection?: Connection;
  /** The last list that could be read for this connection; kept when a refresh fails. */
  readonly list?: ModelList;
  /** Unix milliseconds. */
  readonly readAt?: number;
  /** The list is the one that was kept from an earlier session; the gateway has not been heard since. */
  readonly isCached?: true;
  readonly problem?: GatewayProblem;
  /** What to say of the problem and what to do about it. */
  readonly advice?: Advice;
};

export type CataloguePorts = {
  readonly findDestination: () => Promise<Destination>;
  readonly listModels: (destination: Destination & { status: 'ready' }, signal: AbortSignal) => Promise<ModelList>;
  /** Words for a problem; loaded with the first one. */
  readonly advise: (problem: GatewayProblem, connection: Connection) => Promise<Advice>;
  readonly clock: Clock;
  /** Lists kept between sessions; without it a list lasts as long as the window. */
  readonly kept?: {
    /** Loaded with the first list. */
    readonly lists: () => Promise<ModelLists>;
    /** A keyed hash of a text: it names a key without telling it. */
    readonly fingerprint: (text: string) => Promise<string>;
    /** Told when a list could not be kept or found again. Nothing else depends on that. */
    readonly onFailure: (error: unknown) => void;
  };
  /** The default model of the connection in use, remembered between sessions. */
  readonly memory: { get(): string | undefined; set(model: string): Promise<void> };
};

type ShownList = Pick<CatalogueState, 'list' | 'readAt' | 'isCached'>;

/** The models of the connection in use, and which of them is the default. */
export class Catalogue implements Disposable {
  readonly #ports: CataloguePorts;
  readonly #didChange = new Emitter<void>();
  #state: CatalogueState = { status: 'unread' };
  #refreshing: Promise<void> | undefined;
  #abort = new AbortController();
  /** Of the key that the list on show was read with. */
  #fingerprint: string | undefined;

  constructor(ports: CataloguePorts) {
    this.#ports = ports;
  }

  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  get state(): CatalogueState {
    return this.#state;
  }

  /** Exact id of the default model, known without the list; it may no longer be in it. */
  get defaultModel(): string | undefined {
    return this.#ports.memory.get();
  }

  async setDefaultModel(id: string): Promise<void> {
    await this.#ports.memory.set(id);
    this.#didChange.fire();
  }

  /** Reads the list once; later calls are answered by what is there, unless there is nothing. */
  async load(): Promise<void> {
    const { status, list } = this.#state;
    if (status === 'unread' || (status === 'failed' && list === undefined)) {
      await this.refresh();
    } else {
      await this.#refreshing;
    }
  }

  /** Reads the list anew; callers at the same time share one request. Failure is a state, not an exception. */
  refresh(): Promise<void> {
    if (this.#refreshing === undefined) {
      const refreshing = this.#read(this.#abort.signal).finally(() => {
        if (this.#refreshing === refreshing) {
          this.#refreshing = undefined;
        }
      });
      this.#refreshing = refreshing;
    }
    return this.#refreshing;
  }

  /** The connection or its key is another one now: what is under way no longer counts. Read at the next `load`. */
  forget(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#refreshing = undefined;
    this.#set({ status: 'unread' });
  }

  dispose(): void {
    this.#abort.abort();
    this.#didChange.dispose();
  }

  async #read(signal: AbortSignal): Promise<void> {
    const destination = await this.#ports.findDestination();
    if (signal.aborted) {
      return;
    }
    if (destination.status === 'keyUnreadable') {
      const { connection, reason } = destination;
      const known = this.#state.connection?.id === connection.id ? this.#shown : {};
      await this.#fail(connection, known, { kind: 'secretStore', words: reason }, signal);
      return;
    }
    if (destination.status !== 'ready') {
      this.#set(destination);
      return;
    }
    const { connection } = destination;
    const fingerprint = await this.#fingerprintOf(destination);
    if (signal.aborted) {
      return;
    }
    const isSame = this.#state.connection?.id === connection.id && this.#fingerprint === fingerprint;
    let known = isSame ? this.#shown : {};
    this.#fingerprint = fingerprint;
    this.#set({ status: 'loading', connection, ...known });
    let isFresh = false;
    const finding =
      known.list === undefined && fingerprint !== undefined
        ? this.#find(connection.id, fingerprint).then((kept) => {
            if (kept !== undefined && !isFresh && !signal.aborted) {
              known = { ...kept, isCached: true };
              this.#set({ status: 'loading', connection, ...known });
            }
          })
        : undefined;
    try {
      const list = await this.#ports.listModels(destination, signal);
      isFresh = true;
      if (!signal.aborted) {
        const readAt = this.#ports.clock.now();
        this.#set({ status: 'ready', connection, list, readAt });
        void this.#keep(connection.id, fingerprint, { list, readAt });
      }
    } catch (error) {
      await finding;
      if (signal.aborted) {
        return;
      }
      if (!isGatewayError(error)) {
        await this.#fail(connection, known, { kind: 'defect' }, signal);
        throw error;
      }
      await this.#fail(connection, known, error.problem, signal);
    }
  }

  async #fail(connection: Connection, known: ShownList, problem: GatewayProblem, signal: AbortSignal): Promise<void> {
    const advice = await this.#ports.advise(problem, connection);
    if (!signal.aborted) {
      this.#set({ status: 'failed', connection, ...known, problem, advice });
    }
  }

  /** The list on show and where it is from. */
  get #shown(): ShownList {
    const { list, readAt, isCached } = this.#state;
    return { ...(list && { list }), ...(readAt !== undefined && { readAt }), ...(isCached && { isCached }) };
  }

  /** Of the key at this address: the same key may see other models under another path of the gateway. */
  async #fingerprintOf({ connection, key }: Destination & { status: 'ready' }): Promise<string | undefined> {
    try {
      return await this.#ports.kept?.fingerprint(`${connection.url.base}\n${key}`);
    } catch (error) {
      this.#ports.kept?.onFailure(error);
      return undefined;
    }
  }

  async #find(connectionId: string, fingerprint: string): Promise<KeptList | undefined> {
    try {
      const lists = await this.#ports.kept?.lists();
      const kept = await lists?.read(connectionId, fingerprint);
      // A clock that was set back must not make a list younger than now.
      return kept && { list: kept.list, readAt: Math.min(kept.readAt, this.#ports.clock.now()) };
    } catch (error) {
      this.#ports.kept?.onFailure(error);
      return undefined;
    }
  }

  async #keep(connectionId: string, fingerprint: string | undefined, kept: KeptList): Promise<void> {
    try {
      if (fingerprint !== undefined) {
        const lists = await this.#ports.kept?.lists();
        await lists?.write(connectionId, fingerprint, kept);
      }
    } catch (error) {
      this.#ports.kept?.onFailure(error);
    }
  }

  #set(state: CatalogueState): void {
    this.#state = state;
    this.#didChange.fire();
  }
}
