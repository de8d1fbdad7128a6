import * as l10n from '@vscode/l10n';
import { dayStart } from '../../base/dayStart.ts';
import { dateText } from '../../base/localization.ts';
import type { Steps } from '../../base/runInSlices.ts';
import type { ReadCalls } from '../ledger.ts';
import { countedRatio, meterFactor } from '../tokenFactor.ts';
import { type CostOfCall, type CountedCall, totalsOf, type UsageSums, type UsageTotals } from '../usageTotals.ts';
import type { UsageChoice } from './usageDocument.ts';

/** A part of a period that has a bar of its own in the chart. */
type Bucket = {
  /** Unix milliseconds of its beginning. */
  readonly from: number;
  /** What stands below its bar; empty where it would leave too little room for others. */
  readonly label: string;
  readonly name: string;
};

/** A span of time up to the end of today; in Unix milliseconds. */
export type Span = { readonly from: number; readonly to: number; readonly buckets: readonly Bucket[] };

/** How far apart the labels of hours and of many days are. */
const [hoursApart, daysApart] = [6, 7];

export function spanOf(period: UsageChoice['period'], now: number): Span {
  const to = dayStart(now, 1);
  if (period === 'today') {
    const date = new Date(now);
    const buckets = Array.from({ length: 24 }, (_, hour) => {
      const at = new Date(date.getFullYear(), date.getMonth(), date.getDate(), hour).getTime();
      const name = dateText(at, { timeStyle: 'short' });
      return { from: at, name, label: hour % hoursApart === 0 ? name : '' };
    });
    return { from: dayStart(now), to, buckets };
  }
  const days = { week: 7, days30: 30, month: new Date(now).getDate() }[period];
  const buckets = Array.from({ length: days }, (_, index) => {
    const before = days - 1 - index;
    const at = dayStart(now, -before);
    return { from: at, name: dateText(at, { dateStyle: 'medium' }), label: dayLabel(at, before, days) };
  });
  return { from: dayStart(now, 1 - days), to, buckets };
}

function dayLabel(at: number, before: number, days: number): string {
  if (before === 0) {
    return l10n.t('Today');
  }
  if (days <= daysApart) {
    return dateText(at, { weekday: 'short' });
  }
  return before % daysApart === 0 ? dateText(at, { month: 'short', day: 'numeric' }) : '';
}

/** What the view shows of the calls that a choice selects. */
export type UsageTally = {
  readonly now: number;
  readonly span: Span;
  /** The latest first. */
  readonly calls: readonly CountedCall[];
  readonly totals: UsageTotals;
  /** Of today alone. */
  readonly today: UsageSums;
  /** The ids of all connections in the span, also of those that the choice leaves out. */
  readonly called: ReadonlySet<string>;
  /** The models whose input tokens a gateway counts differently than before; see `meterFactor`. */
  readonly moved: readonly { readonly model: string; readonly factor: number }[];
  /** Lines of the usage data that could not be read. */
  readonly unreadable: number;
};

/** @param read the calls of `spanOf` the period. */
export function* tallyUsage(
  { calls: all, unreadable }: ReadCalls,
  now: number,
  choice: UsageChoice,
  costOf: CostOfCall,
): Steps<UsageTally> {
  const calls = all.filter((call) => isChosen(choice, call)).sort((one, other) => other.at - one.at);
  yield;
  const totals = totalsOf(calls, costOf);
  yield;
  const moved: { readonly model: string; readonly factor: number }[] = [];
  const comparable = calls.filter((call) => countedRatio(call) !== undefined);
  for (const ofModel of Map.groupBy(comparable, ({ connection, model }) => `${connection} ${model}`).values()) {
    const factor = meterFactor(ofModel.toReversed());
    if (factor !== undefined) {
      moved.push({ model: ofModel[0]?.model ?? '', factor });
    }
  }
  yield;
  const dayFrom = dayStart(now);
  const today = calls.slice(0, calls.findLastIndex(({ at }) => at >= dayFrom) + 1);
  return {
    now,
    span: spanOf(choice.period, now),
    calls,
    totals,
    today: totalsOf(today, costOf),
    called: new Set(all.map(({ connection }) => connection)),
    moved,
    unreadable,
  };
}

/** Whether the filters of a choice select a call. */
export function isChosen({ connection, model, caller }: UsageChoice, call: CountedCall): boolean {
  return (
    (connection === undefined || call.connection === connection) &&
    (model === undefined || call.model === model) &&
    (caller === undefined || call.caller === caller)
  );
}
