import assert from 'node:assert/strict';
import type { Clock } from '../../../../src/core/base/clock.ts';

/**
 * A clock by which a millisecond goes by between any two looks at it, as if each step of long work took that long. Runs
 * what is to run at once as soon as the event loop comes round, and nothing that is to run later.
 */
export class StepClock implements Clock {
  /** How often work gave way. */
  pauses = 0;
  /** Called at each of them. */
  onPause: (pauses: number) => void = () => undefined;
  #now = 1_000_000;

  now(): number {
    return this.#now++;
  }

  after(delayMs: number, run: () => void) {
    assert.ok(delayMs >= 0);
    if (delayMs === 0) {
      this.pauses++;
      this.onPause(this.pauses);
      setImmediate(run);
    }
    return { dispose: () => undefined };
  }
}
