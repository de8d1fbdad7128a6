import type { Clock } from '../clock.ts';
import type { Connection, Destination } from '../gateway/connection.ts';
import { type GatewayProblem, isGatewayError } from '../gateway/gatewayProblem.ts';
import { type Disposable, Emitter, type Event } from '../lifetime.ts';
import type { ModelList } from './model.ts';

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
      this.#set({ ...this.#state, status: 'failed', connection, problem: { kind: 'secretStore', words: reason } });
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
