import * as l10n from '@vscode/l10n';
import { estimateTokens } from '../../core/base/estimateTokens.ts';
import { estimatedTokensText, numberText } from '../../core/base/localization.ts';
import { requestSizeTexts } from '../../core/base/requestSize.ts';
import type { ComposerView } from '../../protocol/views.ts';
import { element } from '../page/dom.ts';
import { priceNote } from './priceNote.ts';

/** The estimated tokens of the next request, how much of the model's context window that is, and what it may cost. */
export class TokenEstimate {
  readonly element = element('span', 'estimate');
  #shown = '';

  show(view: ComposerView, draft: string): void {
    const { model, tokens, tokenFactor = 1, window, price } = view;
    const estimate = Math.round((tokens + estimateTokens(draft)) * tokenFactor);
    const known = model === undefined ? [estimatedTokensText(estimate)] : requestSizeTexts(estimate, window);
    const cost = priceNote(view, draft);
    const texts = estimate === 0 ? [] : [...known, ...(cost === undefined ? [] : [cost])];
    if (texts.join() !== this.#shown) {
      this.#shown = texts.join();
      this.element.replaceChildren(...texts.map((text) => element('span', '', text)));
    }
    const last = this.element.lastElementChild;
    if (price && last instanceof HTMLElement) {
      last.title = price.hint;
    }
    const isOver = window !== undefined && estimate > window.prompt;
    this.element.classList.toggle('isOver', isOver);
    this.element.title = isOver
      ? l10n.t(
          '{0} tokens of the context window are reserved for the answer. When you send, you choose what to leave out.',
          numberText(window.size - window.prompt),
        )
      : '';
  }
}
