import * as l10n from '@vscode/l10n';
import { numberText } from '../base/localization.ts';
import { visibleName } from '../base/visibleText.ts';
import { median } from './ownFacts.ts';
import type { CountedCall } from './usageTotals.ts';

const comparedCalls = 20;
const leastChange = 0.15;
/** Below this estimate, what a gateway adds to each request counts for more than the tokenizer. */
const smallestEstimate = 100;

/**
 * By which factor the input that a gateway counts for an estimated token has moved: the median of the last 20 calls over
 * that of the first 20.
 *
 * @param calls of one model with one connection, in the order of their times.
 * @returns undefined with fewer calls, and for less than 15 %.
 */
export function meterFactor(calls: readonly CountedCall[]): number | undefined {
  // Gateways count what is in a cache in ways of their own.
  const ratios = calls.flatMap(({ estimate, usage: { promptTokens = 0, cachedTokens, cacheWriteTokens } = {} }) =>
    promptTokens > 0 && estimate >= smallestEstimate && !cachedTokens && !cacheWriteTokens
      ? promptTokens / estimate
      : [],
  );
  const [first, last] = [ratios.slice(0, comparedCalls), ratios.slice(-comparedCalls)].map((each) => median(each));
  const factor = ratios.length < 2 * comparedCalls || !first || !last ? 1 : last / first;
  return Math.abs(factor - 1) >= leastChange ? factor : undefined;
}

export function meterText(model: string, factor: number): string {
  const times = numberText(factor, { maximumFractionDigits: 2 });
  return l10n.t('The gateway counts {0} times as many input tokens for {1} as before.', times, visibleName(model));
}
