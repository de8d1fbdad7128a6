import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifetime.ts';
import type { GatewayProblem, TimerName } from '../errors/gatewayProblem.ts';

/** Time-outs of a call, all in milliseconds. */
export type TimerLimits = {
  readonly connectMs: number;
  /** From sending to the first byte of the body. Reasoning models take minutes (wire Q74). */
  readonly firstByteMs: number;
  /** Between two pieces of any kind. */
  readonly idleMs: number;
  /** Between two events with data: comments keep a connection open without sending any data (wire Q73). */
  readonly payloadMs: number;
  readonly totalMs: number;
};

/** Timers stop while a laptop sleeps. Frequent checks find the silence soon after it wakes (wire Q90). */
const checkMs = 10_000;

/** The defaults of wire section 4. */
export const defaultLimits: TimerLimits = {
  connectMs: 15_000,
  firstByteMs: 300_000,
  idleMs: 120_000,
  payloadMs: 300_000,
  totalMs: 1_800_000,
};

/**
 * The client's own time-outs for one call, besides the transport's, because a transport may lose its own (wire Q69).
 * `signal` aborts when the caller's signal does, or when a time-out expires; `problem` then says which one.
 */
export class RequestTimers implements Disposable {
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #limits: TimerLimits;
  readonly #abort = new AbortController();
  readonly #total: Disposable;
  #problem: GatewayProblem | undefined;
  #silence: Disposable | undefined;
  #lastActivity: number;
  #lastPayload: number;
  #hasActivity = false;

  constructor(clock: Clock, limits: TimerLimits, outer: AbortSignal) {
    this.#clock = clock;
    this.#limits = limits;
    this.#lastActivity = this.#lastPayload = clock.now();
    this.signal = AbortSignal.any([outer, this.#abort.signal]);
    this.#total = clock.after(limits.totalMs, () => this.#expire('total', limits.totalMs));
    this.#watch(limits.firstByteMs);
  }

  /** Set when a time-out has expired. */
  get problem(): GatewayProblem | undefined {
    return this.#problem;
  }

  /** Notes that something arrived. @param isPayload true when it was data and not just a comment. */
  noteActivity(isPayload: boolean): void {
    // Notes only the time: restarting a timer for each piece of a fast stream would cost more than reading the piece.
    this.#lastActivity = this.#clock.now();
    if (isPayload) {
      this.#lastPayload = this.#lastActivity;
    }
    if (!this.#hasActivity) {
      this.#hasActivity = true;
      this.#silence?.dispose();
      this.#watch(Math.min(this.#limits.idleMs, this.#limits.payloadMs, checkMs));
    }
  }

  /** Ends the request without a problem. */
  abort(): void {
    this.#abort.abort();
  }

  dispose(): void {
    this.#silence?.dispose();
    this.#total.dispose();
  }

  #watch(delayMs: number): void {
    this.#silence = this.#clock.after(delayMs, () => {
      if (!this.#hasActivity) {
        this.#expire('firstByte', this.#limits.firstByteMs);
        return;
      }
      // Uses the wall clock, so that after a laptop has slept, the silence is found now and not after another wait.
      const now = this.#clock.now();
      const idleLeft = this.#lastActivity + this.#limits.idleMs - now;
      const payloadLeft = this.#lastPayload + this.#limits.payloadMs - now;
      if (idleLeft <= 0) {
        this.#expire('idle', this.#limits.idleMs);
      } else if (payloadLeft <= 0) {
        this.#expire('payload', this.#limits.payloadMs);
      } else {
        this.#watch(Math.min(idleLeft, payloadLeft, checkMs));
      }
    });
  }

  #expire(timer: TimerName, limitMs: number): void {
    this.#problem ??= { kind: 'timedOut', timer, limitMs };
    this.#abort.abort();
  }
}
