import { dayStart } from '../../base/dayStart.ts';
import type { Steps } from '../../base/runInSlices.ts';
import { allTokens } from '../../reply/usage.ts';
import type { CostOfCall } from '../ledger.ts';
import { meterFactor } from '../meter.ts';
import { type CallState, type CountedCall, UsageCounter, type UsageSums, type UsageTotals } from '../usageTotals.ts';
import type { Span } from './periods.ts';
import type { UsageChoice } from './usageDocument.ts';

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
  /** Calls that are dated after the span, because the clock was set back. */
  readonly later: number;
};

export type TallyPorts = {
  readonly costOf: CostOfCall;
  readonly stateOf: (call: CountedCall) => CallState;
};

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
 * @param calls those of the span and all later ones, in any order.
 * @param most how many of the latest calls to collect.
 */
export function* tallyCalls(
  calls: readonly CountedCall[],
  choice: UsageChoice,
  { from, to, buckets }: Span,
  most: number,
  { costOf, stateOf }: TallyPorts,
): Steps<UsageTally> {
  const [all, ofToday] = [new UsageCounter(), new UsageCounter()];
  const today = dayStart(to - 1);
  const connections = new Set<string>();
  const costs = new Map<string, Series>();
  const tokens: Series = { calls: 0, byModel: new Map() };
  let latest: CountedCall[] = [];
  let later = 0;
  const byModel = new Map<string, CountedCall[]>();
  const keepLatest = () => {
    latest = latest.sort((one, other) => other.at - one.at).slice(0, most);
  };
  for (const call of calls) {
    yield;
    if (call.at >= to) {
      later += isChosen(choice, call) ? 1 : 0;
      continue;
    }
    connections.add(call.connection);
    if (call.at < from || !isChosen(choice, call)) {
      continue;
    }
    const [state, cost] = [stateOf(call), costOf(call)];
    all.add(call, state, cost);
    if (call.at >= today) {
      ofToday.add(call, state, cost);
    }
    const bucket = buckets.findLastIndex((each) => each.from <= call.at);
    addTo(tokens, call.model, bucket, allTokens(call.usage), buckets.length);
    if (cost !== undefined) {
      const series = costs.get(cost.unit) ?? { calls: 0, byModel: new Map() };
      costs.set(cost.unit, series);
      addTo(series, call.model, bucket, cost.amount, buckets.length);
    }
    const ofModel = byModel.get(`${call.connection} ${call.model}`) ?? [];
    byModel.set(`${call.connection} ${call.model}`, ofModel);
    ofModel.push(call);
    latest.push(call);
    if (latest.length >= 2 * most) {
      keepLatest();
    }
  }
  keepLatest();
  const moved: { model: string; factor: number }[] = [];
  for (const calls of byModel.values()) {
    yield;
    const factor = meterFactor(calls.sort((one, other) => one.at - other.at));
    if (factor !== undefined) {
      moved.push({ model: calls[0]?.model ?? '', factor });
    }
  }
  return { totals: all.totals(0), today: ofToday.totals(0), latest, costs, tokens, connections, moved, later };
}

function addTo(series: Series, model: string, bucket: number, amount: number, buckets: number): void {
  series.calls++;
  let amounts = series.byModel.get(model);
  if (amounts === undefined) {
    amounts = new Array<number>(buckets).fill(0);
    series.byModel.set(model, amounts);
  }
  amounts[bucket] = (amounts[bucket] ?? 0) + amount;
}
