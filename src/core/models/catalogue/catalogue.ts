import type { Clock } from '../../base/clock.ts';
import { type Disposable, Emitter } from '../../base/lifetime.ts';
import { recordOf, textOf } from '../../base/loose.ts';
import type { Connection, Destination } from '../../connections/connection.ts';
import { type Advice, advice } from '../../errors/advice.ts';
import { GatewayError, type GatewayProblem, isTransient } from '../../errors/gatewayProblem.ts';
import type { ModelList, ModelListAnswer } from '../list/model.ts';
import { type ModelChoices, manualId, noChoices, readChoices, withChoice, withRecent } from './modelChoices.ts';
import { type CatalogueView, catalogueView } from './shownGroups.ts';
import type { ModelLists } from './storedList.ts';

/** State of the list of the connection in use. */
export type ListState = {
  readonly status: Exclude<Destination['status'], 'keyUnreadable'> | 'unread' | 'loading' | 'failed';
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

type ReadyDestination = Destination & { status: 'ready' };

export type CataloguePorts = {
  readonly findDestination: () => Promise<Destination>;
  /** Id of the connection in use; available at once, without reading the key. */
  readonly connectionId: () => string | undefined;
  readonly listModels: (destination: ReadyDestination, signal: AbortSignal) => Promise<ModelListAnswer>;
  readonly clock: Clock;
  /** The lists stored between sessions. */
  readonly lists: ModelLists;
  /** A keyed hash of a text, which identifies a key without revealing it. */
  readonly fingerprint: (text: string) => Promise<string>;
  /** Called when a list could not be stored or read back, which affects nothing else. */
  readonly onFailure: (error: unknown) => void;
  /** Stores choices between sessions, by connection id. All windows share them. */
  readonly memory: {
    /** @returns what `write` last stored, in this window or another one; of any type, because it isn't validated. */
    read(connectionId: string): unknown;
    /** Resolves when the choices are stored; `read` returns them as soon as this is called. */
    write(connectionId: string, choices: ModelChoices): PromiseLike<unknown>;
  };
};

/** The connection and key that a list was read with; without a fingerprint, the list isn't stored. */
type ListSource = { readonly connectionId: string; readonly fingerprint: string | undefined };

/** What fingerprints are of: with the address, because a key may list other models under another path of the gateway. */
export function fingerprinted({ connection, key }: ReadyDestination): string {
  return `${connection.url.base}\n${key}`;
}

const none: ReadonlySet<string> = new Set();
const maxDescriptionChars = 1_000;

/**
 * The models of the connection in use and the person's choices among them. The list is stored between sessions and
 * compared with the previous one. One event covers every change.
 */
export class Catalogue implements Disposable {
  readonly #ports: CataloguePorts;
  readonly #didChange = new Emitter<void>();
  readonly onDidChange = this.#didChange.event;
  #state: ListState = { status: 'unread' };
  #refreshing: Promise<void> | undefined;
  #abort = new AbortController();
  #source: ListSource | undefined;
  #newIds = none;
  #chosen: { readonly connectionId: string | undefined; readonly choices: ModelChoices } | undefined;
  #view: CatalogueView | undefined;

  constructor(ports: CataloguePorts) {
    this.#ports = ports;
  }

  get state(): ListState {
    return this.#state;
  }

  /** What model lists are built from; the same object until any part of it changes. */
  get view(): CatalogueView {
    const [{ list }, choices, newIds] = [this.#state, this.#choices, this.#newIds];
    const { list: before, choices: chosen, newIds: marked } = this.#view ?? {};
    if (this.#view === undefined || list !== before || choices !== chosen || newIds !== marked) {
      this.#view = catalogueView(list, choices, newIds);
    }
    return this.#view;
  }

  /**
   * Exact id of the model that is asked unless the person chooses another one: the default model, or else the last one
   * that they used and that the gateway's list still has.
   */
  get modelToAsk(): string | undefined {
    const { defaultModel, recent } = this.#choices;
    return defaultModel ?? recent.find((id) => !this.isGone(id));
  }

  isFavourite(id: string): boolean {
    return this.view.models.get(id)?.isFavourite ?? false;
  }

  /** Whether the gateway's list was read and lacks this model, and the person didn't add the model manually. */
  isGone(id: string): boolean {
    return this.#state.list !== undefined && (this.view.models.get(id)?.isGone ?? true);
  }

  setDefaultModel(id: string): Promise<void> {
    return this.#choose((choices) => (choices.defaultModel === id ? choices : { ...choices, defaultModel: id }));
  }

  setFavourite(id: string, isFavourite: boolean): Promise<void> {
    return this.#choose((choices) => withChoice(choices, 'favourites', id, isFavourite));
  }

  /**
   * Records that the person asks this model, or picked it to be asked. Reads a list again that failed for a reason that may
   * be over by now, such as a VPN that wasn't connected.
   */
  used(id: string): Promise<void> {
    const { status, problem } = this.#state;
    if (status === 'failed' && problem && isTransient(problem)) {
      void this.refresh();
    }
    return this.#choose((choices) => withRecent(choices, id));
  }

  /** Adds a model by its id; does nothing when the text can't be one. */
  async addManual(typed: string): Promise<void> {
    const id = manualId(typed);
    await (id !== undefined && this.#choose((choices) => withChoice(choices, 'manual', id, true)));
  }

  /** Removes a model from those added manually, and from the recent ones, where it would stay as one that is gone. */
  removeManual(id: string): Promise<void> {
    return this.#choose((choices) => withChoice(withChoice(choices, 'manual', id, false), 'recent', id, false));
  }

  /** Reads the choices again, because another window may have changed them. */
  reread(): void {
    const connectionId = this.#ports.connectionId();
    const choices = this.#storedChoices(connectionId);
    if (JSON.stringify(choices) !== JSON.stringify(this.#chosen?.choices)) {
      this.#chosen = { connectionId, choices };
      this.#didChange.fire();
    }
  }

  /** @returns the gateway's own item of a model, as indented JSON; undefined when there is none. */
  async details(id: string): Promise<string | undefined> {
    const item = await this.#item(id);
    return item ? JSON.stringify(item, undefined, 2) : undefined;
  }

  /** @returns the gateway's description of a model; at most 1,000 characters. */
  async description(id: string): Promise<string | undefined> {
    return textOf(recordOf(await this.#item(id)).description)?.slice(0, maxDescriptionChars);
  }

  /**
   * Reads the list if that wasn't tried yet, or failed without a stored list. Otherwise waits for any read in progress.
   */
  async load(): Promise<void> {
    const { status, list } = this.#state;
    if (status === 'unread' || (status === 'failed' && list === undefined)) {
      await this.refresh();
    } else {
      await this.#refreshing;
    }
  }

  /** Reads the list again. Concurrent callers share one request. A failure is a state, not an exception. */
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

  /**
   * Discards the list and any request in progress, because the connection or its key changed; the next `load` reads it
   * again.
   */
  forget(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#refreshing = undefined;
    this.#source = undefined;
    this.#newIds = none;
    this.#set({ status: 'unread' });
  }

  dispose(): void {
    this.#abort.abort();
    this.#didChange.dispose();
  }

  /** The same object as long as nothing changes. */
  get #choices(): ModelChoices {
    const connectionId = this.#ports.connectionId();
    if (this.#chosen === undefined || this.#chosen.connectionId !== connectionId) {
      this.#chosen = { connectionId, choices: this.#storedChoices(connectionId) };
    }
    return this.#chosen.choices;
  }

  #storedChoices(connectionId: string | undefined): ModelChoices {
    return connectionId === undefined ? noChoices : readChoices(this.#ports.memory.read(connectionId));
  }

  /**
   * Applies a change to the choices that are stored now, so that no window undoes those of another one.
   *
   * @param change must return the same object when nothing changes.
   * @throws what the memory throws; the choices are then what it holds.
   */
  async #choose(change: (choices: ModelChoices) => ModelChoices): Promise<void> {
    const connectionId = this.#ports.connectionId();
    if (connectionId === undefined) {
      return;
    }
    const stored = this.#storedChoices(connectionId);
    const next = change(stored);
    const written = next === stored ? undefined : this.#ports.memory.write(connectionId, next);
    this.reread();
    try {
      await written;
    } finally {
      this.reread();
    }
  }

  /** @returns the gateway's own item of a model; undefined when there is none. */
  async #item(id: string): Promise<unknown> {
    const { connectionId, fingerprint } = this.#source ?? {};
    return connectionId && fingerprint
      ? this.#optional(() => this.#ports.lists.item(connectionId, fingerprint, id))
      : undefined;
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { findDestination, fingerprint: hash, lists, listModels, clock } = this.#ports;
    const destination = await findDestination();
    if (signal.aborted) {
      return;
    }
    if (destination.status === 'keyUnreadable') {
      const { connection, reason } = destination;
      const known = this.#state.connection?.id === connection.id ? this.#shown : {};
      this.#fail(connection, known, { kind: 'secretStore', words: reason });
      return;
    }
    if (destination.status !== 'ready') {
      this.#set(destination);
      return;
    }
    const { connection } = destination;
    const { id } = connection;
    const fingerprint = await this.#optional(() => hash(fingerprinted(destination)));
    if (signal.aborted) {
      return;
    }
    const isSame = this.#state.connection?.id === id && this.#source?.fingerprint === fingerprint;
    let known = isSame ? this.#shown : {};
    this.#source = { connectionId: id, fingerprint };
    this.#set({ status: 'loading', connection, ...known });
    const reading = listModels(destination, signal);
    // It may reject before it is awaited below, where the error is handled.
    reading.catch(() => undefined);
    const stored = !known.list && fingerprint && (await this.#optional(() => lists.read(id, fingerprint)));
    if (stored && !signal.aborted) {
      // The clock may have been set back.
      known = { list: stored.list, readAt: Math.min(stored.readAt, clock.now()), isCached: true };
      this.#set({ status: 'loading', connection, ...known });
    }
    try {
      const answer = await reading;
      const { items: _, ...read } = answer;
      // The connection may have changed in the meantime.
      if (!signal.aborted) {
        // An equal list stays the same object, so that nothing is built from it again.
        const list = known.list && isSameList(read, known.list) ? known.list : read;
        const readAt = clock.now();
        this.#newIds = known.list ? addedIds(list, known.list) : none;
        this.#set({ status: 'ready', connection, list, readAt });
        // Not awaited, because the list is already shown.
        void (fingerprint && this.#optional(() => lists.write(id, fingerprint, answer, readAt)));
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      this.#fail(connection, known, error instanceof GatewayError ? error.problem : { kind: 'defect' });
      if (!(error instanceof GatewayError)) {
        throw error;
      }
    }
  }

  #fail(connection: Connection, known: Partial<ListState>, problem: GatewayProblem): void {
    const { host } = connection.url;
    this.#set({ status: 'failed', connection, ...known, problem, advice: advice(problem, { host }) });
  }

  /** The shown list, when it was read, and whether it comes from an earlier session. */
  get #shown(): Pick<ListState, 'list' | 'readAt' | 'isCached'> {
    const { list, readAt, isCached } = this.#state;
    return { list, readAt, isCached };
  }

  #set(state: ListState): void {
    this.#state = state;
    this.#didChange.fire();
  }

  /** Storing is optional: a failure is reported, and is no error for the caller. */
  async #optional<T>(run: () => Promise<T>): Promise<T | undefined> {
    try {
      return await run();
    } catch (error) {
      this.#ports.onFailure(error);
      return undefined;
    }
  }
}

function isSameList(one: ModelList, other: ModelList): boolean {
  return one.models.length === other.models.length && JSON.stringify(one) === JSON.stringify(other);
}

/** @returns exact ids of a list that are not in the previous one. */
function addedIds(list: ModelList, before: ModelList): ReadonlySet<string> {
  const known = new Set(before.models.map(({ id }) => id));
  return new Set(list.models.flatMap(({ id }) => (known.has(id) ? [] : [id])));
}
