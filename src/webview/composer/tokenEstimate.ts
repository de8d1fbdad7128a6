import { estimateTokens } from '../../core/base/estimateTokens.ts';
import { estimatedTokensText } from '../../core/base/localization.ts';
import type { ComposerView } from '../../protocol/views.ts';
import { element, setText } from '../page/dom.ts';

/** The estimated tokens of the next request. */
export class TokenEstimate {
  readonly element = element('span', 'estimate');

  show({ tokens, tokenFactor = 1 }: ComposerView, draft: string): void {
    const estimate = Math.round((tokens + estimateTokens(draft)) * tokenFactor);
    setText(this.element, estimate === 0 ? '' : estimatedTokensText(estimate));
  }
}
