import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifetime.ts';
import { parseJson } from '../../base/loose.ts';
import { ShortTurns, type Steps } from '../../base/shortTurns.ts';
import type { Connection, Destination } from '../../connections/connection.ts';
import type { Advice } from '../../errors/advice.ts';
import { GatewayError, type GatewayProblem } from '../../errors/gatewayProblem.ts';
import { mayPass } from '../../errors/mayPass.ts';
import type { ModelItems, ModelList, ModelListAnswer } from '../list/model.ts';
import { KeptLists, type KeptListsPorts } from './keptLists.ts';
import type { ListState } from './listState.ts';
import { newModels } from './newModels.ts';
import type { KeptList } from './storedList.ts';

export type CurrentListPorts = {
  readonly findDestination: () => Promise<Destination>;
  readonly listModels: (
    destination: Destination & { status: 'ready' },
    signal: AbortSignal,
  ) => Promise<ModelListAnswer>;
  /** Words for a problem; loaded with the first one. */
  readonly advise: (problem: GatewayProblem, connection: Connection) => Promise<Advice>;
  readonly clock: Clock;
  /** Lists kept between sessions; without it a list lasts as long as the window. */
  readonly kept?: KeptListsPorts;
};

type ShownList = Pick<ListState, 'list' | 'readAt' | 'isCached'>;
/** Whose list it is that is on show; without a fingerprint none is kept. */
type Source = { readonly connectionId: string; readonly fingerprint: string | undefined };

const none: ReadonlySet<string> = new Set();
/** Shortest time between two automatic readings of a failed list. */
const unaskedMs = 30_000;

/** Makes what is shown of a list, so that telling of the list is a matter of a moment. */
export type PrepareList = (list: ModelList, newIds: ReadonlySet<string>) => Steps<void>;

/** The list of the connection in use: read, kept between sessions, and held against the one read before. */
export class CurrentList implements Disposable {
  readonly #ports: CurrentListPorts;
  readonly #kept: KeptLists;
  readonly #onChange: () => void;
  readonly #prepare: PrepareList;
  readonly #turns: ShortTurns;
  /** By source: what was new in its list when it was read last. */
  readonly #news = new Map<string, ReadonlySet<string>>();
  #state: ListState = { status: 'unread' };
  #refreshing: Promise<void> | undefined;
  #abort = new AbortController();
  #source: Source | undefined;
  /** When it was last read again after it had failed, without anybody asking for it. */
  #retriedAt: number | undefined;
  /** What the gateway wrote of each model of the list on show, until that is kept. */
  #items: ModelItems | undefined;

  /** @param onChange told of every change of state or of what is new. */
  constructor(ports: CurrentListPorts, onChange: () => void, prepare: PrepareList) {
    this.#ports = ports;
    this.#kept = new KeptLists(ports.kept);
    this.#onChange = onChange;
    this.#prepare = prepare;
    this.#turns = new ShortTurns(ports.clock);
  }

  get state(): ListState {
    return this.#state;
  }

  /** Exact ids that the list had not when it was read before with the same key. */
  get newIds(): ReadonlySet<string> {
    return this.#state.list === undefined ? none : this.#newIds;
  }

  /** @returns the gateway's own item of a model; an array of all of them when it lists several; undefined when none. */
  async item(id: string): Promise<unknown> {
    const source = this.#source;
    if (this.#state.list === undefined || source === undefined) {
      return undefined;
    }
    const text =
      this.#items?.get(id) ??
      (source.fingerprint && (await this.#kept.item(source.connectionId, source.fingerprint, id)));
    return text ? parseJson(text) : undefined;
  }

  /** Reads the list once; later calls are answered by what is there, unless there is nothing. */
  async load(): Promise<void> {
    const { status, list } = this.#state;
    if (status === 'unread' || (status === 'failed' && list === undefined)) {
      await this.#start(false);
    } else {
      await this.#refreshing;
    }
  }

  /** Reads the list anew; callers at the same time share one request. Failure is a state, not an exception. */
  refresh(): Promise<void> {
    this.#retriedAt = undefined;
    return this.#start(true);
  }

  /**
   * The gateway answered a call: a list that could not be read is read again, because what is said of it may not hold any
   * more. When that fails too, a later answer has it read once more only where the trouble may be over by then.
   *
   * @param url what was called.
   */
  async answered(url: string): Promise<void> {
    const { status, connection, problem } = this.#state;
    const now = this.#ports.clock.now();
    // A clock that was set back must not put it off for longer.
    const isDue =
      this.#retriedAt === undefined ||
      (problem !== undefined && isPassing(problem) && Math.abs(now - this.#retriedAt) >= unaskedMs);
    if (status === 'failed' && isDue && connection && url.startsWith(`${connection.url.base}/`)) {
      this.#retriedAt = now;
      await this.#start(false);
    }
  }

  /** The connection or its key is another one now: what is under way no longer counts. Read at the next `load`. */
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
  }

  /** @param isWished the person wants to know what is new now; what was new before no longer counts. */
  #start(isWished: boolean): Promise<void> {
    if (this.#refreshing === undefined) {
      const refreshing = this.#read(isWished, this.#abort.signal).finally(() => {
        if (this.#refreshing === refreshing) {
          this.#refreshing = undefined;
        }
      });
      this.#refreshing = refreshing;
    }
    return this.#refreshing;
  }

  async #read(isWished: boolean, signal: AbortSignal): Promise<void> {
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
    const fingerprint = await this.#kept.fingerprintOf(destination);
    if (signal.aborted) {
      return;
    }
    const source = { connectionId: connection.id, fingerprint };
    const isSame = this.#state.connection?.id === connection.id && this.#source?.fingerprint === fingerprint;
    const before = isSame ? this.#shown : {};
    let known = before;
    this.#source = source;
    this.#items = isSame ? this.#items : undefined;
    this.#set({ status: 'loading', connection, ...known });
    let isFresh = false;
    const finding =
      known.list === undefined && fingerprint !== undefined
        ? this.#kept.find(connection.id, fingerprint, this.#ports.clock.now()).then(async (kept) => {
            if (kept !== undefined && !isFresh && !signal.aborted) {
              await this.#turns.run(this.#prepare(kept.list, this.#newIds));
            }
            if (kept !== undefined && !isFresh && !signal.aborted) {
              known = { ...kept, isCached: true };
              this.#set({ status: 'loading', connection, ...known });
            }
            return kept;
          })
        : undefined;
    try {
      const { items, ...list } = await this.#ports.listModels(destination, signal);
      isFresh = true;
      const still = isWished || signal.aborted ? none : this.#newIds;
      const news = await this.#turns.run(this.#newsOf(list, known.list, still));
      // It took its time: the person may be somewhere else by now.
      if (!signal.aborted) {
        const readAt = this.#ports.clock.now();
        this.#items = items;
        this.#tellNews(news);
        this.#retriedAt = undefined;
        this.#set({ status: 'ready', connection, list, readAt });
        // Nobody waits for it: the list is on show.
        this.#settle(
          { list, readAt },
          source,
          items,
          { finding, still, isKnown: known.list !== undefined },
          signal,
        ).catch((error: unknown) => this.#ports.kept?.onFailure(error));
      }
    } catch (error) {
      await finding;
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

  /** After a fresh list is on show: tells what is new when a slow disk knows only now, then keeps the list. */
  async #settle(
    { list, readAt }: KeptList,
    { connectionId, fingerprint }: Source,
    items: ModelItems,
    before: { finding: Promise<KeptList | undefined> | undefined; still: ReadonlySet<string>; isKnown: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const kept = await before.finding;
    if (signal.aborted || fingerprint === undefined) {
      return;
    }
    if (kept !== undefined && !before.isKnown) {
      const news = await this.#turns.run(this.#newsOf(list, kept.list, before.still));
      if (signal.aborted) {
        return;
      }
      this.#tellNews(news);
      this.#onChange();
    }
    const isKept = await this.#kept.keep(connectionId, fingerprint, { list, readAt, items });
    if (isKept && this.#items === items) {
      this.#items = undefined;
    }
  }

  *#newsOf(list: ModelList, before: ModelList | undefined, still: ReadonlySet<string>): Steps<ReadonlySet<string>> {
    const news = yield* newModels(list, before, still);
    yield* this.#prepare(list, news);
    return news;
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

  get #newIds(): ReadonlySet<string> {
    return (this.#source && this.#news.get(nameOf(this.#source))) ?? none;
  }

  #tellNews(news: ReadonlySet<string>): void {
    if (this.#source) {
      this.#news.set(nameOf(this.#source), news);
    }
  }

  #set(state: ListState): void {
    this.#state = state;
    this.#onChange();
  }
}

/** Beyond what is worth another request at once: a call that was answered since shows that the gateway is there. */
function isPassing(problem: GatewayProblem): boolean {
  return mayPass(problem) || problem.kind === 'timedOut' || (problem.status ?? 0) >= 500;
}

function nameOf({ connectionId, fingerprint }: Source): string {
  return `${connectionId} ${fingerprint ?? ''}`;
}
