import { withoutLongClusters } from '../page/longCluster.ts';
import { requestPaint } from '../page/painter.ts';
import type { TextActions } from '../page/panelActions.ts';
import { MarkdownStream } from './markdownStream.ts';
import { MarkdownView } from './markdownView.ts';

/** Markdown that may still be arriving, drawn once a frame. */
export class MarkdownText {
  readonly #view: MarkdownView;
  readonly #stream: MarkdownStream;
  #text = '';
  #isEnding = false;
  #isPlain = false;
  #isDrawn = false;
  readonly #onDrawn: () => void;

  /** `onDrawn` is told when all of a text that has ended has come to be seen. */
  constructor(actions: TextActions, onDrawn: () => void = () => undefined) {
    this.#onDrawn = onDrawn;
    this.#view = new MarkdownView(actions);
    this.#stream = new MarkdownStream(this.#view);
  }

  get element(): HTMLElement {
    return this.#view.element;
  }

  /** Whether the text has ended and all of it is there to be seen. */
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

  paint(mayGoOn: () => boolean): boolean {
    if (this.#isPlain) {
      return this.#showPlain();
    }
    try {
      this.#stream.advance(mayGoOn);
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
    this.#tellDrawn();
    return false;
  }

  /** After a bug in rendering: the words alone, so that nothing that was paid for is hidden. */
  #showPlain(): false {
    this.element.classList.add('plain');
    this.element.textContent = withoutLongClusters(this.#text);
    this.#tellDrawn();
    return false;
  }

  #tellDrawn(): void {
    if (!this.#isEnding || this.#isDrawn) {
      return;
    }
    this.#isDrawn = true;
    this.#onDrawn();
  }
}
