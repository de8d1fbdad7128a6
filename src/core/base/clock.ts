import type { Disposable } from './lifetime.ts';

/** Time as the core sees it; handed in, so that tests own it. */
export type Clock = {
  /** Unix milliseconds. */
  now(): number;
  /** Runs once after `delayMs`; disposing before that cancels it. */
  after(delayMs: number, run: () => void): Disposable;
};
