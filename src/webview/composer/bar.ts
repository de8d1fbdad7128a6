import * as l10n from '@vscode/l10n';
import { costRange, rangeText } from '../../core/base/costRange.ts';
import { estimateTokens } from '../../core/base/estimateTokens.ts';
import { estimatedTokensText, numberText } from '../../core/base/localization.ts';
import { exactMoneyText } from '../../core/base/money.ts';
import { requestSizeTexts } from '../../core/base/requestSize.ts';
import { visibleName, visibleText } from '../../core/base/visibleText.ts';
import type { ComposerView } from '../../protocol/protocol.ts';
import { element, iconButton, type Post, setText, textButton } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import { markPaying, type PaidAction } from '../page/paying.ts';

/**
 * The bar below the question box: model, *Add Context…*, parameters, size and price of the next question, what the
 * conversation cost and what is left, *Send* or *Stop*.
 */
export class ComposerBar {
  readonly element: HTMLElement;
  readonly #model: HTMLButtonElement;
  readonly #modelName = element('span', 'label');
  readonly #parameters: HTMLButtonElement;
  readonly #parametersText = element('span', 'label');
  readonly #estimate = element('span', 'estimate');
  readonly #totals = element('span', 'totals');
  readonly #send: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  #estimated = '';

  constructor(post: Post, send: () => void, stop: () => void, showRequest: () => void) {
    this.#model = textButton('modelButton', '', () => post({ type: 'chooseModel' }), 'hubot');
    this.#model.append(this.#modelName, icon('chevronDown'));
    this.#parameters = textButton('parametersButton', '', () => post({ type: 'editParameters' }), 'settings');
    this.#parameters.append(this.#parametersText);
    this.#send = textButton('primary send', l10n.t('Send'), send, 'send');
    this.#send.title = l10n.t('Send (Enter)');
    markPaying(this.#send);
    this.#stop = textButton('secondary send', l10n.t('Stop'), stop, 'stop');
    const add = iconButton('add', l10n.t('Add Context…'), () => post({ type: 'addContext' }));
    const show = iconButton('eye', l10n.t('Show Request'), showRequest);
    this.element = element(
      'div',
      'bar',
      element('span', 'start', this.#model, add, show, this.#parameters),
      element('span', 'end', this.#estimate, this.#totals, this.#send, this.#stop),
    );
  }

  /** @returns whether the focus was on *Send* or *Stop*, which is hidden or disabled now. */
  show(view: ComposerView, draft: string, action: PaidAction, canSend: boolean): boolean {
    this.#showModel(view);
    this.#showEstimate(view, draft);
    const { balance, calls, runningReplies } = view;
    const joined = (texts: readonly (string | undefined)[], by: string) => texts.filter(Boolean).join(by);
    setText(this.#totals, visibleText(joined([calls?.text, balance?.text], ' · ')));
    this.#totals.title = visibleText(joined([calls?.hint, balance?.title], '\n'));
    this.#totals.hidden = this.#totals.textContent === '';
    this.#totals.classList.toggle('isLow', balance?.isLow === true);
    const hadFocus = this.#hasFocus;
    const isRunning = action.id !== undefined;
    this.#send.hidden = isRunning;
    this.#send.disabled = !canSend;
    this.#stop.hidden = !isRunning;
    this.#stop.disabled = action.isStopping;
    const label = runningReplies === undefined ? l10n.t('Stop') : l10n.t('Stop All');
    setText(this.#stop.lastElementChild ?? this.#stop, label);
    this.#stop.title =
      runningReplies === undefined
        ? l10n.t('Stop (Escape)')
        : l10n.t('Stop All {0} Answers (Escape)', numberText(runningReplies));
    return hadFocus && !this.#hasFocus;
  }

  get #hasFocus(): boolean {
    return document.activeElement === this.#send || document.activeElement === this.#stop;
  }

  #showModel({ model, host, parameters }: ComposerView): void {
    setText(this.#modelName, model === undefined ? l10n.t('Choose Model…') : visibleName(model));
    this.#modelName.classList.toggle('none', model === undefined);
    const destination = host === undefined ? l10n.t('No connection') : l10n.t('Questions are sent to {0}', host);
    // The button may cut off a long model ID.
    this.#model.title = model === undefined ? destination : `${visibleName(model)}\n${destination}`;
    const name = l10n.t('Parameters');
    const label = visibleName(parameters?.label ?? '');
    setText(this.#parametersText, label);
    this.#parametersText.hidden = label === '';
    this.#parameters.setAttribute('aria-label', label === '' ? name : l10n.t('Parameters: {0}', label));
    this.#parameters.title = parameters === undefined ? name : `${name}\n${visibleText(parameters.hint)}`;
  }

  /** The estimated tokens of the next request, how much of the context window that is, and what it may cost. */
  #showEstimate({ tokens, tokenFactor = 1, window, price }: ComposerView, draft: string): void {
    const all = tokens + estimateTokens(draft);
    const estimate = Math.round(all * tokenFactor);
    const known = window ? requestSizeTexts(estimate, window) : [estimatedTokensText(estimate)];
    const range = price && costRange(price, all);
    const cost = range && rangeText(range);
    const texts = estimate === 0 ? [] : [...known, ...(cost === undefined ? [] : [cost])];
    if (texts.join() !== this.#estimated) {
      this.#estimated = texts.join();
      this.#estimate.replaceChildren(...texts.map((text) => element('span', '', text)));
    }
    const last = this.#estimate.lastElementChild;
    if (range && last instanceof HTMLElement) {
      last.title = `${rangeText(range, exactMoneyText)}\n${price.hint}`;
    }
    const isOver = window !== undefined && estimate > window.prompt;
    this.#estimate.classList.toggle('isOver', isOver);
    this.#estimate.title = isOver
      ? l10n.t(
          '{0} tokens of the context window are reserved for the answer. When you send, you choose what to leave out.',
          numberText(window.size - window.prompt),
        )
      : '';
  }
}
