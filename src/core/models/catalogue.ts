import type { Clock } from '../clock.ts';
import type { Advice } from '../gateway/advice.ts';
import type { Connection, Destination } from '../gateway/connection.ts';
import { type GatewayProblem, isGatewayError } from '../gateway/gatewayProblem.ts';
import { parseJson } from '../gateway/loose.ts';
import { type Disposable, Emitter, type Event } from '../lifetime.ts';
import { KeptLists, type KeptListsPorts } from './keptLists.ts';
import type { ModelList, ModelListAnswer } from './model.ts';
import { manualId, withFavourite, withManual, withoutManual, withRecent } from './modelChoices.ts';
import { newModels } from './newModels.ts';
import { type ChoiceMemory, PersonChoices } from './personChoices.ts';
import { type CatalogueView, shownModels } from './shownGroups.ts';
import type { KeptList } from './storedList.ts';

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
  /** Id of the connection in use, known at once and without its key. */
  readonly connectionId: () => string | undefined;
  readonly listModels: (
    destination: Destination & { status: 'ready' },
    signal: AbortSignal,
  ) => Promise<ModelListAnswer>;
  /** Words for a problem; loaded with the first one. */
  readonly advise: (problem: GatewayProblem, connection: Connection) => Promise<Advice>;
  readonly clock: Clock;
  /** Lists kept between sessions; without it a list lasts as long as the window. */
  readonly kept?: KeptListsPorts;
  readonly memory: ChoiceMemory;
};

type ShownList = Pick<CatalogueState, 'list' | 'readAt' | 'isCached'>;
/** Whose list it is that is on show; without a fingerprint none is kept. */
type Source = { readonly connectionId: string; readonly fingerprint: string | undefined };

const none: ReadonlySet<string> = new Set();

/** The models of the connection in use, and what the person chose among them. One event tells of any change. */
export class Catalogue implements Disposable {
  readonly #ports: CataloguePorts;
  readonly #didChange = new Emitter<void>();
  readonly #kept: KeptLists;
  readonly #chosen: PersonChoices;
  /** By source: what was new in its list when it was read last. */
  readonly #news = new Map<string, ReadonlySet<string>>();
  #state: CatalogueState = { status: 'unread' };
  #view: CatalogueView | undefined;
  #refreshing: Promise<void> | undefined;
  #abort = new AbortController();
  #source: Source | undefined;
  /** What the gateway wrote of each model of the list on show, until that is kept. */
  #items: ReadonlyMap<string, string> | undefined;

  constructor(ports: CataloguePorts) {
    this.#ports = ports;
    this.#kept = new KeptLists(ports.kept);
    this.#chosen = new PersonChoices(ports.memory, ports.connectionId, () => this.#didChange.fire());
  }

  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  get state(): CatalogueState {
    return this.#state;
  }

  /** What lists of models are made of; the same object until something of it changes. */
  get view(): CatalogueView {
    const { list } = this.#state;
    const choices = this.#chosen.current;
    const newIds = list === undefined ? none : this.#newIds;
    if (this.#view?.choices !== choices || this.#view.list !== list || this.#view.newIds !== newIds) {
      this.#view = { ...(list && { list }), choices, newIds };
    }
    return this.#view;
  }

  /** Exact id of the default model, known without the list; it may no longer be in it. */
  get defaultModel(): string | undefined {
    return this.#chosen.current.defaultModel;
  }

  /** Exact ids, in the order they were chosen. */
  get favourites(): readonly string[] {
    return this.#chosen.current.favourites;
  }

  /** Exact ids of the models that were asked, the newest first; at most 8. */
  get recent(): readonly string[] {
    return this.#chosen.current.recent;
  }

  /** Exact ids typed by hand. */
  get manual(): readonly string[] {
    return this.#chosen.current.manual;
  }

  isFavourite(id: string): boolean {
    return shownModels(this).get(id)?.isFavourite ?? false;
  }

  /** The list had it not when it was read before with the same key. */
  isNew(id: string): boolean {
    return this.view.newIds.has(id);
  }

  /** There is a list of the gateway, and it has not this model, which was not typed by hand either. */
  isGone(id: string): boolean {
    return this.#state.list !== undefined && (shownModels(this).get(id)?.isGone ?? true);
  }

  setDefaultModel(id: string): Promise<void> {
    return this.#chosen.change((choices) => (choices.defaultModel === id ? choices : { ...choices, defaultModel: id }));
  }

  setFavourite(id: string, isFavourite: boolean): Promise<void> {
    return this.#chosen.change((choices) => withFavourite(choices, id, isFavourite));
  }

  /** A question goes to this model. */
  used(id: string): Promise<void> {
    return this.#chosen.change((choices) => withRecent(choices, id));
  }

  /** @returns whether the text can be an id: no more than 256 characters, and no control characters. */
  async addManual(typed: string): Promise<boolean> {
    const id = manualId(typed);
    if (id === undefined) {
      return false;
    }
    await this.#chosen.change((choices) => withManual(choices, id));
    return true;
  }

  removeManual(id: string): Promise<void> {
    return this.#chosen.change((choices) => withoutManual(choices, id));
  }

  /** Looks again at what is chosen: another window of the editor may have chosen anew. */
  reread(): void {
    this.#chosen.reread();
  }

  /** @returns what the gateway's list says of a model, as JSON over many lines; undefined when it says nothing. */
  async details(id: string): Promise<string | undefined> {
    const source = this.#source;
    if (this.#state.list === undefined || source === undefined) {
      return undefined;
    }
    const text =
      this.#items?.get(id) ??
      (source.fingerprint && (await this.#kept.item(source.connectionId, source.fingerprint, id)));
    const item = text && parseJson(text);
    return item ? JSON.stringify(item, undefined, 2) : undefined;
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
    return this.#start(true);
  }

  /** The connection or its key is another one now: what is under way no longer counts. Read at the next `load`. */
  forget(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#refreshing = undefined;
    this.#source = undefined;
    this.#items = undefined;
    this.#set({ status: 'unread' });
  }

  dispose(): void {
    this.#abort.abort();
    this.#didChange.dispose();
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
        ? this.#kept.find(connection.id, fingerprint, this.#ports.clock.now()).then((kept) => {
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
      if (!signal.aborted) {
        const still = isWished ? none : this.#newIds;
        const readAt = this.#ports.clock.now();
        this.#items = items;
        this.#tellNews(newModels(list, known.list, still));
        this.#set({ status: 'ready', connection, list, readAt });
        void this.#settle(
          { list, readAt },
          source,
          items,
          { finding, still, isKnown: known.list !== undefined },
          signal,
        );
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

  /** After a fresh list is on show: tells what is new when a slow disk knows only now, then keeps the list. */
  async #settle(
    { list, readAt }: KeptList,
    { connectionId, fingerprint }: Source,
    items: ReadonlyMap<string, string>,
    before: { finding: Promise<KeptList | undefined> | undefined; still: ReadonlySet<string>; isKnown: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const kept = await before.finding;
    if (signal.aborted || fingerprint === undefined) {
      return;
    }
    if (kept !== undefined && !before.isKnown) {
      this.#tellNews(newModels(list, kept.list, before.still));
      this.#didChange.fire();
    }
    const isKept = await this.#kept.keep(connectionId, fingerprint, { list, readAt, items });
    if (isKept && this.#items === items) {
      this.#items = undefined;
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

  get #newIds(): ReadonlySet<string> {
    return (this.#source && this.#news.get(nameOf(this.#source))) ?? none;
  }

  #tellNews(news: ReadonlySet<string>): void {
    if (this.#source) {
      this.#news.set(nameOf(this.#source), news);
    }
  }

  #set(state: CatalogueState): void {
    this.#state = state;
    this.#didChange.fire();
  }
}

function nameOf({ connectionId, fingerprint }: Source): string {
  return `${connectionId} ${fingerprint ?? ''}`;
}
