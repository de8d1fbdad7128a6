import { visibleName } from '../../core/base/visibleText.ts';
import type { ReplyView as Reply, ReplyNews, RetryAction } from '../../protocol.ts';
import { MarkdownText } from '../markdown/markdownText.ts';
import { runClock, seconds, stopClock } from '../page/clock.ts';
import { confirmCopied, element, iconButton, setText } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import type { PanelActions, TextActions } from '../page/panelActions.ts';
import { markPaying } from '../page/payingButtons.ts';
import { ReasoningView } from './reasoningView.ts';
import { type TroubleActions, troubleCard } from './troubleCard.ts';

/** Whether more may come. */
export const isRunning = ({ state }: Pick<Reply, 'state'>): boolean => state === 'waiting' || state === 'streaming';

/** One answer: model, reasoning, text, trouble, and a quiet line of facts. */
export class ReplyView {
  readonly id: string;
  readonly element = element('section', 'reply');
  readonly head: HTMLElement;
  readonly #model = element('span', 'name');
  readonly #echoed = element('span', 'echoed');
  readonly #reasoning: ReasoningView;
  readonly #text: MarkdownText;
  readonly #progress = element('span');
  readonly #progressLine = element('p', 'progress', icon('loading'), this.#progress);
  readonly #trouble = element('div');
  readonly #figures = element('span');
  readonly #request = element('span', 'request');
  readonly #facts = element('p', 'facts', this.#figures, this.#request);
  readonly #copy: HTMLButtonElement;
  readonly #retries: Readonly<Record<RetryAction, HTMLButtonElement>>;
  readonly #footer: HTMLElement;
  readonly #troubleActions: TroubleActions;
  /** Told whenever its state, or whether it has text, may be another one. */
  onState: () => void = () => undefined;
  #heldText = '';
  #heldReasoning = '';
  #news: ReplyNews;
  #shownTrouble = '';

  /** `file`: the one file the question's code came from. */
  constructor(reply: Reply, actions: PanelActions, troubleActions: TroubleActions, file: string | undefined) {
    this.id = reply.id;
    this.#news = newsOf(reply);
    this.#troubleActions = troubleActions;
    const { copy, openLink, wrap, useCode } = actions;
    const inText: TextActions = { copy, openLink, wrap, file, useCode: (use) => useCode(reply.id, use) };
    this.#reasoning = new ReasoningView(inText);
    this.#text = new MarkdownText(inText, () => {
      this.#showTrouble();
      this.#showState();
    });
    this.#progressLine.hidden = true;
    this.#copy = iconButton('copy', 'Copy Answer', () => {
      actions.copy(this.#heldText);
      confirmCopied(this.#copy);
    });
    const retry = (action: RetryAction, picture: 'refresh' | 'arrowSwap', label: string) => {
      const button = iconButton(picture, label, () => troubleActions.act(action));
      markPaying(button);
      return button;
    };
    this.#retries = {
      sendAgain: retry('sendAgain', 'refresh', 'Ask again (a new paid call)'),
      askOther: retry('askOther', 'arrowSwap', 'Ask another model… (a new paid call)'),
    };
    const { sendAgain, askOther } = this.#retries;
    const showSent = iconButton('eye', 'Show what was sent for this answer', () => actions.showSent(reply.id));
    const inFooter = element('span', 'actions', this.#copy, showSent, sendAgain, askOther);
    this.#footer = element('footer', '', this.#facts, inFooter);
    this.head = element('h2', 'model', icon('hubot'), this.#model, this.#echoed);
    this.element.append(
      this.head,
      this.#reasoning.element,
      this.#text.element,
      this.#progressLine,
      this.#trouble,
      this.#footer,
    );
    this.append(reply.text, reply.reasoning);
    this.update(this.#news);
  }

  /** UTF-16 units of text and reasoning together, to compare with what the host has. */
  get length(): number {
    return this.#heldText.length + this.#heldReasoning.length;
  }

  get hasText(): boolean {
    return this.#heldText.trim() !== '';
  }

  /** Where its text ends in the window, in pixels. */
  get textBottom(): number {
    return this.#text.element.getBoundingClientRect().bottom;
  }

  get news(): ReplyNews {
    return this.#news;
  }

  append(text: string, reasoning: string): void {
    const isFirst = this.#heldText === '' && text !== '';
    this.#heldText += text;
    this.#heldReasoning += reasoning;
    if (text !== '') {
      this.#text.append(text);
    }
    this.#reasoning.append(reasoning);
    if (isFirst || (this.#heldText === '' && reasoning !== '')) {
      this.#showState();
    }
  }

  /** Takes the whole reply. Returns false when its text does not continue what is shown: it has to be made anew. */
  accept(reply: Reply): boolean {
    if (
      reply.id !== this.id ||
      !reply.text.startsWith(this.#heldText) ||
      !reply.reasoning.startsWith(this.#heldReasoning)
    ) {
      return false;
    }
    const isLonger = reply.text.length + reply.reasoning.length > this.length;
    // What was drawn to its end takes nothing more.
    if (!isRunning(this.#news) && (isRunning(reply) || isLonger)) {
      return false;
    }
    this.append(reply.text.slice(this.#heldText.length), reply.reasoning.slice(this.#heldReasoning.length));
    this.update(newsOf(reply));
    return true;
  }

  /** What says that the reply has ended waits for the last of its text, which would push it from under the pointer. */
  update(news: ReplyNews): void {
    this.#news = news;
    if (!isRunning(news)) {
      this.#text.end();
    }
    const model = visibleName(news.model);
    setText(this.#model, model);
    setText(this.#echoed, news.echoedModel === undefined ? '' : `answered as ${visibleName(news.echoedModel)}`);
    this.element.setAttribute('aria-label', `Answer from ${model}`);
    this.#showTrouble();
    this.#showFacts(news);
    this.#showState();
  }

  /** Says in the card, or above the facts where there is none, why the question did not go out. */
  showRefusal(reason: string): void {
    const line = element('p', 'refusal', reason);
    line.setAttribute('role', 'alert');
    this.#trouble.querySelector('.refusal')?.remove();
    (this.#trouble.querySelector('.trouble') ?? this.#trouble).append(line);
  }

  #showFacts({ footer, requestId }: ReplyNews): void {
    const facts = visibleName(footer.join(' · '));
    const request = visibleName(requestId ?? '');
    setText(this.#figures, requestId === undefined ? facts : `${facts} · `);
    setText(this.#request, requestId === undefined ? '' : `request ${request}`);
    this.#request.title = request;
  }

  #showTrouble(): void {
    const { trouble, state } = this.#news;
    if (!isRunning(this.#news) && !this.#text.isDrawn) {
      return;
    }
    const shown = JSON.stringify([trouble, state]);
    if (shown === this.#shownTrouble) {
      return;
    }
    const isFirst = this.#shownTrouble === '';
    this.#shownTrouble = shown;
    // What was refused before the card was there to say so.
    const refusal = isFirst ? this.#trouble.querySelector('.refusal') : null;
    const card = trouble === undefined ? undefined : troubleCard(trouble, state, this.#troubleActions);
    this.#trouble.replaceChildren(...(card === undefined ? [] : [card]));
    if (refusal !== null) {
      (card ?? this.#trouble).append(refusal);
    }
  }

  #showState(): void {
    const { startedAt } = this.#news;
    const runs = isRunning(this.#news);
    const isThinking = runs && this.#heldText === '' && this.#heldReasoning !== '';
    this.#reasoning.update(this.#news, isThinking);
    this.element.setAttribute('aria-busy', String(!this.#text.isDrawn));
    this.#progressLine.hidden = runs ? isThinking : this.#text.isDrawn || this.#progressLine.hidden;
    if (this.#progressLine.hidden) {
      stopClock(this.#progress);
    } else {
      const words = this.#heldText === '' ? 'Waiting for the first reply…' : 'Answering…';
      runClock(this.#progress, () => `${words} ${seconds(Date.now() - startedAt)}`);
    }
    this.#copy.hidden = this.#heldText === '';
    const { retries, footer } = this.#news;
    this.#retries.sendAgain.hidden = !retries.includes('sendAgain');
    this.#retries.askOther.hidden = !retries.includes('askOther');
    this.#footer.hidden = !this.#text.isDrawn || (this.#copy.hidden && footer.length === 0 && retries.length === 0);
    this.onState();
  }
}

function newsOf(reply: Reply): ReplyNews {
  const { text, reasoning, ...rest } = reply;
  return { ...rest, length: text.length + reasoning.length };
}
