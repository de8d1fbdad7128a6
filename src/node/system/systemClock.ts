import type { Clock } from '../../core/base/clock.ts';

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    if (delayMs <= 0) {
      // A timer would wait for a whole millisecond; this lets everything that is due go first, and no longer.
      const immediate = setImmediate(run);
      return { dispose: () => clearImmediate(immediate) };
    }
    const timer = setTimeout(run, delayMs);
    return { dispose: () => clearTimeout(timer) };
  },
};
