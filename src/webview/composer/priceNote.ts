import { costRange, rangeText } from '../../core/base/costRange.ts';
import { estimateTokens } from '../../core/base/estimateTokens.ts';
import type { ComposerView } from '../../protocol/views.ts';

/** What the next question may cost with this draft; undefined if its price is unknown. */
export function priceNote({ price, tokens }: ComposerView, draft: string): string | undefined {
  return price && rangeText(costRange(price, tokens + estimateTokens(draft)));
}
