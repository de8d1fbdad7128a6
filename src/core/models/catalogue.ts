import type { Clock } from '../clock.ts';
import type { Connection } from '../gateway/connection.ts';
import { type GatewayProblem, isGatewayError } from '../gateway/gatewayProblem.ts';
import { type Disposable, Emitter, type Event } from '../lifetime.ts';
import type { ModelList } from './model.ts';

/** Where the next call goes, or why there is nowhere to go. */
export type Destination =
  | { readonly status: 'disconnected' }
  | { readonly status: 'keyMissing'; readonly connection: Connection }
  /** There is a key, but it was given for another origin and is not sent to this one. */
  | { readonly status: 'keyElsewhere'; readonly connection: Connection; readonly origin: string }
  | { readonly status: 'ready'; readonly connection: Connection; readonly key: string };

export type CatalogueState = {
  readonly status: 'unread' | 'disconnected' | 'keyMissing' | 'keyElsewhere' | 'loading' | 'ready' | 'failed';
  readonly connection?: Connection;
  /** The last list that could be read for this connection; kept when a refresh fails. */
  readonly list?: ModelList;
  /** Unix milliseconds. */
  readonly readAt?: number;
  readonly problem?: GatewayProblem;
};

export type CataloguePorts = {
  readonly findDestination: () => Promise<Destination>;
  readonly listModels: (destination: Destination & { status: 'ready' }, signal: AbortSignal) => Promise<ModelList>;
  readonly clock: Clock;
  /** The default model of the connection in use, remembered between sessions. */
  readonly memory: { get(): string | undefined; set(model: string): Promise<void> };
};

/** The models of the connection in use, and which of them is the default. */
export class Catalogue implements Disposable {
  readonly #ports: CataloguePorts;
  readonly #didChange = new Emitter<void>();
  #state: CatalogueState = { status: 'unread' };
  #refreshing: Promise<void> | undefined;
  #abort = new AbortController();

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

  /** Reads the list once; later calls are answered by what is there. */
  async load(): Promise<void> {
    if (this.#state.status === 'unread') {
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
    let destination: Destination;
    try {
      destination = await this.#ports.findDestination();
    } catch (error) {
      if (!signal.aborted) {
        this.#set({ ...this.#state, status: 'failed', problem: { kind: 'defect' } });
        throw error;
      }
      return;
    }
    if (signal.aborted) {
      return;
    }
    if (destination.status !== 'ready') {
      this.#set(destination);
      return;
    }
    const { connection } = destination;
    const { list, readAt } = this.#state.connection?.id === connection.id ? this.#state : {};
    const known = { connection, ...(list && { list }), ...(readAt !== undefined && { readAt }) };
    this.#set({ status: 'loading', ...known });
    try {
      const fresh = await this.#ports.listModels(destination, signal);
      if (!signal.aborted) {
        this.#set({ status: 'ready', connection, list: fresh, readAt: this.#ports.clock.now() });
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (!isGatewayError(error)) {
        this.#set({ status: 'failed', ...known, problem: { kind: 'defect' } });
        throw error;
      }
      this.#set({ status: 'failed', ...known, problem: error.problem });
    }
  }

  #set(state: CatalogueState): void {
    this.#state = state;
    this.#didChange.fire();
  }
}
