import type { ComposerView } from '../../protocol.ts';
import { chipList } from '../conversation/chips.ts';
import { element, textButton } from '../page/dom.ts';

export type ChipRowActions = {
  removeChip(id: string): void;
  addContext(): void;
};

/** The context of the question, each piece with a button that removes it, and the button that adds more. */
export class ChipRow {
  readonly element = element('div', 'chipRow');
  readonly #actions: ChipRowActions;
  #shown = '';

  constructor(actions: ChipRowActions) {
    this.#actions = actions;
  }

  /** @returns whether the focus was on a button that is gone now. */
  show(chips: ComposerView['chips']): boolean {
    const key = JSON.stringify(chips);
    if (this.#shown === key) {
      return false;
    }
    this.#shown = key;
    const hadFocus = this.element.contains(document.activeElement);
    const add = textButton('chip add', 'Add context', () => this.#actions.addContext(), 'add');
    this.element.replaceChildren(
      chipList(chips, (id) => this.#actions.removeChip(id)),
      add,
    );
    return hadFocus;
  }
}
