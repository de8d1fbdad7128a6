import { modelDescription } from '../list/modelDescription.ts';
import { CurrentList, type CurrentListPorts } from './currentList.ts';
import { manualId, withFavourite, withManual, withoutManual, withRecent } from './modelChoices.ts';
import { type ChoiceMemory, PersonChoices } from './personChoices.ts';
import { type CatalogueView, shownModels } from './shownGroups.ts';

export type CataloguePorts = CurrentListPorts & {
  /** Id of the connection in use; available at once, without reading the key. */
  readonly connectionId: () => string | undefined;
  readonly memory: ChoiceMemory;
};

/** The models of the connection in use and the person's choices among them. One event covers every change. */
export class Catalogue extends CurrentList {
  readonly #chosen: PersonChoices;
  #view: CatalogueView | undefined;

  constructor(ports: CataloguePorts) {
    super(ports);
    this.#chosen = new PersonChoices(ports.memory, ports.connectionId, () => this.didChange.fire());
  }

  /** What model lists are built from; the same object until any part of it changes. */
  get view(): CatalogueView {
    const { newIds, state } = this;
    const { list } = state;
    const choices = this.#chosen.current;
    if (this.#view?.list !== list || this.#view?.choices !== choices || this.#view?.newIds !== newIds) {
      this.#view = { list, choices, newIds };
    }
    return this.#view;
  }

  /** Exact id of the default model. It is available before the list is, and the list may no longer contain it. */
  get defaultModel(): string | undefined {
    return this.#chosen.current.defaultModel;
  }

  /**
   * Exact id of the model that is asked unless the person chooses another one: the default model, or else the last one
   * that they used and that the gateway's list still has.
   */
  get modelToAsk(): string | undefined {
    return this.defaultModel ?? this.#chosen.current.recent.find((id) => !this.isGone(id));
  }

  isFavourite(id: string): boolean {
    return shownModels(this).get(id)?.isFavourite ?? false;
  }

  /** Whether the gateway's list was read and lacks this model, and the person didn't add the model manually. */
  isGone(id: string): boolean {
    return this.state.list !== undefined && (shownModels(this).get(id)?.isGone ?? true);
  }

  setDefaultModel(id: string): Promise<void> {
    return this.#chosen.change((choices) => (choices.defaultModel === id ? choices : { ...choices, defaultModel: id }));
  }

  setFavourite(id: string, isFavourite: boolean): Promise<void> {
    return this.#chosen.change((choices) => withFavourite(choices, id, isFavourite));
  }

  /** Records that the person asks this model, or picked it to be asked. */
  used(id: string): Promise<void> {
    return this.#chosen.change((choices) => withRecent(choices, id));
  }

  /**
   * Adds a model by its id.
   *
   * @returns whether the text can be an id: not empty, at most 256 characters, and no control characters.
   */
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

  /** Reads the choices again, because another window may have changed them. */
  reread(): void {
    this.#chosen.reread();
  }

  /** @returns the gateway's own item of a model, as indented JSON; undefined when there is none. */
  async details(id: string): Promise<string | undefined> {
    const item = await this.item(id);
    return item ? JSON.stringify(item, undefined, 2) : undefined;
  }

  /** @returns the gateway's description of a model; at most 1,000 characters. */
  async description(id: string): Promise<string | undefined> {
    return modelDescription(await this.item(id));
  }
}
