import type { ModelPrices } from '../models/list/model.ts';
import { allTokens, type Usage } from '../reply/usage.ts';
import type { Reservation } from './ledgerLine.ts';
import type { CountedCall } from './usageTotals.ts';

/**
 * What a limit counts. `tokens`: input and output together. `cost`: in the currency of what the gateway reports and
 * states, usually US dollars.
 */
export const limitKinds = ['calls', 'tokens', 'cost'] as const;
export type LimitKind = (typeof limitKinds)[number];

/** An amount of some of the kinds. */
export type Amounts = { readonly [Kind in LimitKind]?: number };

/** The limits of a day. Each connection is counted by itself. */
export type DailyLimits = {
  /** No call may go beyond these. */
  readonly hard: Amounts;
  /** The person is warned when these are reached. */
  readonly soft: Amounts;
  /** The part of the hard limits that all other extensions together may use, in percent. */
  readonly othersPercent: number;
};

/** A hard limit that a call would exceed. */
export type ReachedLimit = {
  readonly limit: LimitKind;
  readonly max: number;
  /** What today's calls used or reserved. */
  readonly used: number;
  /** What the call would add at most. */
  readonly needed: number;
  /** It is the part of the limit that all other extensions share. */
  readonly isShare?: true;
};

export type PriceOf = (model: string) => ModelPrices | undefined;

/** What is known about a model: its prices, and the output tokens that an answer is expected to have. */
export type ModelFacts = { readonly priceOf: PriceOf; readonly outputOf: (model: string) => number };

/** What a model's answers are assumed to have, in tokens, before one was counted. */
const assumedOutput = 4_096;
const percentile = 0.95;
/** How many of a model's last answers are counted for that. */
const countedAnswers = 200;

/**
 * The output tokens to reserve for a call to a model: the 95th percentile of what its last answers had.
 *
 * @param calls of any models, in the order of their times.
 */
export function expectedOutput(calls: readonly CountedCall[], model: string): number {
  const outputs: number[] = [];
  for (let index = calls.length - 1; index >= 0 && outputs.length < countedAnswers; index--) {
    const call = calls[index];
    if (call?.usage?.completionTokens !== undefined && call.model === model) {
      outputs.push(call.usage.completionTokens);
    }
  }
  outputs.sort((one, other) => one - other);
  return outputs[Math.ceil(outputs.length * percentile) - 1] ?? assumedOutput;
}

/** The cost of tokens at the prices that the gateway states. Undefined without a price for each kind of token. */
export function costOf(
  prices: ModelPrices | undefined,
  { promptTokens = 0, completionTokens = 0, totalTokens = 0, cachedTokens = 0 }: Usage,
): number | undefined {
  if (prices?.input === undefined || prices.output === undefined) {
    return undefined;
  }
  const { input, output, cachedInput = input, perRequest = 0 } = prices;
  // Some gateways count cached tokens beside the prompt tokens, and not among them.
  const uncached = cachedTokens > promptTokens ? promptTokens : promptTokens - cachedTokens;
  const answered = Math.max(completionTokens, totalTokens - promptTokens);
  return (uncached * input + cachedTokens * cachedInput + answered * output) / 1_000_000 + perRequest;
}

/**
 * Finds the hard limit that a call would exceed.
 *
 * @param calls the calls of the day with the same connection.
 * @param needed what the call reserves. Without a cost, it doesn't count for a limit of costs.
 * @param isOther whether another extension makes the call.
 */
export function reachedLimit(
  { hard, othersPercent }: DailyLimits,
  calls: readonly CountedCall[],
  facts: ModelFacts,
  needed: Reservation,
  isOther: boolean,
): ReachedLimit | undefined {
  const used = sumsOf(calls, facts);
  const usedByOthers = isOther ? sumsOf(calls.filter(isOtherCall), facts) : used;
  for (const limit of limitKinds) {
    const max = hard[limit];
    if (max === undefined) {
      continue;
    }
    const more = { calls: 1, tokens: needed.tokens, cost: needed.cost ?? 0 }[limit];
    if (used[limit] + more > max) {
      return { limit, max, used: used[limit], needed: more };
    }
    const part = (max * othersPercent) / 100;
    const share = limit === 'cost' ? part : Math.floor(part);
    if (isOther && usedByOthers[limit] + more > share) {
      return { limit, max: share, used: usedByOthers[limit], needed: more, isShare: true };
    }
  }
  return undefined;
}

/** Adds up what calls used, or at least what was reserved for them if that is not reported in full. */
export function sumsOf(calls: readonly CountedCall[], facts: ModelFacts): Required<Amounts> {
  const sums = { calls: 0, tokens: 0, cost: 0 };
  for (const call of calls) {
    const { state, usage, model } = call;
    if (state === 'notSent') {
      continue;
    }
    sums.calls++;
    const tokens = allTokens(usage);
    const isReported = usage?.promptTokens !== undefined && usage.completionTokens !== undefined && tokens > 0;
    const most = isReported || call.isFree ? undefined : reservationOf(call, facts);
    const highestCost = call.isFree ? 0 : (most ?? call.reserved)?.cost;
    sums.tokens += Math.max(tokens, most?.tokens ?? 0);
    sums.cost += usage?.cost ?? (isReported ? costOf(facts.priceOf(model), usage) : undefined) ?? highestCost ?? 0;
  }
  return sums;
}

/** What was reserved for a call, or would have been with a limit. */
function reservationOf({ reserved, estimate, model }: CountedCall, { priceOf, outputOf }: ModelFacts): Reservation {
  return reserved ?? reservation(estimate, outputOf(model), priceOf(model));
}

/** The reservation for a call with so many tokens of input and output. */
export function reservation(
  promptTokens: number,
  completionTokens: number,
  prices: ModelPrices | undefined,
): Reservation {
  const cost = costOf(prices, { promptTokens, completionTokens });
  return { tokens: promptTokens + completionTokens, ...(cost !== undefined && { cost }) };
}

function isOtherCall({ caller }: CountedCall): boolean {
  return caller.startsWith('extension');
}
