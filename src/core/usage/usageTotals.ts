import { addMoney, moneyAt } from '../base/money.ts';
import type { Connection } from '../connections/connection.ts';
import { type Cost, type CostSource, knownCost } from '../reply/cost.ts';
import { allTokens } from '../reply/usage.ts';
import type { CallEnd, CallStart, EndState } from './ledgerLine.ts';

/**
 * How a call ended. `unknown`: nothing shows that, or it has no end, because its window was closed or crashed, or is
 * another window that is still receiving the answer. `running`: this process is receiving the answer.
 */
export type CallState = EndState | 'running';

/** A call with what is known of its end and its charge. `at` is the time of its start. */
export type CountedCall = Omit<CallStart, 'caller' | 'host'> & {
  /** See `callerName`. */
  readonly caller: string;
  /** Counts the starts in its file; absent until its own was read there. */
  place?: number;
  readonly state: CallState;
  /** The `cost` of its end, which a receipt replaces. */
  readonly pricedCost?: Cost;
} & Partial<Omit<CallEnd, 'id' | 'at' | 'state'>>;

/** Finds what a call cost; undefined when that is unknown. */
export type CostOfCall<Call = CountedCall> = (call: Call) => Cost | undefined;

/** Sums of what gateways reported. A figure that they did not report counts as 0 here; see `unreported`. */
export type UsageSums = {
  calls: number;
  readonly states: Record<CallState, number>;
  /** Input and output together; see `allTokens`. */
  tokens: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  /** By unit; empty when no cost is known. */
  readonly costs: Map<string, number>;
  /** How the costs are known. */
  readonly sources: Set<CostSource>;
  /** Calls without a known cost, apart from those that are running, were not sent, or are known to be free. */
  unpriced: number;
  /** Calls without any reported figure, apart from those that are running or were not sent. */
  unreported: number;
};

/** Sums of calls, in total and by what they have in common. */
export type UsageTotals = UsageSums & {
  /** By the model ID that was asked. */
  readonly byModel: Map<string, UsageSums>;
  /** By the id of the connection. */
  readonly byConnection: Map<string, UsageSums>;
  /** By `callerName`. */
  readonly byCaller: Map<string, UsageSums>;
};

/** What is added up of a call. */
type AddedCall = Pick<CountedCall, 'model' | 'connection' | 'caller' | 'state' | 'usage' | 'isFree'>;

/** Adds up calls. @param costOf finds what a call cost. */
export function totalsOf<Call extends AddedCall>(calls: readonly Call[], costOf: CostOfCall<Call>): UsageTotals {
  const totals = { ...emptySums(), byModel: new Map(), byConnection: new Map(), byCaller: new Map() };
  for (const call of calls) {
    const cost = costOf(call);
    addTo(totals, call, cost);
    addTo(sumsOf(totals.byModel, call.model), call, cost);
    addTo(sumsOf(totals.byConnection, call.connection), call, cost);
    addTo(sumsOf(totals.byCaller, call.caller), call, cost);
  }
  return totals;
}

function emptySums(): UsageSums {
  return {
    calls: 0,
    states: { complete: 0, stopped: 0, incomplete: 0, failed: 0, notSent: 0, unknown: 0, running: 0 },
    tokens: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    costs: new Map(),
    sources: new Set(),
    unpriced: 0,
    unreported: 0,
  };
}

function sumsOf(map: Map<string, UsageSums>, name: string): UsageSums {
  const sums = map.get(name) ?? emptySums();
  map.set(name, sums);
  return sums;
}

function addTo(sums: UsageSums, { state, usage, isFree }: AddedCall, cost: Cost | undefined): void {
  const mayBeCharged = state !== 'running' && state !== 'notSent';
  sums.calls++;
  sums.states[state]++;
  sums.tokens += allTokens(usage);
  sums.inputTokens += usage?.promptTokens ?? 0;
  sums.outputTokens += usage?.completionTokens ?? 0;
  sums.cachedTokens += usage?.cachedTokens ?? 0;
  sums.unreported += usage === undefined && mayBeCharged ? 1 : 0;
  sums.unpriced += cost === undefined && mayBeCharged && isFree !== true ? 1 : 0;
  if (cost !== undefined) {
    addMoney(sums.costs, cost);
    sums.sources.add(cost.source);
  }
}

/**
 * What calls cost, as far as it is known. The credit of different sites has different units; see `moneyAt`.
 *
 * @param connections the person's; a call with one that was removed has a site of its own.
 */
export function costsBySite(connections: readonly Pick<Connection, 'id' | 'url'>[]): CostOfCall {
  const hosts = new Map(connections.map((each) => [each.id, each.url.host]));
  const [only, ...others] = new Set(hosts.values());
  return (call) => {
    const cost = knownCost(call);
    const host = hosts.get(call.connection) ?? call.connection;
    return cost === undefined || (others.length === 0 && host === only) ? cost : moneyAt(host, cost);
  };
}
