import type { Clock } from '../../../../src/core/base/clock.ts';

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<{ at: number; run: () => void }>();

  constructor(now = 1_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Timers that would still run. */
  get pending(): number {
    return this.#timers.size;
  }

  after(delayMs: number, run: () => void) {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.add(timer);
    return { dispose: () => void this.#timers.delete(timer) };
  }

  /** Lets time pass; what is due runs in its order, each at its own moment. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) {
        break;
      }
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.run();
    }
    this.#now = end;
  }

  /** A machine that sleeps: time is gone, and every timer that was due runs only now. */
  sleep(ms: number): void {
    this.#now += ms;
    this.pass(0);
  }
}
