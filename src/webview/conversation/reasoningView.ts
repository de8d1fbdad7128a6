import type { ReplyNews } from '../../protocol.ts';
import { MarkdownText } from '../markdown/markdownText.ts';
import { runClock, seconds, stopClock } from '../page/clock.ts';
import { element, setText } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import { withoutLongClusters } from '../page/longCluster.ts';
import type { TextActions } from '../page/panelActions.ts';

/**
 * What the model thought before it answered, folded. It is drawn only once somebody opens it; until then its words alone
 * are there, so that searching the panel finds them and unfolds it.
 */
export class ReasoningView {
  readonly element = element('details', 'reasoning');
  readonly #label = element('span');
  readonly #words = document.createTextNode('');
  readonly #folded = element('div', 'folded', this.#words);
  readonly #actions: TextActions;
  #text = '';
  #drawn: MarkdownText | undefined;
  #isOver = false;

  constructor(actions: TextActions) {
    this.#actions = actions;
    this.element.append(element('summary', '', icon('chevronRight'), this.#label), this.#folded);
    this.element.hidden = true;
    this.element.addEventListener('toggle', () => this.#draw());
  }

  append(text: string): void {
    if (text === '') {
      return;
    }
    if (this.#drawn === undefined) {
      this.#words.appendData(withoutLongClusters(text, this.#text));
    } else {
      this.#drawn.append(text);
    }
    this.#text += text;
    this.element.hidden = false;
  }

  /** `isThinking`: the reply runs and has no answer text yet. */
  update(news: ReplyNews, isThinking: boolean): void {
    if (this.#text === '') {
      return;
    }
    if (isThinking) {
      runClock(this.#label, () => `Thinking… ${seconds(Date.now() - news.startedAt)}`);
      return;
    }
    stopClock(this.#label);
    setText(this.#label, news.reasoningMs === undefined ? 'Thought' : `Thought for ${seconds(news.reasoningMs)}`);
    if (news.state === 'waiting' || news.state === 'streaming') {
      return;
    }
    this.#isOver = true;
    this.#drawn?.end();
  }

  #draw(): void {
    if (this.#drawn !== undefined || !this.element.open) {
      return;
    }
    this.#drawn = new MarkdownText(this.#actions);
    this.#folded.replaceWith(this.#drawn.element);
    this.#drawn.append(this.#text);
    if (this.#isOver) {
      this.#drawn.end();
    }
  }
}
