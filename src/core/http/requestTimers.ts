import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/lifetime.ts';
import type { GatewayProblem, TimerName } from '../errors/gatewayProblem.ts';

/** How long a call may take; all in milliseconds. */
export type TimerLimits = {
  readonly connectMs: number;
  /** From sending to the first byte of the body. Reasoning models take minutes (wire Q74). */
  readonly firstByteMs: number;
  /** Between two pieces of anything. */
  readonly idleMs: number;
  /** Between two events with data: comments keep a connection open without saying anything (wire Q73). */
  readonly payloadMs: number;
  readonly totalMs: number;
};

/** A timer stands still while a laptop sleeps; looking often finds the silence soon after it wakes (wire Q90). */
const lookMs = 10_000;

/** The defaults of wire section 4. */
export const defaultLimits: TimerLimits = {
  connectMs: 15_000,
  firstByteMs: 300_000,
  idleMs: 120_000,
  payloadMs: 300_000,
  totalMs: 1_800_000,
};

/**
 * The client's own clocks for one call, beside whatever the transport has: a transport may lose its own (wire Q69).
 * The signal aborts when the person's does, or when one of the clocks runs out; `problem` then says which.
 */
export class RequestTimers implements Disposable {
  readonly #clock: Clock;
  readonly #limits: TimerLimits;
  readonly #abort = new AbortController();
  readonly #store = new DisposableStore();
  #problem: GatewayProblem | undefined;
  #silence: Disposable | undefined;
  #lastHeard: number;
  #lastPayload: number;
  #hasHeard = false;

  constructor(clock: Clock, limits: TimerLimits, outer: AbortSignal) {
    this.#clock = clock;
    this.#limits = limits;
    this.#lastHeard = this.#lastPayload = clock.now();
    const follow = () => this.#abort.abort(outer.reason);
    if (outer.aborted) {
      follow();
    } else {
      outer.addEventListener('abort', follow, { once: true });
      this.#store.add({ dispose: () => outer.removeEventListener('abort', follow) });
    }
    this.#store.add(clock.after(limits.totalMs, () => this.#expire('total', limits.totalMs)));
    this.#watch(limits.firstByteMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Set when a clock ran out. */
  get problem(): GatewayProblem | undefined {
    return this.#problem;
  }

  /** Something arrived; `isPayload` when it held data and not only a comment. */
  heard(isPayload: boolean): void {
    // Only times are noted: re-arming a timer for each piece of a fast stream would cost more than reading it.
    this.#lastHeard = this.#clock.now();
    if (isPayload) {
      this.#lastPayload = this.#lastHeard;
    }
    if (!this.#hasHeard) {
      this.#hasHeard = true;
      this.#silence?.dispose();
      this.#watch(Math.min(this.#limits.idleMs, this.#limits.payloadMs, lookMs));
    }
  }

  /** Ends the request without a problem. */
  abort(): void {
    this.#abort.abort();
  }

  dispose(): void {
    this.#silence?.dispose();
    this.#store.dispose();
  }

  #watch(delayMs: number): void {
    this.#silence = this.#clock.after(delayMs, () => {
      if (!this.#hasHeard) {
        this.#expire('firstByte', this.#limits.firstByteMs);
        return;
      }
      // By the wall clock, so that a laptop that slept finds its silence here and not at the end of another wait.
      const now = this.#clock.now();
      const idleLeft = this.#lastHeard + this.#limits.idleMs - now;
      const payloadLeft = this.#lastPayload + this.#limits.payloadMs - now;
      if (idleLeft <= 0) {
        this.#expire('idle', this.#limits.idleMs);
      } else if (payloadLeft <= 0) {
        this.#expire('payload', this.#limits.payloadMs);
      } else {
        this.#watch(Math.min(idleLeft, payloadLeft, lookMs));
      }
    });
  }

  #expire(timer: TimerName, limitMs: number): void {
    this.#problem ??= { kind: 'timedOut', timer, limitMs };
    this.#abort.abort();
  }
}
