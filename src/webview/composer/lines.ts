import * as l10n from '@vscode/l10n';
import { visibleName, visibleText } from '../../core/base/visibleText.ts';
import type { ComposerView } from '../../protocol/protocol.ts';
import { chipList } from '../conversation/chips.ts';
import { element, type Post, setText, textButton } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import { guardDoubleClicks } from '../page/paying.ts';

/** The lines above and below the question box. */

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

  /** @param text undefined hides the line. */
  show(text: string | undefined, canAct = true): void {
    this.element.hidden = text === undefined;
    this.#button.hidden = !canAct;
    setText(this.#note, visibleText(text ?? ''));
  }
}

/** What is sent with the question: the system prompt, and the context chips, each with a button that removes it. */
export class ChipRow {
  readonly element = element('div', 'chipRow');
  readonly #post: Post;
  #shown = '';

  constructor(post: Post) {
    this.#post = post;
  }

  show({ chips, systemPrompt }: ComposerView): void {
    const key = JSON.stringify([chips, systemPrompt]);
    if (this.#shown === key) {
      return;
    }
    this.#shown = key;
    this.element.replaceChildren(
      ...(systemPrompt ? [this.#systemPrompt(systemPrompt)] : []),
      chipList(
        chips,
        (id) => this.#post({ type: 'openChip', id }),
        (id) => this.#post({ type: 'removeChip', id }),
      ),
    );
    this.element.hidden = chips.length === 0 && systemPrompt === undefined;
  }

  #systemPrompt({ label, detail, hint }: NonNullable<ComposerView['systemPrompt']>): HTMLElement {
    const button = element('button', 'source', icon('comment'), element('span', 'label', label), ' ');
    button.type = 'button';
    button.append(element('span', 'detail', visibleName(detail)));
    button.addEventListener('click', () => this.#post({ type: 'editSystemPrompt' }));
    const chip = element('div', 'chip systemPrompt', button);
    chip.title = [`${label} ${visibleName(detail)}`, ...(hint === '' ? [] : [visibleText(hint)])].join('\n\n');
    return chip;
  }
}

/** All that speaks against sending a question, and the answers to that. Nothing is sent before one of them is pressed. */
export class Review {
  readonly element = element('section', 'review');
  readonly #title = element('p', 'title');
  readonly #objections = element('ul');
  readonly #buttons = element('div', 'buttons');
  readonly #post: Post;
  readonly #cancel: () => void;
  #id: string | undefined;

  constructor(post: Post, cancel: () => void) {
    this.#post = post;
    this.#cancel = cancel;
    this.#title.id = 'reviewTitle';
    this.#objections.id = 'objections';
    this.element.hidden = true;
    this.element.tabIndex = -1;
    this.element.setAttribute('role', 'alertdialog');
    this.element.setAttribute('aria-labelledby', this.#title.id);
    this.element.setAttribute('aria-describedby', this.#objections.id);
    this.element.append(this.#title, this.#objections, this.#buttons);
  }

  /**
   * A new review gets the focus, but none of its buttons: an Enter or a space bar that was pressed before, or is held
   * down, answers nothing.
   */
  show(review: ComposerView['review']): void {
    if (review?.id === this.#id) {
      return;
    }
    this.#id = review?.id;
    this.element.hidden = review === undefined;
    setText(this.#title, visibleText(review?.title ?? ''));
    this.#objections.replaceChildren(
      ...(review?.objections ?? []).map((text) =>
        element('li', '', icon('warning'), element('span', '', visibleText(text))),
      ),
    );
    const answers = (review?.answers ?? []).map(({ answer, label, hint = '' }, index) => {
      const button = textButton(index === 0 ? 'primary' : 'secondary', label, () =>
        this.#post({ type: 'answer', review: review?.id ?? '', answer }),
      );
      button.title = hint;
      guardDoubleClicks(button);
      return button;
    });
    this.#buttons.replaceChildren(...answers, textButton('secondary', l10n.t('Cancel'), this.#cancel));
    if (review !== undefined) {
      this.element.focus();
    }
  }
}
