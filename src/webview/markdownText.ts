import { MarkdownStream } from './markdownStream.ts';
import { MarkdownView } from './markdownView.ts';
import { requestPaint } from './painter.ts';
import type { TextActions } from './panelActions.ts';

/** Markdown that may still be arriving, drawn once a frame. */
export class MarkdownText {
  readonly #view: MarkdownView;
  readonly #stream: MarkdownStream;
  #text = '';
  #isEnding = false;
  #isPlain = false;

  constructor(actions: TextActions) {
    this.#view = new MarkdownView(actions);
    this.#stream = new MarkdownStream(this.#view);
  }

  get element(): HTMLElement {
    return this.#view.element;
  }

  append(text: string): void {
    this.#text += text;
    this.#stream.append(text);
    requestPaint(this);
  }

  end(): void {
    this.#isEnding = true;
    this.#stream.end();
    requestPaint(this);
  }

  paint(mayGoOn: () => boolean): boolean {
    if (this.#isPlain) return this.#showPlain();
    try {
      this.#stream.advance(mayGoOn);
      if (this.#stream.hasWork) return true;
      if (this.#isEnding) this.#view.end();
      return false;
    } catch (error) {
      this.#isPlain = true;
      this.#showPlain();
      throw error;
    }
  }

  /** After a bug in rendering: the words alone, so that nothing that was paid for is hidden. */
  #showPlain(): false {
    this.element.classList.add('plain');
    this.element.textContent = this.#text;
    return false;
  }
}
