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

  /** Number of timers that have not run yet. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Whether a timer runs after exactly this time. */
  isDueIn(delayMs: number): boolean {
    return [...this.#timers].some(({ at }) => at === this.#now + delayMs);
  }

  after(delayMs: number, run: () => void) {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.add(timer);
    return { dispose: () => void this.#timers.delete(timer) };
  }

  /** Lets time pass. Timers that become due run in order, each at its own time. */
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

  /** Simulates a sleeping machine: time passes, and every timer that became due runs only afterwards. */
  sleep(ms: number): void {
    this.#now += ms;
    this.pass(0);
  }
}
