import * as l10n from '@vscode/l10n';
import { replacePictures } from '../../core/base/pictures.ts';
import { visibleName, visibleText } from '../../core/base/visibleText.ts';
import type { ReplyUpdate, RetryAction, ShownReply, TroubleAction } from '../../protocol/protocol.ts';
import { noteEnded } from '../code/answerFiles.ts';
import { MarkdownView } from '../markdown/markdownView.ts';
import { showSources } from '../markdown/sources.ts';
import { elapsedText, runClock, stopClock } from '../page/clock.ts';
import { confirmCopied, element, iconButton, type Post, setText, textButton } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import { markPaying } from '../page/paying.ts';
import { ReasoningView } from './reasoningView.ts';
import { troubleCard } from './troubleCard.ts';

/** Whether more text may arrive. */
export const isArriving = ({ state }: Pick<ShownReply, 'state'>): boolean =>
  state === 'waiting' || state === 'streaming';

/** One answer: model, reasoning, text, error card, and a line of facts. */
export class ReplyView {
  readonly id: string;
  readonly element = element('section', 'reply');
  readonly head: HTMLElement;
  readonly #model = element('span', 'name');
  readonly #echoed = element('span', 'echoed');
  readonly #reasoning: ReasoningView;
  readonly #text: MarkdownView;
  readonly #progress = element('span');
  readonly #progressLine = element('p', 'progress', icon('loading'), this.#progress);
  readonly #trouble = element('div');
  readonly #note = element('p', 'note');
  readonly #facts = element('summary', 'facts');
  readonly #details = element('p');
  readonly #figures = element('details', 'figures', this.#facts);
  readonly #copy: HTMLButtonElement;
  readonly #retries: Readonly<Record<RetryAction, HTMLButtonElement>>;
  readonly #footer: HTMLElement;
  readonly #act: (action: TroubleAction) => void;
  /** Called when the state, or whether there is text, may have changed. */
  onState: () => void = () => undefined;
  #latest: ReplyUpdate;
  #shownTrouble = '';
  #hasSources = false;

  /** @param act runs an action of the error card or below the answer. */
  constructor(reply: ShownReply, post: Post, act: (action: TroubleAction) => void) {
    this.id = reply.id;
    this.#latest = updateOf(reply);
    this.#act = act;
    this.#reasoning = new ReasoningView(reply.id, post);
    this.#text = new MarkdownView(reply.id, post, () => {
      noteEnded(this.#text.element, reply.id, post);
      this.#showTrouble();
      this.#showState();
    });
    this.#progressLine.hidden = true;
    this.#copy = iconButton('copy', l10n.t('Copy Answer'), () => {
      post({ type: 'copy', text: replacePictures(this.#text.source, (_, alt) => alt).trim() });
      confirmCopied(this.#copy);
    });
    const retry = (action: RetryAction, picture: 'refresh' | 'arrowSwap', label: string) => {
      const button = iconButton(picture, label, () => act(action));
      markPaying(button);
      return button;
    };
    this.#retries = {
      sendAgain: retry('sendAgain', 'refresh', l10n.t('Ask Again (New Paid Call)')),
      askOther: retry('askOther', 'arrowSwap', l10n.t('Ask Another Model (New Paid Call)…')),
    };
    const { sendAgain, askOther } = this.#retries;
    const showSent = iconButton('eye', l10n.t('Show Sent Request'), () =>
      post({ type: 'showSent', replyId: reply.id }),
    );
    const inFooter = element('span', 'actions', this.#copy, showSent, sendAgain, askOther);
    const copyDetails = textButton(
      'quietButton',
      l10n.t('Copy Details'),
      () => {
        post({ type: 'copy', text: this.#details.textContent });
        confirmCopied(copyDetails);
      },
      'copy',
    );
    this.#figures.append(this.#details, copyDetails);
    this.#footer = element('footer', '', this.#figures, inFooter);
    this.element.tabIndex = -1;
    this.element.dataset.vscodeContext = JSON.stringify({ webviewSection: 'answer', replyId: reply.id });
    this.#copy.classList.add('copyAnswer');
    this.head = element('h2', 'model', icon('hubot'), this.#model, this.#echoed);
    this.element.append(
      this.head,
      this.#reasoning.element,
      this.#text.element,
      this.#progressLine,
      this.#trouble,
      this.#note,
      this.#footer,
    );
    this.append(reply.text, reply.reasoning);
    this.update(this.#latest);
  }

  /** UTF-16 units of text and reasoning together, to compare with the host's count. */
  get length(): number {
    return this.#text.source.length + this.#reasoning.source.length;
  }

  get hasText(): boolean {
    return this.#text.source.trim() !== '';
  }

  /** Bottom edge of the text in the viewport, in pixels. */
  get textBottom(): number {
    return this.#text.element.getBoundingClientRect().bottom;
  }

  get latest(): ReplyUpdate {
    return this.#latest;
  }

  append(text: string, reasoning: string): void {
    const isFirst = this.#text.source === '' && text !== '';
    if (text !== '') {
      this.#text.append(text);
    }
    this.#reasoning.append(reasoning);
    if (isFirst || (this.#text.source === '' && reasoning !== '')) {
      this.#showState();
    }
  }

  /** Shows the whole reply. Returns false when its text does not continue the shown text and needs a new view. */
  accept(reply: ShownReply): boolean {
    if (
      reply.id !== this.id ||
      !reply.text.startsWith(this.#text.source) ||
      !reply.reasoning.startsWith(this.#reasoning.source)
    ) {
      return false;
    }
    const isLonger = reply.text.length + reply.reasoning.length > this.length;
    // A text that has ended cannot take more.
    if (!isArriving(this.#latest) && (isArriving(reply) || isLonger)) {
      return false;
    }
    this.append(reply.text.slice(this.#text.source.length), reply.reasoning.slice(this.#reasoning.source.length));
    this.update(updateOf(reply));
    return true;
  }

  /** Shows an update. Card and footer appear only after the last text, which would move them away from the pointer. */
  update(update: ReplyUpdate): void {
    this.#latest = update;
    if (!isArriving(update)) {
      this.#text.end();
    }
    const model = visibleName(update.model);
    setText(this.#model, model);
    setText(
      this.#echoed,
      update.echoedModel === undefined ? '' : l10n.t('answered as {0}', visibleName(update.echoedModel)),
    );
    this.element.setAttribute('aria-label', l10n.t('Answer from {0}', model));
    this.#showTrouble();
    this.#showFacts(update);
    this.#showState();
  }

  /** Shows why the question was not sent: in the card, or above the facts if there is none. */
  showRefusal(reason: string, isNote: boolean): void {
    const line = element('p', isNote ? 'refusal isNote' : 'refusal', reason);
    line.setAttribute('role', 'alert');
    this.#trouble.querySelector('.refusal')?.remove();
    (this.#trouble.querySelector('.trouble') ?? this.#trouble).append(line);
  }

  /** Each fact is an element, so that those without room in the line vanish whole: half a number says another one. */
  #showFacts({ footer, details }: ReplyUpdate): void {
    const texts = footer.map((fact, index) => `${index === 0 ? '' : ' · '}${visibleName(fact)}`);
    if (this.#facts.textContent !== texts.join('')) {
      this.#facts.replaceChildren(...texts.map((text) => element('span', 'fact', text)));
    }
    this.#facts.title = details.map(visibleName).join('\n');
    setText(this.#details, this.#facts.title);
    this.#figures.hidden = footer.length === 0;
  }

  #showTrouble(): void {
    const { trouble, state } = this.#latest;
    if (!isArriving(this.#latest) && !this.#text.isDrawn) {
      return;
    }
    const shown = JSON.stringify([trouble, state]);
    if (shown === this.#shownTrouble) {
      return;
    }
    this.#shownTrouble = shown;
    this.#trouble.replaceChildren(...(trouble === undefined ? [] : [troubleCard(trouble, state, this.#act)]));
  }

  #showState(): void {
    const { startedAt } = this.#latest;
    const runs = isArriving(this.#latest);
    const isThinking = runs && this.#text.source === '' && this.#reasoning.source !== '';
    this.#reasoning.update(this.#latest, isThinking);
    this.element.setAttribute('aria-busy', String(!this.#text.isDrawn));
    this.#progressLine.hidden = runs ? isThinking : this.#text.isDrawn || this.#progressLine.hidden;
    if (this.#progressLine.hidden) {
      stopClock(this.#progress);
    } else {
      const isWaiting = this.#text.source === '';
      runClock(this.#progress, () => {
        const elapsed = elapsedText(Date.now() - startedAt);
        return isWaiting ? l10n.t('Waiting for the answer… {0}', elapsed) : l10n.t('Answering… {0}', elapsed);
      });
    }
    const { sources } = this.#latest;
    if (sources !== undefined && this.#text.isDrawn && !this.#hasSources) {
      this.#hasSources = true;
      showSources(this.#text.element, sources);
    }
    this.#note.hidden = this.#latest.note === undefined || !this.#text.isDrawn;
    setText(this.#note, visibleText(this.#latest.note ?? ''));
    this.#copy.hidden = this.#text.source === '';
    const { retries, footer } = this.#latest;
    this.#retries.sendAgain.hidden = !retries.includes('sendAgain');
    this.#retries.askOther.hidden = !retries.includes('askOther');
    this.#footer.hidden = !this.#text.isDrawn || (this.#copy.hidden && footer.length === 0 && retries.length === 0);
    this.onState();
  }
}

function updateOf(reply: ShownReply): ReplyUpdate {
  const { text, reasoning, ...rest } = reply;
  return { ...rest, length: text.length + reasoning.length };
}
