import type { Disposable } from './lifetime.ts';

/** The core's source of time and timers. Passed in, so that tests control it. */
export type Clock = {
  /** Unix milliseconds. */
  now(): number;
  /** Runs once after `delayMs`; disposing before that cancels it. */
  after(delayMs: number, run: () => void): Disposable;
};
