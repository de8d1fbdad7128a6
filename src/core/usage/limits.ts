import { assumedAnswerTokens } from '../base/costRange.ts';
import { addMoney, type Money } from '../base/money.ts';
import { knownCost } from '../reply/cost.ts';
import { allTokens, isCounted } from '../reply/usage.ts';
import type { Reservation } from './ledgerLine.ts';
import { costOf, type KnownPrices, type PriceOf } from './prices/prices.ts';
import type { CountedCall } from './usageTotals.ts';

/**
 * What a limit counts. `tokens`: input and output together. `cost`: in the unit of what the gateway reports, or of the
 * prices. Costs in several units are each limited by themselves.
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
  /** The unit of costs; see `Money`. */
  readonly unit?: string;
  /** It is the part of the limit that all other extensions share. */
  readonly isShare?: true;
};

/** What is known about a model: its prices, and the output tokens that an answer is expected to have. */
export type ModelFacts = { readonly priceOf: PriceOf; readonly outputOf: (model: string) => number };

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
  return outputs[Math.ceil(outputs.length * percentile) - 1] ?? assumedAnswerTokens;
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
  const unit = needed.cost === undefined ? undefined : unitOf(needed);
  const used = sumsOf(calls, facts, unit);
  const usedByOthers = isOther ? sumsOf(calls.filter(isOtherCall), facts, unit) : used;
  for (const limit of limitKinds) {
    const max = hard[limit];
    if (max === undefined) {
      continue;
    }
    const more = { calls: 1, tokens: needed.tokens, cost: needed.cost ?? 0 }[limit];
    if (used[limit] + more > max) {
      return { limit, max, used: used[limit], needed: more, ...unitFor(limit, used) };
    }
    const part = (max * othersPercent) / 100;
    const share = limit === 'cost' ? part : Math.floor(part);
    if (isOther && usedByOthers[limit] + more > share) {
      return {
        limit,
        max: share,
        used: usedByOthers[limit],
        needed: more,
        ...unitFor(limit, usedByOthers),
        isShare: true,
      };
    }
  }
  return undefined;
}

/** What calls used. The cost is in `unit`, which is undefined without a cost. */
export type UsedAmounts = Required<Amounts> & { readonly unit: string | undefined };

/**
 * Adds up what calls used, or at least what was reserved for them if that is not reported in full.
 *
 * @param unit the unit of the costs to add up, also of calls that the gateway's log has in another one; without a unit, the
 * largest of the sums counts.
 */
export function sumsOf(calls: readonly CountedCall[], facts: ModelFacts, unit?: string): UsedAmounts {
  const sums = { calls: 0, tokens: 0 };
  const costs = new Map<string, number>();
  for (const call of calls) {
    const { state, usage, model } = call;
    if (state === 'notSent') {
      continue;
    }
    sums.calls++;
    const tokens = allTokens(usage);
    const isReported = isCounted(usage);
    const most = isReported || call.isFree ? undefined : reservationOf(call, facts);
    sums.tokens += Math.max(tokens, most?.tokens ?? 0);
    const stated = knownCost(call);
    const byPrices = isReported ? costOf(facts.priceOf(model), usage) : undefined;
    const known = [
      // A charge of 0 for tokens that have a price doesn't count.
      stated?.amount === 0 && byPrices ? undefined : stated,
      byPrices,
      call.isFree ? undefined : reservedCost(most ?? call.reserved),
    ].filter((cost) => cost !== undefined);
    // A log in another unit doesn't take the call out of the sum that it was counted in before.
    const counted = known.find((cost) => cost.unit === unit) ?? known[0];
    if (counted !== undefined) {
      addMoney(costs, counted);
    }
  }
  const [counted] = [...costs].filter(([each]) => unit === undefined || each === unit).sort(([, a], [, b]) => b - a);
  return { ...sums, cost: counted?.[1] ?? 0, unit: counted?.[0] ?? unit };
}

function reservedCost(reserved: Reservation | undefined): Money | undefined {
  return reserved?.cost === undefined ? undefined : { amount: reserved.cost, unit: unitOf(reserved) };
}

function unitOf({ unit = 'USD' }: Reservation): string {
  return unit;
}

/** The unit of what a limit counts, if it has one. */
export function unitFor(limit: LimitKind, { unit }: UsedAmounts): { readonly unit?: string } {
  return limit === 'cost' && unit !== undefined ? { unit } : {};
}

/** What was reserved for a call, or would have been with a limit. */
function reservationOf({ reserved, estimate, model }: CountedCall, { priceOf, outputOf }: ModelFacts): Reservation {
  return reserved ?? reservation(estimate, outputOf(model), priceOf(model));
}

/** The reservation for a call with so many tokens of input and output. */
export function reservation(
  promptTokens: number,
  completionTokens: number,
  prices: KnownPrices | undefined,
): Reservation {
  const cost = costOf(prices, { promptTokens, completionTokens });
  return { tokens: promptTokens + completionTokens, ...(cost && { cost: cost.amount, unit: cost.unit }) };
}

function isOtherCall({ caller }: CountedCall): boolean {
  return caller.startsWith('extension');
}
