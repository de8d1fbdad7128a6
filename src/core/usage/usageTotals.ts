import { addMoney, type Sums as Costs } from '../base/money.ts';
import type { Cost, CostSource } from '../reply/cost.ts';
import type { Usage } from '../reply/usage.ts';
import { type EndState, endStates, type Reservation } from './ledgerLine.ts';

/**
 * The state of a call in sums. `unknown`: nothing shows how it ended, or it has no end, because its window was closed or
 * crashed, or is another window that is still receiving the answer. `running`: this process is receiving the answer.
 */
export type CallState = EndState | 'running';

const callStates: readonly CallState[] = [...endStates, 'running'];

/** A call as far as sums and limits need it. */
export type CountedCall = {
  readonly id: string;
  /** Unix milliseconds of its start. */
  readonly at: number;
  readonly model: string;
  readonly connection: string;
  /** See `callerName`. */
  readonly caller: string;
  readonly conversation: string | undefined;
  /** See `CallStart`. */
  readonly isInMemory?: true;
  readonly estimate: number;
  readonly reserved: Reservation | undefined;
  /** Counts the starts in its file; absent until its own was read there. */
  place?: number;
  /** How it ended; undefined without an end. */
  state: EndState | undefined;
  usage: Usage | undefined;
  /** See `CallEnd`. */
  isFree?: true;
  /** See `CallEnd`; replaced by that of a receipt. */
  cost?: Cost;
  /** See `CallEnd`; what `cost` was before a receipt. */
  pricedCost?: Cost;
  answered?: string;
  requestId?: string;
  firstTokenMs?: number;
  totalMs?: number;
};

/** Sums of what gateways reported. A figure that they did not report counts as 0 here; see `unreported`. */
export type UsageSums = {
  readonly calls: number;
  readonly states: Readonly<Record<CallState, number>>;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  /** Empty when no cost is known. */
  readonly costs: Costs;
  /** How the costs are known. */
  readonly sources: ReadonlySet<CostSource>;
  /** Calls without a known cost, apart from those that are running, were not sent, or are known to be free. */
  readonly unpriced: number;
  /** Calls without any reported figure, apart from those that are running or were not sent. */
  readonly unreported: number;
};

/** Sums of a span of time, in total and by what the calls have in common. */
export type UsageTotals = UsageSums & {
  /** Lines that could not be read, in all months of the span. */
  readonly unreadable: number;
  /** By the model ID that was asked. */
  readonly byModel: ReadonlyMap<string, UsageSums>;
  /** By the id of the connection. */
  readonly byConnection: ReadonlyMap<string, UsageSums>;
  /** By the id of the connection, and then by model ID. */
  readonly modelsByConnection: ReadonlyMap<string, ReadonlyMap<string, UsageSums>>;
  /** By `callerName`. */
  readonly byCaller: ReadonlyMap<string, UsageSums>;
};

/** Adds up calls. */
export class UsageCounter {
  readonly #modelsByConnection = new Map<string, Map<string, Sums>>();
  readonly #byCaller = new Map<string, Sums>();

  /** @param cost undefined when it is unknown. */
  add(call: CountedCall, state: CallState, cost: Cost | undefined): void {
    const { model, connection, caller } = call;
    let byModel = this.#modelsByConnection.get(connection);
    if (byModel === undefined) {
      byModel = new Map();
      this.#modelsByConnection.set(connection, byModel);
    }
    addTo(sumsOf(byModel, model), call, state, cost);
    addTo(sumsOf(this.#byCaller, caller), call, state, cost);
  }

  totals(unreadable: number): UsageTotals {
    // Derived from those, which costs less than adding up each call three times more.
    const all = emptySums();
    const byModel = new Map<string, Sums>();
    const byConnection = new Map<string, Sums>();
    for (const [connection, models] of this.#modelsByConnection) {
      for (const [model, sums] of models) {
        addAll(all, sums);
        addAll(sumsOf(byModel, model), sums);
        addAll(sumsOf(byConnection, connection), sums);
      }
    }
    return {
      ...all,
      unreadable,
      byModel,
      byConnection,
      modelsByConnection: this.#modelsByConnection,
      byCaller: this.#byCaller,
    };
  }
}

type Sums = { -readonly [Name in keyof Omit<UsageSums, 'states' | 'costs' | 'sources'>]: UsageSums[Name] } & {
  readonly states: Record<CallState, number>;
  readonly costs: Map<string, number>;
  readonly sources: Set<CostSource>;
};

function emptySums(): Sums {
  return {
    calls: 0,
    states: { complete: 0, stopped: 0, incomplete: 0, failed: 0, notSent: 0, unknown: 0, running: 0 },
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    costs: new Map(),
    sources: new Set(),
    unpriced: 0,
    unreported: 0,
  };
}

function sumsOf(map: Map<string, Sums>, name: string): Sums {
  let sums = map.get(name);
  if (sums === undefined) {
    sums = emptySums();
    map.set(name, sums);
  }
  return sums;
}

function addTo(sums: Sums, { usage, isFree }: CountedCall, state: CallState, cost: Cost | undefined): void {
  sums.calls++;
  sums.states[state]++;
  if (cost !== undefined) {
    addMoney(sums.costs, cost);
    sums.sources.add(cost.source);
  } else if (state !== 'running' && state !== 'notSent' && isFree !== true) {
    sums.unpriced++;
  }
  if (usage === undefined) {
    if (state !== 'running' && state !== 'notSent') {
      sums.unreported++;
    }
    return;
  }
  sums.inputTokens += usage.promptTokens ?? 0;
  sums.outputTokens += usage.completionTokens ?? 0;
  sums.cachedTokens += usage.cachedTokens ?? 0;
  sums.cacheWriteTokens += usage.cacheWriteTokens ?? 0;
  sums.reasoningTokens += usage.reasoningTokens ?? 0;
}

function addAll(sums: Sums, more: Sums): void {
  sums.calls += more.calls;
  for (const state of callStates) {
    sums.states[state] += more.states[state];
  }
  sums.inputTokens += more.inputTokens;
  sums.outputTokens += more.outputTokens;
  sums.cachedTokens += more.cachedTokens;
  sums.cacheWriteTokens += more.cacheWriteTokens;
  sums.reasoningTokens += more.reasoningTokens;
  for (const [unit, amount] of more.costs) {
    addMoney(sums.costs, { amount, unit });
  }
  for (const source of more.sources) {
    sums.sources.add(source);
  }
  sums.unpriced += more.unpriced;
  sums.unreported += more.unreported;
}
