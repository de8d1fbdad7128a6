import type { SwitchView } from '../../protocol.ts';
import { element, iconButton, setText } from '../page/dom.ts';

type Way = 'previous' | 'next';

/** `‹ 2 of 3 ›`: which of several is shown, and the way to those beside it. Hidden where there is only one. */
export class Switcher {
  readonly element = element('div', 'switcher');
  readonly #name: string;
  readonly #place = element('span', 'place');
  readonly #buttons: Readonly<Record<Way, HTMLButtonElement>>;
  #view: SwitchView | undefined;

  /** `name`: what there are several of, for instance `answer`. */
  constructor(name: string, choose: (id: string) => void) {
    const go = (way: Way) => {
      const to = this.#view?.[way];
      if (to !== undefined) {
        choose(to);
      }
    };
    this.#buttons = {
      previous: iconButton('chevronLeft', `Previous ${name}`, () => go('previous')),
      next: iconButton('chevronRight', `Next ${name}`, () => go('next')),
    };
    // The person who presses a button knows what it does; the number is read when they go there.
    this.element.setAttribute('aria-live', 'off');
    this.element.setAttribute('role', 'group');
    this.element.append(this.#buttons.previous, this.#place, this.#buttons.next);
    this.#name = name;
    this.show(undefined);
  }

  /** The button that has the focus. */
  get focused(): Way | undefined {
    const { previous, next } = this.#buttons;
    const { activeElement } = document;
    return activeElement === previous ? 'previous' : activeElement === next ? 'next' : undefined;
  }

  show(view: SwitchView | undefined): void {
    const { focused } = this;
    this.#view = view;
    this.element.hidden = view === undefined;
    const place = view === undefined ? '' : `${view.at} of ${view.of}`;
    setText(this.#place, place);
    if (view === undefined) {
      this.element.removeAttribute('aria-label');
    } else {
      this.element.setAttribute('aria-label', `${this.#name.charAt(0).toUpperCase()}${this.#name.slice(1)} ${place}`);
    }
    this.#buttons.previous.disabled = view?.previous === undefined;
    this.#buttons.next.disabled = view?.next === undefined;
    if (focused !== undefined) {
      this.focus(focused);
    }
  }

  /** At the last one the way back is all there is. */
  focus(way: Way): void {
    const { previous, next } = this.#buttons;
    const wanted = way === 'previous' ? previous : next;
    (wanted.disabled ? (wanted === next ? previous : next) : wanted).focus();
  }
}
