import * as l10n from '@vscode/l10n';
import { listText, numberText, plural } from '../base/localization.ts';
import { visibleName } from '../base/visibleText.ts';
import { type Cost, exactCostText } from '../reply/cost.ts';
import type { CountedCall } from './usageTotals.ts';

/** The calls that are compared, and how many of them are needed before their tokens say something about estimates. */
const [comparedCalls, neededCalls] = [20, 3];
/** Below this estimate, what a gateway adds to each request counts for more than the tokenizer. */
const smallestEstimate = 100;
const leastChange = 0.15;

/** What a person's own calls show about a model. */
export type OwnFacts = {
  /** Calls that were sent and have ended. */
  readonly calls: number;
  /** Those of them that failed, or whose answer was cut off. */
  readonly failed: number;
  /** The median, of calls whose cost is known in the unit of the last one of these. */
  readonly cost?: Cost;
  /** The median. */
  readonly firstTokenMs?: number;
};

/**
 * What calls to one model show.
 *
 * @param calls in the order of their times.
 * @returns undefined when none was sent and has ended.
 */
export function ownFacts(
  calls: readonly CountedCall[],
  costOf: (call: CountedCall) => Cost | undefined,
): OwnFacts | undefined {
  const ended = calls.filter(({ state }) => state !== undefined && state !== 'notSent' && state !== 'unknown');
  const costs = ended.flatMap((call) => costOf(call) ?? []);
  const unit = costs.at(-1)?.unit;
  const amount = median(costs.filter((each) => each.unit === unit).map((each) => each.amount));
  const cost = costs.find((each) => each.unit === unit && each.amount === amount);
  const firstTokenMs = median(ended.flatMap((call) => call.firstTokenMs ?? []));
  return ended.length === 0
    ? undefined
    : {
        calls: ended.length,
        failed: ended.filter(({ state }) => state === 'failed' || state === 'incomplete').length,
        ...(cost && { cost }),
        ...(firstTokenMs !== undefined && { firstTokenMs }),
      };
}

/** Such as “Your last 40 calls: median cost $0.0061, first token after 0.9 s, and 2 failed”. */
export function ownFactsText({ calls, failed, cost, firstTokenMs }: OwnFacts): string {
  const facts = [
    cost && l10n.t('median cost {0}', exactCostText(cost)),
    firstTokenMs !== undefined &&
      l10n.t('first token after {0} s', numberText(firstTokenMs / 1_000, { maximumSignificantDigits: 2 })),
    l10n.t({ message: '{0} failed', args: [numberText(failed)], comment: ['A number of calls'] }),
  ].filter((fact) => typeof fact === 'string');
  return plural(
    calls,
    l10n.t('Your only call in 30 days: {0}', listText(facts)),
    l10n.t('Your {0} calls in 30 days: {1}', numberText(calls), listText(facts)),
  );
}

/** Prompt tokens for each completion token; undefined when no call reported both. */
export function tokenRatio(calls: readonly CountedCall[]): number | undefined {
  let [input, output] = [0, 0];
  for (const { usage } of calls) {
    if (usage?.promptTokens !== undefined && usage.completionTokens !== undefined) {
      input += usage.promptTokens;
      output += usage.completionTokens;
    }
  }
  return output > 0 ? input / output : undefined;
}

/**
 * What to multiply estimates of tokens with: 0.5 to 2, and 1 with too few calls.
 *
 * @param ratios of a model's calls, the last one last; see `countedRatio`.
 */
export function tokenFactor(ratios: readonly number[]): number {
  return ratios.length < neededCalls ? 1 : Math.min(2, Math.max(0.5, median(ratios.slice(-comparedCalls)) ?? 1));
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
  const [first, last] = [ratios.slice(0, comparedCalls), ratios.slice(-comparedCalls)].map((each) => median(each));
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

/** The middle one, or the lower one of two. */
function median(all: readonly number[]): number | undefined {
  const sorted = all.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
