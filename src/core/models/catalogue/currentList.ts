import type { Clock } from '../../base/clock.ts';
import { type Disposable, Emitter, type Event } from '../../base/lifetime.ts';
import { parseJson } from '../../base/loose.ts';
import type { Connection, Destination } from '../../connections/connection.ts';
import type { Advice } from '../../errors/advice.ts';
import { GatewayError, type GatewayProblem, isTransient } from '../../errors/gatewayProblem.ts';
import type { ModelItems, ModelList, ModelListAnswer } from '../list/model.ts';
import { fingerprinted, type ListSource, ListStore, type ListStorePorts } from './listStore.ts';

/** State of the list of the connection in use. */
export type ListState = {
  readonly status:
    | 'unread'
    | 'disconnected'
    | 'keyMissing'
    | 'keyElsewhere'
    | 'keyInClear'
    | 'loading'
    | 'ready'
    | 'failed';
  readonly connection?: Connection;
  /** The last list that was read for this connection; it remains when a refresh fails. */
  readonly list?: ModelList;
  /** Unix milliseconds. */
  readonly readAt?: number;
  /** The list was stored in an earlier session, and the gateway hasn't sent a newer one yet. */
  readonly isCached?: true;
  readonly problem?: GatewayProblem;
  /** A description of the problem and what to do about it. */
  readonly advice?: Advice;
};

export type CurrentListPorts = {
  readonly findDestination: () => Promise<Destination>;
  readonly listModels: (
    destination: Destination & { status: 'ready' },
    signal: AbortSignal,
  ) => Promise<ModelListAnswer>;
  /** Describes a problem; loaded when the first one occurs. */
  readonly advise: (problem: GatewayProblem, connection: Connection) => Advice;
  readonly clock: Clock;
  /** Lists stored between sessions; without this, a list lasts only as long as the window. */
  readonly stored?: ListStorePorts;
};

type ShownList = Pick<ListState, 'list' | 'readAt' | 'isCached'>;

const none: ReadonlySet<string> = new Set();
/** Shortest time between two automatic attempts to read a failed list. */
const autoRetryMs = 30_000;

/** Reads the list of the connection in use, stores it between sessions and compares it with the previous one. */
export class CurrentList implements Disposable {
  protected readonly didChange = new Emitter<void>();
  readonly #ports: CurrentListPorts;
  readonly #stored: ListStore;
  /** By source: the ids that were new when its list was last read. */
  readonly #newIds = new Map<string, ReadonlySet<string>>();
  #state: ListState = { status: 'unread' };
  #refreshing: Promise<void> | undefined;
  #abort = new AbortController();
  #source: ListSource | undefined;
  /** When a failed list was last read again automatically. */
  #retriedAt: number | undefined;
  /** The gateway's own items of the shown list, until they are stored. */
  #items: ModelItems | undefined;

  constructor(ports: CurrentListPorts) {
    this.#ports = ports;
    this.#stored = new ListStore(ports.clock, ports.stored);
  }

  get onDidChange(): Event<void> {
    return this.didChange.event;
  }

  get state(): ListState {
    return this.#state;
  }

  /** Exact ids that the previous list read with the same key didn't contain. */
  get newIds(): ReadonlySet<string> {
    return this.#state.list && this.#source ? this.#newIdsOf(this.#source) : none;
  }

  /** @returns the gateway's own item of a model; undefined when there is none. */
  async item(id: string): Promise<unknown> {
    const source = this.#source;
    if (this.#state.list === undefined || source === undefined) {
      return undefined;
    }
    const text = this.#items?.get(id) ?? (await this.#stored.item(source, id));
    return text ? parseJson(text) : undefined;
  }

  /**
   * Reads the list if that wasn't tried yet, or failed without a stored list. Otherwise waits for any read in progress.
   */
  async load(): Promise<void> {
    const { status, list } = this.#state;
    if (status === 'unread' || (status === 'failed' && list === undefined)) {
      await this.#start(false);
    } else {
      await this.#refreshing;
    }
  }

  /** Reads the list again. Concurrent callers share one request. A failure is a state, not an exception. */
  refresh(): Promise<void> {
    this.#retriedAt = undefined;
    return this.#start(true);
  }

  /**
   * Called when the gateway answered any request. A list that could not be read is then read again, because its problem
   * may be outdated. If that fails too, later answers repeat it only for temporary problems, and at most every 30
   * seconds.
   *
   * @param url the address of the answered request.
   */
  async answered(url: string): Promise<void> {
    const { status, connection, problem } = this.#state;
    const now = this.#ports.clock.now();
    // The absolute difference, so that a clock that was set back doesn't delay the attempt.
    const isDue =
      this.#retriedAt === undefined ||
      (problem !== undefined && isTemporary(problem) && Math.abs(now - this.#retriedAt) >= autoRetryMs);
    if (
      status === 'failed' &&
      isDue &&
      connection &&
      [connection.url.modelsUrl, connection.url.chatUrl].includes(url)
    ) {
      this.#retriedAt = now;
      await this.#start(false);
    }
  }

  /**
   * Discards the list and any request in progress, because the connection or its key changed; the next `load` reads it
   * again.
   */
  forget(): void {
    this.#retriedAt = undefined;
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#refreshing = undefined;
    this.#source = undefined;
    this.#items = undefined;
    this.#set({ status: 'unread' });
  }

  dispose(): void {
    this.#abort.abort();
    this.didChange.dispose();
  }

  /**
   * @param isRequested whether the person asked for a refresh, which clears the marks of models that were new so far.
   */
  #start(isRequested: boolean): Promise<void> {
    if (this.#refreshing === undefined) {
      const refreshing = this.#read(isRequested, this.#abort.signal).finally(() => {
        if (this.#refreshing === refreshing) {
          this.#refreshing = undefined;
        }
      });
      this.#refreshing = refreshing;
    }
    return this.#refreshing;
  }

  async #read(isRequested: boolean, signal: AbortSignal): Promise<void> {
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
    const fingerprint = await this.#stored.fingerprint(fingerprinted(destination));
    if (signal.aborted) {
      return;
    }
    const source = { connectionId: connection.id, fingerprint };
    const isSame = this.#state.connection?.id === connection.id && this.#source?.fingerprint === fingerprint;
    let known = isSame ? this.#shown : {};
    this.#source = source;
    this.#items = isSame ? this.#items : undefined;
    this.#set({ status: 'loading', connection, ...known });
    const reading = this.#ports.listModels(destination, signal);
    // It may reject before it is awaited below, where the error is handled.
    reading.catch(() => undefined);
    const stored = known.list ? undefined : await this.#stored.find(source);
    if (stored && !signal.aborted) {
      known = { ...stored, isCached: true };
      this.#set({ status: 'loading', connection, ...known });
    }
    try {
      const { items, ...read } = await reading;
      // The connection may have changed in the meantime.
      if (!signal.aborted) {
        // An equal list stays the same object, so that nothing is built from it again.
        const list = known.list && isSameList(read, known.list) ? known.list : read;
        const readAt = this.#ports.clock.now();
        const stillNew = isRequested ? none : this.#newIdsOf(source);
        this.#newIds.set(nameOf(source), known.list ? addedIds(list, known.list, stillNew) : none);
        this.#items = items;
        this.#retriedAt = undefined;
        this.#set({ status: 'ready', connection, list, readAt });
        // Not awaited, because the list is already shown.
        void this.#stored.store(source, { list, readAt, items }).then((isStored) => {
          if (isStored && this.#items === items) {
            this.#items = undefined;
          }
        });
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (!(error instanceof GatewayError)) {
        await this.#fail(connection, known, { kind: 'defect' }, signal);
        throw error;
      }
      await this.#fail(connection, known, error.problem, signal);
    }
  }

  async #fail(connection: Connection, known: ShownList, problem: GatewayProblem, signal: AbortSignal): Promise<void> {
    const advice = this.#ports.advise(problem, connection);
    if (!signal.aborted) {
      this.#set({ status: 'failed', connection, ...known, problem, advice });
    }
  }

  /** The shown list, when it was read, and whether it comes from an earlier session. */
  get #shown(): ShownList {
    const { list, readAt, isCached } = this.#state;
    return { list, readAt, isCached };
  }

  #newIdsOf(source: ListSource): ReadonlySet<string> {
    return this.#newIds.get(nameOf(source)) ?? none;
  }

  #set(state: ListState): void {
    this.#state = state;
    this.didChange.fire();
  }
}

/**
 * Whether a problem may go away by itself. Covers more than `isTransient`, because an answered request shows that the
 * gateway is up again.
 */
function isTemporary(problem: GatewayProblem): boolean {
  return isTransient(problem) || problem.kind === 'timedOut' || (problem.status ?? 0) >= 500;
}

function nameOf({ connectionId, fingerprint }: ListSource): string {
  return `${connectionId} ${fingerprint ?? ''}`;
}

function isSameList(one: ModelList, other: ModelList): boolean {
  return one.models.length === other.models.length && JSON.stringify(one) === JSON.stringify(other);
}

/** @returns exact ids of a list that are not in the previous one, or that still count as new. */
function addedIds(list: ModelList, before: ModelList, stillNew: ReadonlySet<string>): ReadonlySet<string> {
  const known = new Set(before.models.map(({ id }) => id));
  return new Set(list.models.flatMap(({ id }) => (!known.has(id) || stillNew.has(id) ? [id] : [])));
}
