import * as l10n from '@vscode/l10n';
import type { ReplyUpdate } from '../../protocol/protocol.ts';
import { displayText } from '../markdown/markdownStream.ts';
import { MarkdownView } from '../markdown/markdownView.ts';
import { elapsedText, runClock, stopClock } from '../page/clock.ts';
import { element, type Post, setText } from '../page/dom.ts';
import { icon } from '../page/icons.ts';

/**
 * The model's reasoning, folded. It is rendered when it is first opened. Until then it contains plain text, so that a
 * search in the panel finds it and unfolds it.
 */
export class ReasoningView {
  readonly element = element('details', 'reasoning');
  readonly #label = element('span');
  readonly #words = document.createTextNode('');
  readonly #folded = element('div', 'folded', this.#words);
  readonly #replyId: string;
  readonly #post: Post;
  /** The Markdown that has arrived. */
  source = '';
  /** When the first of it arrived, in Unix milliseconds; and how long the model reasoned, until the host says it at the end. */
  #since = 0;
  #reasonedMs: number | undefined;
  #drawn: MarkdownView | undefined;
  #isOver = false;

  constructor(replyId: string, post: Post) {
    this.#replyId = replyId;
    this.#post = post;
    this.element.append(element('summary', '', icon('chevronRight'), this.#label), this.#folded);
    this.element.hidden = true;
    this.element.addEventListener('toggle', () => this.#draw());
  }

  append(text: string): void {
    if (text === '') {
      return;
    }
    if (this.source === '') {
      this.#since = Date.now();
    }
    if (this.#drawn === undefined) {
      this.#words.appendData(displayText(text));
    } else {
      this.#drawn.append(text);
    }
    this.source += text;
    this.element.hidden = false;
  }

  /** @param isThinking whether the reply is running and has no answer text yet. */
  update(update: ReplyUpdate, isThinking: boolean): void {
    if (this.source === '') {
      return;
    }
    if (isThinking) {
      runClock(this.#label, () => l10n.t('Thinking… {0}', elapsedText(Date.now() - update.startedAt)));
      return;
    }
    stopClock(this.#label);
    if (update.state === 'waiting' || update.state === 'streaming') {
      this.#reasonedMs ??= Date.now() - this.#since;
      setText(this.#label, thoughtText(update.reasoningMs ?? this.#reasonedMs));
      return;
    }
    setText(this.#label, thoughtText(update.reasoningMs));
    this.#isOver = true;
    this.#drawn?.end();
  }

  #draw(): void {
    if (this.#drawn !== undefined || !this.element.open) {
      return;
    }
    this.#drawn = new MarkdownView(this.#replyId, this.#post);
    this.#folded.replaceWith(this.#drawn.element);
    this.#drawn.append(this.source);
    if (this.#isOver) {
      this.#drawn.end();
    }
  }
}

/** @param ms how long the model reasoned; undefined when that is not known. */
function thoughtText(ms: number | undefined): string {
  if (ms === undefined) {
    return l10n.t('Reasoning');
  }
  return ms < 500 ? l10n.t('Thought for a moment') : l10n.t('Thought for {0}', elapsedText(ms));
}
