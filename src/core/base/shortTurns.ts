import type { Clock } from './clock.ts';

/** Long work cut into steps of well under a millisecond; what it comes to is returned at the end. */
export type Steps<T> = Generator<unknown, T, void>;

/** Runs work to its end without a break. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
  }
}

/** Runs long work in short turns, so that whatever else waits for the same thread waits a moment only. */
export class ShortTurns {
  readonly #clock: Clock;
  readonly #turnMs: number;
  #usedMs = 0;

  /** @param turnMs how long a turn may take; work that comes in several pieces is counted together. */
  constructor(clock: Clock, turnMs = 3) {
    this.#clock = clock;
    this.#turnMs = turnMs;
  }

  async run<T>(steps: Steps<T>): Promise<T> {
    let began = this.#clock.now();
    for (;;) {
      const step = steps.next();
      const usedMs = this.#usedMs + this.#clock.now() - began;
      if (step.done) {
        this.#usedMs = usedMs;
        return step.value;
      }
      if (usedMs >= this.#turnMs) {
        await new Promise<void>((resolve) => this.#clock.after(0, resolve));
        this.#usedMs = 0;
        began = this.#clock.now();
      }
    }
  }
}
