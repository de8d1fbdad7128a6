import { cooldownMs } from '../page/payingButtons.ts';

export type QuestionKeysActions = {
  /** Handles a key that is meant for an open list. @returns whether it was. */
  handleKey(event: KeyboardEvent): boolean;
  submit(): void;
  /** Whether Arrow Up would edit the last question. */
  canEditLast(): boolean;
  editLast(): void;
};

/** The keys of the question box that don't type: Enter sends, and Arrow Up in an empty box edits the last question. */
export class QuestionKeys {
  /** When the focus moved to the box or its text was replaced; reset when the person types. */
  #movedAt = Number.NEGATIVE_INFINITY;

  constructor(box: HTMLTextAreaElement, actions: QuestionKeysActions) {
    box.addEventListener('keydown', (event) => this.#handle(event, actions));
    box.addEventListener('input', () => {
      this.#movedAt = Number.NEGATIVE_INFINITY;
    });
  }

  /** Call this when the focus moved to the box, or its text was replaced: an Enter right after it isn't meant for it. */
  noteMoved(): void {
    this.#movedAt = performance.now();
  }

  #handle(event: KeyboardEvent, actions: QuestionKeysActions): void {
    if (actions.handleKey(event)) {
      return;
    }
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing;
    if (event.key === 'ArrowUp' && isPlain && actions.canEditLast()) {
      event.preventDefault();
      if (!event.repeat) {
        actions.editLast();
      }
      return;
    }
    // 229: an input method is still composing; some report this only in the key code.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) {
      return;
    }
    event.preventDefault();
    // A second Enter, right after the first one moved the focus here, is not meant to send this text.
    const isIntended = performance.now() - this.#movedAt > cooldownMs;
    if (!event.repeat && isIntended) {
      actions.submit();
    }
  }
}
