import * as l10n from '@vscode/l10n';
import { numberText } from '../../core/base/localization.ts';
import type { SwitchView } from '../../protocol/protocol.ts';
import { element, iconButton, setText } from '../page/dom.ts';

type Direction = 'previous' | 'next';

/** `‹ 2 of 3 ›`: shows which of several items is visible, and switches to its neighbours. Hidden for a single item. */
export class Switcher {
  readonly element = element('div', 'switcher');
  readonly #items: 'questions' | 'answers';
  readonly #place = element('span', 'place');
  readonly #buttons: Readonly<Record<Direction, HTMLButtonElement>>;
  #view: SwitchView | undefined;

  constructor(items: 'questions' | 'answers', choose: (id: string) => void) {
    this.#items = items;
    const go = (direction: Direction) => {
      const to = this.#view?.[direction];
      if (to !== undefined) {
        choose(to);
      }
    };
    const [previous, next] =
      items === 'questions'
        ? [l10n.t('Previous Question'), l10n.t('Next Question')]
        : [l10n.t('Previous Answer'), l10n.t('Next Answer')];
    this.#buttons = {
      previous: iconButton('chevronLeft', previous, () => go('previous')),
      next: iconButton('chevronRight', next, () => go('next')),
    };
    // Not announced: a person who presses a button knows what it does, and can navigate to the number.
    this.element.setAttribute('aria-live', 'off');
    this.element.setAttribute('role', 'group');
    this.element.append(this.#buttons.previous, this.#place, this.#buttons.next);
    this.show(undefined);
  }

  /** The button that has the focus. */
  get focused(): Direction | undefined {
    const { previous, next } = this.#buttons;
    const { activeElement } = document;
    return activeElement === previous ? 'previous' : activeElement === next ? 'next' : undefined;
  }

  show(view: SwitchView | undefined): void {
    const { focused } = this;
    this.#view = view;
    this.element.hidden = view === undefined;
    if (view === undefined) {
      setText(this.#place, '');
      this.element.removeAttribute('aria-label');
    } else {
      const [at, of] = [numberText(view.at), numberText(view.of)];
      setText(this.#place, l10n.t('{0} of {1}', at, of));
      const isOfQuestions = this.#items === 'questions';
      const place = isOfQuestions ? l10n.t('Question {0} of {1}', at, of) : l10n.t('Answer {0} of {1}', at, of);
      this.element.setAttribute('aria-label', place);
    }
    this.#buttons.previous.disabled = view?.previous === undefined;
    this.#buttons.next.disabled = view?.next === undefined;
    if (focused !== undefined) {
      this.focus(focused);
    }
  }

  /** Focuses a button, or the other one if it is disabled because there is no item in its direction. */
  focus(direction: Direction): void {
    const { previous, next } = this.#buttons;
    const wanted = direction === 'previous' ? previous : next;
    (wanted.disabled ? (wanted === next ? previous : next) : wanted).focus();
  }
}
