import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../../../src/core/base/clock.ts';
import { runInSlices, type Steps } from '../../../../src/core/base/runInSlices.ts';

/** A clock on which each step of work takes the given time. Records when the work pauses. */
class BusyClock implements Clock {
  at = 0;
  pauses: number[] = [];

  now(): number {
    return this.at;
  }

  after(delayMs: number, run: () => void) {
    assert.equal(delayMs, 0);
    this.pauses.push(this.at);
    setImmediate(run);
    return { dispose: () => undefined };
  }

  *work(...stepsMs: readonly number[]): Steps<number> {
    for (const ms of stepsMs) {
      this.at += ms;
      yield;
    }
    return stepsMs.length;
  }
}

test('pauses as soon as a slice has used its time, whatever the number of steps', async () => {
  const clock = new BusyClock();
  assert.equal(await runInSlices(clock, clock.work(1, 1, 1, 1, 7, 0.5, 0.5, 0.5, 0.5, 1)), 10);
  assert.deepEqual(clock.pauses, [3, 11, 14]);
});
