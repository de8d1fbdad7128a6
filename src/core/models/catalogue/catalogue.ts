import { type Disposable, Emitter, type Event } from '../../base/lifetime.ts';
import type { Steps } from '../../base/shortTurns.ts';
import type { ModelList } from '../list/model.ts';
import { modelDescription } from '../list/modelDescription.ts';
import { CurrentList, type CurrentListPorts } from './currentList.ts';
import type { ListState } from './listState.ts';
import { manualId, withFavourite, withManual, withoutManual, withRecent } from './modelChoices.ts';
import { type ChoiceMemory, PersonChoices } from './personChoices.ts';
import { type CatalogueView, prepareShown, shownModels } from './shownGroups.ts';

/** The list of the connection in use, and how it stands. */
export type CatalogueState = ListState;

export type CataloguePorts = CurrentListPorts & {
  /** Id of the connection in use, known at once and without its key. */
  readonly connectionId: () => string | undefined;
  readonly memory: ChoiceMemory;
};

/** The models of the connection in use, and what the person chose among them. One event tells of any change. */
export class Catalogue implements Disposable {
  readonly #didChange = new Emitter<void>();
  readonly #list: CurrentList;
  readonly #chosen: PersonChoices;
  #view: CatalogueView | undefined;
  /** The view that is soon to be asked for, with all that is made of it. */
  #prepared: CatalogueView | undefined;

  constructor(ports: CataloguePorts) {
    const changed = () => this.#didChange.fire();
    this.#list = new CurrentList(ports, changed, (list, newIds) => this.#prepare(list, newIds));
    this.#chosen = new PersonChoices(ports.memory, ports.connectionId, changed);
  }

  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  get state(): CatalogueState {
    return this.#list.state;
  }

  /** What lists of models are made of; the same object until something of it changes. */
  get view(): CatalogueView {
    const { list } = this.state;
    const now = { ...(list && { list }), choices: this.#chosen.current, newIds: this.#list.newIds };
    if (!isSame(this.#view, now)) {
      this.#view = isSame(this.#prepared, now) ? this.#prepared : now;
      this.#prepared = undefined;
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
    return this.state.list !== undefined && (shownModels(this).get(id)?.isGone ?? true);
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
    const item = await this.#list.item(id);
    return item ? JSON.stringify(item, undefined, 2) : undefined;
  }

  /** @returns what the gateway's list says about a model in sentences; at most 1,000 characters. */
  async description(id: string): Promise<string | undefined> {
    return modelDescription(await this.#list.item(id));
  }

  /** Reads the list once; later calls are answered by what is there, unless there is nothing. */
  load(): Promise<void> {
    return this.#list.load();
  }

  /** Reads the list anew; callers at the same time share one request. Failure is a state, not an exception. */
  refresh(): Promise<void> {
    return this.#list.refresh();
  }

  /** A call to this address was answered: a list that could not be read is read again, once. */
  answered(url: string): Promise<void> {
    return this.#list.answered(url);
  }

  /** The connection or its key is another one now: what is under way no longer counts. Read at the next `load`. */
  forget(): void {
    this.#list.forget();
  }

  dispose(): void {
    this.#list.dispose();
    this.#didChange.dispose();
  }

  *#prepare(list: ModelList, newIds: ReadonlySet<string>): Steps<void> {
    const view = { list, choices: this.#chosen.current, newIds };
    yield* prepareShown(view);
    this.#prepared = view;
  }
}

function isSame(one: CatalogueView | undefined, other: CatalogueView): one is CatalogueView {
  return one?.list === other.list && one?.choices === other.choices && one?.newIds === other.newIds;
}
