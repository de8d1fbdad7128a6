import * as l10n from '@vscode/l10n';
import type { Clock } from '../../base/clock.ts';
import { dayStart } from '../../base/dayStart.ts';
import { dateText } from '../../base/localization.ts';
import { runInSlices, type Steps } from '../../base/runInSlices.ts';
import { allTokens } from '../../reply/usage.ts';
import type { Ledger } from '../ledger.ts';
import { meterFactor } from '../ownFacts.ts';
import {
  addCall,
  type CallState,
  type CostOfCall,
  type CountedCall,
  emptyTotals,
  type UsageSums,
  type UsageTotals,
} from '../usageTotals.ts';
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

/** The amounts of one unit, or tokens, by model and then by bucket of the span. */
export type Series = { calls: number; readonly byModel: Map<string, number[]> };

/** What the view shows of the calls that a choice selects. */
export type UsageTally = {
  readonly totals: UsageTotals;
  /** Of today alone. */
  readonly today: UsageSums;
  /** The calls that began last, the latest first. */
  readonly latest: readonly CountedCall[];
  /** By unit. */
  readonly costs: ReadonlyMap<string, Series>;
  readonly tokens: Series;
  /** The ids of all connections in the span, also of those that the choice leaves out. */
  readonly connections: ReadonlySet<string>;
  /** The models whose input tokens a gateway counts differently than before; see `meterFactor`. */
  readonly moved: readonly { readonly model: string; readonly factor: number }[];
};

export type TallyPorts = {
  readonly costOf: CostOfCall;
  readonly stateOf: (call: CountedCall) => CallState;
};

export type ReadUsage = {
  readonly now: number;
  readonly span: Span;
  readonly tally: UsageTally;
  /** Lines of the usage data that could not be read. */
  readonly unreadable: number;
};

/**
 * Reads what the view shows, in slices. Rejects when the ledger can't be read.
 *
 * @param most how many of the latest calls to collect.
 */
export async function readUsage(
  ledger: Ledger,
  clock: Clock,
  choice: UsageChoice,
  most: number,
  ports: TallyPorts,
): Promise<ReadUsage> {
  const now = clock.now();
  const span = spanOf(choice.period, now);
  const calls = await ledger.callsBetween(span.from, span.to);
  const unreadable = await ledger.unreadable(span.from, span.to);
  return { now, span, unreadable, tally: await runInSlices(clock, tallyCalls(calls, choice, span, most, ports)) };
}

/** Whether the filters of a choice select a call. */
export function isChosen({ connection, model, caller }: UsageChoice, call: CountedCall): boolean {
  return (
    (connection === undefined || call.connection === connection) &&
    (model === undefined || call.model === model) &&
    (caller === undefined || call.caller === caller)
  );
}

/**
 * Adds up calls for the view.
 *
 * @param calls those of the span, in any order.
 * @param most how many of the latest calls to collect.
 */
export function* tallyCalls(
  calls: readonly CountedCall[],
  choice: UsageChoice,
  { to, buckets }: Span,
  most: number,
  { costOf, stateOf }: TallyPorts,
): Steps<UsageTally> {
  const [totals, today] = [emptyTotals(), emptyTotals()];
  const todayFrom = dayStart(to - 1);
  const connections = new Set<string>();
  const costs = new Map<string, Series>();
  const tokens: Series = { calls: 0, byModel: new Map() };
  const chosen: CountedCall[] = [];
  for (const call of calls) {
    yield;
    connections.add(call.connection);
    if (!isChosen(choice, call)) {
      continue;
    }
    const [state, cost] = [stateOf(call), costOf(call)];
    addCall(totals, call, state, cost);
    if (call.at >= todayFrom) {
      addCall(today, call, state, cost);
    }
    const bucket = buckets.findLastIndex((each) => each.from <= call.at);
    addTo(tokens, call.model, bucket, allTokens(call.usage), buckets.length);
    if (cost !== undefined) {
      const series = costs.get(cost.unit) ?? { calls: 0, byModel: new Map() };
      costs.set(cost.unit, series);
      addTo(series, call.model, bucket, cost.amount, buckets.length);
    }
    chosen.push(call);
  }
  chosen.sort((one, other) => other.at - one.at);
  const byModel = new Map<string, CountedCall[]>();
  for (const call of chosen) {
    yield;
    const name = `${call.connection} ${call.model}`;
    const ofModel = byModel.get(name) ?? [];
    byModel.set(name, ofModel);
    ofModel.push(call);
  }
  const moved: { model: string; factor: number }[] = [];
  for (const ofModel of byModel.values()) {
    yield;
    const factor = meterFactor(ofModel.toReversed());
    if (factor !== undefined) {
      moved.push({ model: ofModel[0]?.model ?? '', factor });
    }
  }
  return { totals, today, latest: chosen.slice(0, most), costs, tokens, connections, moved };
}

function addTo(series: Series, model: string, bucket: number, amount: number, buckets: number): void {
  series.calls++;
  const amounts = series.byModel.get(model) ?? new Array<number>(buckets).fill(0);
  series.byModel.set(model, amounts);
  amounts[bucket] = (amounts[bucket] ?? 0) + amount;
}
