import type { Clock } from '../base/clock.ts';
import { assumedAnswerTokens } from '../base/costRange.ts';
import { dayStart } from '../base/dayStart.ts';
import { recordOf, textsIn } from '../base/loose.ts';
import { addMoney, type Money } from '../base/money.ts';
import { percentile } from '../base/percentile.ts';
import type { ChatRequest } from '../client/gatewayClient.ts';
import type { GatewayProblem, ProblemOf } from '../errors/gatewayProblem.ts';
import { knownCost } from '../reply/cost.ts';
import { allTokens, isCounted } from '../reply/usage.ts';
import type { Ledger, StartedCall } from './ledger.ts';
import type { CallStart, Reservation } from './ledgerLine.ts';
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

/** What is known about a model: its prices, and the output tokens that an answer is expected to have. */
export type ModelFacts = { readonly priceOf: PriceOf; readonly outputOf: (model: string) => number };

/** A soft limit that was reached. */
export type SoftLimit = Pick<ProblemOf<'limitReached'>, 'limit' | 'max' | 'used' | 'unit'> & {
  readonly connection: string;
};

export type LimiterPorts = {
  /** Opened before the first call. */
  readonly ledger: () => Pick<Ledger, 'begin' | 'calls' | 'tokenFactor' | 'lastCalls'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The limits as set now, or the id of a setting that has an invalid value. */
  readonly limits: () => DailyLimits | string;
  /** Finds the prices of a connection's models, that of one at least; called only with a limit of costs. */
  readonly pricesOf: (connection: string, model: string) => Promise<PriceOf>;
  /** Tells the person that a soft limit is reached. */
  readonly warn: (reached: SoftLimit) => void;
  /** What the person was told and allowed so far, in all windows. */
  readonly notes: { read(): unknown; write(notes: unknown): Promise<void> };
  readonly onDefect: (error: unknown) => void;
};

/**
 * Applies the person's limits to paid calls. A day is a calendar day of this computer's clock and time zone as they are
 * when a call begins: if the clock is set back to an earlier day, the calls of that day count.
 */
export class Limiter {
  readonly #ports: LimiterPorts;

  constructor(ports: LimiterPorts) {
    this.#ports = ports;
  }

  /**
   * Records a call that is about to be sent, unless a limit forbids it.
   *
   * @returns the call; why it must not be sent; or neither when `signal` was aborted before.
   */
  async begin(
    about: Omit<CallStart, 'at'>,
    request: Pick<ChatRequest, 'options'>,
    signal: AbortSignal,
  ): Promise<{ readonly call: StartedCall } | { readonly problem: GatewayProblem } | { readonly isStopped: true }> {
    const { ledger, onDefect } = this.#ports;
    let call: StartedCall | undefined;
    try {
      const checked = await this.#check(about, request, signal);
      if (checked === undefined) {
        return { isStopped: true };
      }
      if (checked.problem !== undefined) {
        return { problem: checked.problem };
      }
      const { start, hard, soft, reachedBy } = checked;
      call = await ledger().begin(start);
      if (hasAny(hard)) {
        if (call.failure !== undefined) {
          throw call.failure;
        }
        // Other windows may have begun calls at the same time. Those that come before it in the file go first.
        const problem = reachedBy(await ledger().calls(start.connection, ...dayOf(start.at), start.id));
        if (problem !== undefined) {
          await this.#withdraw(call);
          return { problem };
        }
      }
      return { call: hasAny(soft) ? this.#warned(start, call, soft) : call };
    } catch (error) {
      onDefect(error);
      await this.#withdraw(call);
      const { code } = recordOf(error);
      return { problem: { kind: 'limitUnchecked', cause: 'record', ...(typeof code === 'string' && { code }) } };
    }
  }

  /**
   * Why a call that may be made next would be refused, as far as that is known. Records nothing. A `cause` of `price` is
   * one that the person can allow; see `allowUnpriced`.
   */
  async refusal(
    about: Omit<CallStart, 'at' | 'id'>,
    request: Pick<ChatRequest, 'options'>,
  ): Promise<GatewayProblem | undefined> {
    return (await this.#check({ ...about, id: '' }, request))?.problem;
  }

  /** Allows the calls to a model for this day although their cost can't be limited. */
  allowUnpriced(about: Pick<CallStart, 'connection' | 'model'>): Promise<void> {
    return this.#note(this.#ports.clock.now(), unpricedNote(about));
  }

  /**
   * Finds why a call would be refused; otherwise how it begins, and what finds the limit that it exceeds among others.
   * Undefined when `signal` was aborted while prices were read.
   */
  async #check(about: Omit<CallStart, 'at'>, { options }: Pick<ChatRequest, 'options'>, signal?: AbortSignal) {
    const limits = this.#ports.limits();
    if (typeof limits === 'string') {
      return { problem: { kind: 'limitUnchecked', cause: 'setting', setting: limits } } as const;
    }
    const { hard, soft } = limits;
    const { connection, model } = about;
    const { pricesOf } = this.#ports;
    const priceOf = hard.cost === undefined ? unpriced : await unlessAborted(pricesOf(connection, model), signal);
    if (priceOf === undefined) {
      return undefined;
    }
    const start: CallStart = { ...about, at: this.#ports.clock.now() };
    if (!hasAny(hard)) {
      return { start, hard, soft, reachedBy: () => undefined };
    }
    const isReserving = hard.tokens !== undefined || hard.cost !== undefined;
    const ledger = this.#ports.ledger();
    const earlier = await ledger.calls(connection, ...dayOf(start.at));
    const facts = { priceOf, outputOf: (each: string) => expectedOutput(ledger.lastCalls(each)) };
    const tokenLimits = [options?.max_completion_tokens, options?.max_tokens].filter(
      (each) => typeof each === 'number',
    );
    // Which of two limits a server obeys is unknown. Some take -1 for no limit.
    const tokenLimit = Math.max(0, ...tokenLimits);
    const output = tokenLimit > 0 ? tokenLimit : facts.outputOf(model);
    const input = Math.ceil(start.estimate * ledger.tokenFactor(model));
    const reserved = reservation(input, output, priceOf(model));
    const isOther = start.caller.kind === 'extension';
    const reachedBy = (calls: readonly CountedCall[]) => reachedLimit(limits, calls, facts, reserved, isOther);
    const problem = reachedBy(earlier);
    if (problem !== undefined) {
      return { problem };
    }
    const isCounted = hard.cost === undefined || reserved.cost !== undefined;
    if (!isCounted && !this.#notesOf(start.at).includes(unpricedNote(about))) {
      return { problem: { kind: 'limitUnchecked', cause: 'price' } } as const;
    }
    return { start: { ...start, ...(isReserving && { reserved }) }, hard, soft, reachedBy };
  }

  /** Records that a call that was begun is not sent. */
  async #withdraw(call: StartedCall | undefined): Promise<void> {
    await call?.end({ at: this.#ports.clock.now(), state: 'notSent', totalMs: 0 });
  }

  /** The same call; when it has begun and when it has ended, the soft limits are checked. */
  #warned(start: CallStart, call: StartedCall, soft: Amounts): StartedCall {
    const check = () => void this.#warnIfReached(start, soft).catch(this.#ports.onDefect);
    check();
    return {
      ...call,
      end: async (end) => {
        await call.end(end);
        check();
      },
    };
  }

  async #warnIfReached(start: CallStart, soft: Amounts): Promise<void> {
    const { ledger, warn, pricesOf, clock } = this.#ports;
    // A call that ends on the next day says nothing about that one, whose notes are stored by now.
    if (dayStart(start.at) !== dayStart(clock.now())) {
      return;
    }
    const priceOf = soft.cost === undefined ? unpriced : await pricesOf(start.connection, start.model);
    const calls = await ledger().calls(start.connection, ...dayOf(start.at));
    const used = sumsOf(calls, { priceOf, outputOf: () => 0 });
    for (const limit of limitKinds) {
      const max = soft[limit];
      const note = `warned:${start.connection}:${limit}:${max}`;
      if (max !== undefined && used[limit] >= max && !this.#notesOf(start.at).includes(note)) {
        warn({ limit, max, used: used[limit], connection: start.connection, ...unitFor(limit, used) });
        await this.#note(start.at, note);
      }
    }
  }

  #notesOf(at: number): readonly string[] {
    const { day, notes } = recordOf(this.#ports.notes.read());
    return day === dayStart(at) ? textsIn(notes) : [];
  }

  async #note(at: number, note: string): Promise<void> {
    await this.#ports.notes.write({ day: dayStart(at), notes: [...this.#notesOf(at), note] });
  }
}

const unpriced: PriceOf = () => undefined;

/** That the person allows calls to a model whose cost can't be limited. */
function unpricedNote({ connection, model }: Pick<CallStart, 'connection' | 'model'>): string {
  return `unpriced:${connection}:${model}`;
}

/** Resolves with undefined when `signal` is aborted first. */
function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
  const stopped = new Promise<undefined>((resolve) => {
    signal?.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([signal?.aborted ? undefined : stopped, promise]);
}

function hasAny(amounts: Amounts): boolean {
  return limitKinds.some((kind) => amounts[kind] !== undefined);
}

/** The day of a time, from its midnight to the next one. */
function dayOf(at: number): readonly [from: number, to: number] {
  return [dayStart(at), dayStart(at, 1)];
}

/** The output tokens to reserve for a call to a model: the 95th percentile of what its last answers had. */
export function expectedOutput(calls: readonly Pick<CountedCall, 'usage'>[]): number {
  const outputs = calls.flatMap(({ usage }) => usage?.completionTokens ?? []);
  return percentile(outputs, 0.95) ?? assumedAnswerTokens;
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
): ProblemOf<'limitReached'> | undefined {
  const unit = needed.cost === undefined ? undefined : unitOf(needed);
  const used = sumsOf(calls, facts, unit);
  const usedByOthers = isOther ? sumsOf(calls.filter(isOtherCall), facts, unit) : used;
  for (const limit of limitKinds) {
    const max = hard[limit];
    if (max === undefined) {
      continue;
    }
    const more = { calls: 1, tokens: needed.tokens, cost: needed.cost ?? 0 }[limit];
    const part = (max * othersPercent) / 100;
    const share = { max: limit === 'cost' ? part : Math.floor(part), of: usedByOthers, isShare: true as const };
    for (const { of, ...bound } of [{ max, of: used }, ...(isOther ? [share] : [])]) {
      if (of[limit] + more > bound.max) {
        return { kind: 'limitReached', limit, ...bound, used: of[limit], needed: more, ...unitFor(limit, of) };
      }
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
    // A charge of nothing doesn't count for tokens, or a whole answer, that have a price.
    const isNothing = stated !== undefined && stated.amount < 1e-9;
    const hasPrice = (byPrices ?? (state === 'complete' ? most?.cost : undefined)) !== undefined;
    const known = [
      isNothing && hasPrice ? undefined : stated,
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
function unitFor(limit: LimitKind, { unit }: UsedAmounts): { readonly unit?: string } {
  return limit === 'cost' && unit !== undefined ? { unit } : {};
}

/** What was reserved for a call, or would have been with a limit. */
function reservationOf({ reserved, estimate, model }: CountedCall, { priceOf, outputOf }: ModelFacts): Reservation {
  return reserved ?? reservation(estimate, outputOf(model), priceOf(model));
}

/** The reservation for a call with so many tokens of input and output. */
function reservation(promptTokens: number, completionTokens: number, prices: KnownPrices | undefined): Reservation {
  const cost = costOf(prices, { promptTokens, completionTokens });
  return { tokens: promptTokens + completionTokens, ...(cost && { cost: cost.amount, unit: cost.unit }) };
}

function isOtherCall({ caller }: CountedCall): boolean {
  return caller.startsWith('extension');
}
