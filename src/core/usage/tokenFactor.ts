import * as l10n from '@vscode/l10n';
import { numberText } from '../base/localization.ts';
import { percentile } from '../base/percentile.ts';
import { visibleName } from '../base/visibleText.ts';
import type { CountedCall } from './usageTotals.ts';

/** The calls that are compared, and how many of them are needed before their tokens say something about estimates. */
const [comparedCalls, neededCalls] = [20, 3];
/** Below this estimate, what a gateway adds to each request counts for more than the tokenizer. */
const smallestEstimate = 100;
const leastChange = 0.15;

/**
 * What to multiply estimates of tokens with: 0.5 to 2, and 1 with too few calls.
 *
 * @param calls of a model, the last one last.
 */
export function tokenFactor(calls: readonly Pick<CountedCall, 'estimate' | 'usage'>[]): number {
  const ratios = calls.flatMap((call) => countedRatio(call) ?? []);
  const median = percentile(ratios.slice(-comparedCalls), 0.5) ?? 1;
  return ratios.length < neededCalls ? 1 : Math.min(2, Math.max(0.5, median));
}

/**
 * By which factor the input that a gateway counts for an estimated token has moved: the median of the last 20 calls over
 * that of the first 20.
 *
 * @param calls of one model with one connection, in the order of their times.
 * @returns undefined with fewer calls, and for less than 15 %.
 */
export function meterFactor(calls: readonly CountedCall[]): number | undefined {
  const ratios = calls.flatMap((call) => countedRatio(call) ?? []);
  const first = percentile(ratios.slice(0, comparedCalls), 0.5);
  const last = percentile(ratios.slice(-comparedCalls), 0.5);
  const factor = ratios.length < 2 * comparedCalls || !first || !last ? 1 : last / first;
  return Math.abs(factor - 1) >= leastChange ? factor : undefined;
}

export function meterText(model: string, factor: number): string {
  const times = numberText(factor, { maximumFractionDigits: 2 });
  return l10n.t('The gateway counts {0} times as many input tokens for {1} as before.', times, visibleName(model));
}

/** The tokens that the gateway counted for an estimated one. Gateways count what is in a cache in ways of their own. */
export function countedRatio({ estimate, usage }: Pick<CountedCall, 'estimate' | 'usage'>): number | undefined {
  const { promptTokens = 0, cachedTokens, cacheWriteTokens } = usage ?? {};
  const isComparable = promptTokens > 0 && estimate >= smallestEstimate && !cachedTokens && !cacheWriteTokens;
  return isComparable ? promptTokens / estimate : undefined;
}
