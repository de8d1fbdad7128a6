import * as l10n from '@vscode/l10n';
import { listText, numberText, plural } from '../base/localization.ts';
import { type Cost, costText } from '../reply/cost.ts';
import type { CountedCall } from './usageTotals.ts';

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
    cost && l10n.t('median cost {0}', costText(cost)),
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

/** The middle one, or the lower one of two. */
export function median(all: readonly number[]): number | undefined {
  const sorted = all.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
