import * as l10n from '@vscode/l10n';
import { dayStart } from '../../base/dayStart.ts';
import { dateText } from '../../base/localization.ts';
import type { Cost } from '../../reply/cost.ts';
import { allTokens } from '../../reply/usage.ts';
import type { Ledger } from '../ledger.ts';
import { grouped } from '../receipts/matchLog.ts';
import { meterFactor } from '../tokenFactor.ts';
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

export type ReadUsage = {
  readonly now: number;
  readonly span: Span;
  readonly tally: UsageTally;
  /** Lines of the usage data that could not be read. */
  readonly unreadable: number;
};

/**
 * Reads what the view shows. Rejects when the ledger can't be read.
 *
 * @param most how many of the latest calls to collect.
 */
export async function tallyUsage(
  ledger: Ledger,
  now: number,
  choice: UsageChoice,
  most: number,
  costOf: CostOfCall,
): Promise<ReadUsage> {
  const span = spanOf(choice.period, now);
  const tally = new Tally(choice, span);
  const unreadable = await ledger.visit(span.from, span.to, (call) =>
    tally.add(call, ledger.stateOf(call), costOf(call)),
  );
  return { now, span, unreadable, tally: tally.result(most) };
}

/** Whether the filters of a choice select a call. */
export function isChosen({ connection, model, caller }: UsageChoice, call: CountedCall): boolean {
  return (
    (connection === undefined || call.connection === connection) &&
    (model === undefined || call.model === model) &&
    (caller === undefined || call.caller === caller)
  );
}

/** Adds up the calls of a span for the view. */
export class Tally {
  readonly #choice: UsageChoice;
  readonly #buckets: Span['buckets'];
  readonly #todayFrom: number;
  readonly #totals = emptyTotals();
  readonly #today = emptyTotals();
  readonly #connections = new Set<string>();
  readonly #costs = new Map<string, Series>();
  readonly #tokens: Series = { calls: 0, byModel: new Map() };
  readonly #chosen: CountedCall[] = [];

  constructor(choice: UsageChoice, { to, buckets }: Span) {
    this.#choice = choice;
    this.#buckets = buckets;
    this.#todayFrom = dayStart(to - 1);
  }

  add(call: CountedCall, state: CallState, cost: Cost | undefined): void {
    this.#connections.add(call.connection);
    if (!isChosen(this.#choice, call)) {
      return;
    }
    addCall(this.#totals, call, state, cost);
    if (call.at >= this.#todayFrom) {
      addCall(this.#today, call, state, cost);
    }
    const bucket = this.#buckets.findLastIndex((each) => each.from <= call.at);
    addTo(this.#tokens, call.model, bucket, allTokens(call.usage), this.#buckets.length);
    if (cost !== undefined) {
      const series = this.#costs.get(cost.unit) ?? { calls: 0, byModel: new Map() };
      this.#costs.set(cost.unit, series);
      addTo(series, call.model, bucket, cost.amount, this.#buckets.length);
    }
    this.#chosen.push(call);
  }

  /** @param most how many of the latest calls to collect. */
  result(most: number): UsageTally {
    const chosen = this.#chosen.sort((one, other) => other.at - one.at);
    const byModel = grouped(chosen, ({ connection, model }) => `${connection} ${model}`);
    const moved = [...byModel.values()].flatMap((calls) => {
      const factor = meterFactor(calls.toReversed());
      return factor === undefined ? [] : [{ model: calls[0]?.model ?? '', factor }];
    });
    return {
      totals: this.#totals,
      today: this.#today,
      latest: chosen.slice(0, most),
      costs: this.#costs,
      tokens: this.#tokens,
      connections: this.#connections,
      moved,
    };
  }
}

function addTo(series: Series, model: string, bucket: number, amount: number, buckets: number): void {
  series.calls++;
  const amounts = series.byModel.get(model) ?? new Array<number>(buckets).fill(0);
  series.byModel.set(model, amounts);
  amounts[bucket] = (amounts[bucket] ?? 0) + amount;
}
