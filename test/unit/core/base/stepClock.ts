import assert from 'node:assert/strict';
import type { Clock } from '../../../../src/core/base/clock.ts';

/**
 * A clock that advances by a millisecond each time it is read, as if each step of long work took that long. Runs timers
 * without a delay in the next turn of the event loop, and never runs other timers.
 */
export class StepClock implements Clock {
  /** How often the work has paused. */
  pauses = 0;
  /** Called at each pause. */
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
