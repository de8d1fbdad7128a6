import * as l10n from '@vscode/l10n';
import { visibleName, visibleText } from '../../core/base/visibleText.ts';
import type { ComposerView } from '../../protocol/views.ts';
import { chipList } from '../conversation/chips.ts';
import { element, textButton } from '../page/dom.ts';
import { icon } from '../page/icons.ts';

export type ChipRowActions = {
  openChip(id: string): void;
  removeChip(id: string): void;
  addContext(): void;
  /** Includes a file that is offered. */
  addOffered(id: string): void;
  editSystemPrompt(): void;
};

type Shown = Pick<ComposerView, 'chips' | 'offers' | 'systemPrompt'>;

/**
 * What is sent with the question: the system prompt, and the context chips, each with a button that removes it. Then what
 * else can be included: files that are offered, and a button that adds more.
 */
export class ChipRow {
  readonly element = element('div', 'chipRow');
  readonly #actions: ChipRowActions;
  #shown = '';

  constructor(actions: ChipRowActions) {
    this.#actions = actions;
  }

  /** @returns whether the focus was on a button that was removed. */
  show({ chips, offers = [], systemPrompt }: Shown): boolean {
    const key = JSON.stringify([chips, offers, systemPrompt]);
    if (this.#shown === key) {
      return false;
    }
    this.#shown = key;
    const hadFocus = this.element.contains(document.activeElement);
    const add = textButton('chip add', l10n.t('Add Context…'), () => this.#actions.addContext(), 'add');
    this.element.replaceChildren(
      ...(systemPrompt ? [this.#systemPrompt(systemPrompt)] : []),
      chipList(
        chips,
        (id) => this.#actions.openChip(id),
        (id) => this.#actions.removeChip(id),
      ),
      ...offers.map((offer) => this.#offer(offer)),
      add,
    );
    return hadFocus;
  }

  #systemPrompt({ label, detail, hint }: NonNullable<Shown['systemPrompt']>): HTMLElement {
    const button = element('button', 'source', icon('comment'), element('span', 'label', label), ' ');
    button.type = 'button';
    button.append(element('span', 'detail', visibleName(detail)));
    button.addEventListener('click', () => this.#actions.editSystemPrompt());
    const chip = element('div', 'chip systemPrompt', button);
    chip.title = [`${label} ${visibleName(detail)}`, ...(hint === '' ? [] : [visibleText(hint)])].join('\n\n');
    return chip;
  }

  #offer({ id, label, hint }: NonNullable<Shown['offers']>[number]): HTMLElement {
    const name = visibleName(label);
    const button = element('button', 'chip add', icon('add'), element('span', 'label', name));
    button.type = 'button';
    button.addEventListener('click', () => this.#actions.addOffered(id));
    button.title = `${name} · ${hint}`;
    button.setAttribute('aria-label', l10n.t('Include {0}', name));
    return button;
  }
}
