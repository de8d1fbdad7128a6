import { visibleText } from '../../core/base/visibleText.ts';
import type { ComposerView } from '../../protocol/views.ts';
import { element, setText } from '../page/dom.ts';

/** Sets the elements that describe another one to a screen reader. @param ids separated by spaces; empty for none. */
export function describe(described: HTMLElement, ids: string): void {
  if (ids === '') {
    described.removeAttribute('aria-describedby');
  } else {
    described.setAttribute('aria-describedby', ids);
  }
}

/**
 * The lines below the question box: what has to be done before a question can be sent, what is unusual about its model,
 * or why something was not done.
 */
export class Notes {
  readonly #due = element('p', 'due');
  readonly #notForChat = element('p', 'due');
  readonly #refusal = element('p', 'refusal');
  /** Whether the refusal no longer applies when the running answer has ended. */
  #isForRunning = false;

  constructor() {
    this.#due.id = 'due';
    this.#refusal.setAttribute('role', 'alert');
    this.clearRefusal();
  }

  get elements(): readonly HTMLElement[] {
    return [this.#due, this.#notForChat, this.#refusal];
  }

  /**
   * @param isForRunning whether the reason is an answer that is running.
   * @param isNote whether nothing was refused, so that the text doesn't look like an error.
   */
  refuse(reason: string, isForRunning = false, isNote = false): void {
    this.#isForRunning = isForRunning;
    this.#refusal.hidden = false;
    this.#refusal.classList.toggle('isNote', isNote);
    setText(this.#refusal, visibleText(reason));
  }

  clearRefusal(): void {
    this.#refusal.hidden = true;
  }

  /** Call this when no answer is running. */
  noteIdle(): void {
    if (this.#isForRunning) {
      this.clearRefusal();
    }
  }

  /**
   * Shows what has to be done first, unless a refusal says more, and whether the model doesn't seem to be for chat.
   *
   * @returns the id of the element with what is to be done; undefined when none is shown.
   */
  show({ due, notForChat }: Pick<ComposerView, 'due' | 'notForChat'>): string | undefined {
    setText(this.#notForChat, visibleText(notForChat ?? ''));
    this.#notForChat.hidden = notForChat === undefined;
    setText(this.#due, due ?? '');
    this.#due.hidden = due === undefined || !this.#refusal.hidden;
    return this.#due.hidden ? undefined : this.#due.id;
  }
}
