import { visibleText } from '../../core/base/visibleText.ts';
import { element, setText, textButton } from '../page/dom.ts';

/** A line above the question box: what is unusual about the next question, and one button. */
export class BoxNote {
  readonly element = element('div', 'boxNote');
  readonly #note = element('p', 'note');
  readonly #button: HTMLButtonElement;

  constructor(id: string, label: string, act: () => void) {
    this.#note.id = id;
    this.#button = textButton('secondary', label, act);
    this.element.append(this.#note, this.#button);
  }

  /**
   * @param text undefined hides the line.
   * @returns whether the focus was on its button, which is hidden now.
   */
  show(text: string | undefined, canAct = true): boolean {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = text === undefined;
    this.#button.hidden = !canAct;
    setText(this.#note, visibleText(text ?? ''));
    return hadFocus && (text === undefined || !canAct);
  }
}
