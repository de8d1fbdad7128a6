import type { Clock } from '../../core/base/clock.ts';

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    if (delayMs <= 0) {
      // A timer would wait at least 1 ms; this only lets events run that are already due.
      const immediate = setImmediate(run);
      return { dispose: () => clearImmediate(immediate) };
    }
    const timer = setTimeout(run, delayMs);
    return { dispose: () => clearTimeout(timer) };
  },
};
