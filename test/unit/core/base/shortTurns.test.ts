import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../../../src/core/base/clock.ts';
import { atOnce, ShortTurns, type Steps } from '../../../../src/core/base/shortTurns.ts';

/** Each step takes as long as it says; what waits for the thread is counted. */
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

test('gives way as soon as a turn has used its time, however many steps that took', async () => {
  const clock = new BusyClock();
  const turns = new ShortTurns(clock, 3);
  assert.equal(await turns.run(clock.work(1, 1, 1, 1, 7, 0.5, 0.5, 0.5, 0.5, 1)), 10);
  assert.deepEqual(clock.pauses, [3, 11, 14]);
});

test('counts pieces of work that follow one another as one turn', async () => {
  const clock = new BusyClock();
  const turns = new ShortTurns(clock, 3);
  for (let piece = 0; piece < 6; piece++) {
    await turns.run(clock.work(1));
  }
  assert.deepEqual(clock.pauses, [3, 6]);
});

test('runs the same work to its end without a break for who wants it at once', () => {
  const clock = new BusyClock();
  assert.equal(atOnce(clock.work(5, 5, 5)), 3);
  assert.deepEqual(clock.pauses, []);
});
