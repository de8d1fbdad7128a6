import type { Post } from '../page/dom.ts';
import { requestPaint } from '../page/painter.ts';
import { displayText, MarkdownStream } from './markdownStream.ts';
import { MarkdownView } from './markdownView.ts';

/** Markdown text that may still be arriving, drawn at most once per frame. */
export class MarkdownText {
  readonly #view: MarkdownView;
  readonly #stream: MarkdownStream;
  #text = '';
  #isEnding = false;
  #isPlain = false;
  #isDrawn = false;
  readonly #onDrawn: () => void;

  /** @param onDrawn called when the text has ended and all of it is drawn. */
  constructor(replyId: string, post: Post, onDrawn: () => void = () => undefined) {
    this.#onDrawn = onDrawn;
    this.#view = new MarkdownView(replyId, post);
    this.#stream = new MarkdownStream(this.#view);
  }

  get element(): HTMLElement {
    return this.#view.element;
  }

  /** Whether the text has ended and all of it is drawn. */
  get isDrawn(): boolean {
    return this.#isDrawn;
  }

  append(text: string): void {
    this.#text += text;
    this.#stream.append(text);
    requestPaint(this);
  }

  end(): void {
    if (this.#isEnding) {
      return;
    }
    this.#isEnding = true;
    this.#isDrawn = this.#text === '';
    if (this.#isDrawn) {
      return;
    }
    this.#stream.end();
    requestPaint(this);
  }

  paint(mayContinue: () => boolean): boolean {
    if (this.#isPlain) {
      return this.#showPlain();
    }
    try {
      this.#stream.advance(mayContinue);
      if (this.#stream.hasWork) {
        return true;
      }
      if (this.#isEnding) {
        this.#view.end();
      }
    } catch (error) {
      this.#isPlain = true;
      this.#showPlain();
      throw error;
    }
    this.#notifyDrawn();
    return false;
  }

  /** Shows the plain text after a rendering error, so that nothing that was paid for is hidden. */
  #showPlain(): false {
    this.element.classList.add('plain');
    this.element.textContent = displayText(this.#text);
    this.#notifyDrawn();
    return false;
  }

  #notifyDrawn(): void {
    if (!this.#isEnding || this.#isDrawn) {
      return;
    }
    this.#isDrawn = true;
    this.#onDrawn();
  }
}
