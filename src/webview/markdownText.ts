import { MarkdownStream } from './markdownStream.ts';
import { MarkdownView } from './markdownView.ts';
import { requestPaint } from './painter.ts';
import type { PanelActions } from './panelActions.ts';

/** Markdown that may still be arriving, drawn once a frame. */
export class MarkdownText {
  readonly #view: MarkdownView;
  readonly #stream: MarkdownStream;

  constructor(actions: PanelActions) {
    this.#view = new MarkdownView(actions);
    this.#stream = new MarkdownStream(this.#view);
  }

  get element(): HTMLElement {
    return this.#view.element;
  }

  append(text: string): void {
    this.#stream.append(text);
    requestPaint(this);
  }

  end(): void {
    this.#stream.end();
    requestPaint(this);
  }

  paint(mayGoOn: () => boolean): boolean {
    this.#stream.advance(mayGoOn);
    return this.#stream.hasWork;
  }
}
