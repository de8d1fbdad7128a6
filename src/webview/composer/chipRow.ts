import * as l10n from '@vscode/l10n';
import type { ComposerView } from '../../protocol.ts';
import { chipList } from '../conversation/chips.ts';
import { element, textButton } from '../page/dom.ts';

export type ChipRowActions = {
  openChip(id: string): void;
  removeChip(id: string): void;
  addContext(): void;
};

/** The context chips of the question, each with a button that removes it, and a button that adds more. */
export class ChipRow {
  readonly element = element('div', 'chipRow');
  readonly #actions: ChipRowActions;
  #shown = '';

  constructor(actions: ChipRowActions) {
    this.#actions = actions;
  }

  /** @returns whether the focus was on a button that was removed. */
  show(chips: ComposerView['chips']): boolean {
    const key = JSON.stringify(chips);
    if (this.#shown === key) {
      return false;
    }
    this.#shown = key;
    const hadFocus = this.element.contains(document.activeElement);
    const add = textButton('chip add', l10n.t('Add Context…'), () => this.#actions.addContext(), 'add');
    this.element.replaceChildren(
      chipList(
        chips,
        (id) => this.#actions.openChip(id),
        (id) => this.#actions.removeChip(id),
      ),
      add,
    );
    return hadFocus;
  }
}
