import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ledger } from '../../../../src/core/usage/ledger.ts';
import { openTodayUsage } from '../../../../src/editor/usage/todayUsage.ts';
import { until } from '../../../until.ts';
import { ManualClock } from '../../core/base/manualClock.ts';
import { MemoryLedger } from '../../core/usage/memoryLedger.ts';

const hourMs = 3_600_000;
const start = { connection: 'c', host: 'h', model: 'm', caller: { kind: 'panel' }, estimate: 1 } as const;

/** A ledger in memory, and the sums of the day of its clock. */
function scene(now: number, isBroken = false) {
  const store = new MemoryLedger();
  if (isBroken) {
    store.read = () => Promise.reject(new Error('unreadable'));
  }
  const clock = new ManualClock(now);
  const wall = { slept: 0, now: () => clock.now() + wall.slept, after: clock.after.bind(clock) };
  const defects: unknown[] = [];
  const onDefect = (error: unknown) => void defects.push(error);
  const ledger = new Ledger(store, clock, onDefect);
  const today = openTodayUsage(() => ledger, wall, { all: [] }, onDefect);
  return { clock, wall, ledger, today, defects };
}

test('reads the sums when it is opened, after each call, and again at midnight', async () => {
  const now = new Date(2026, 10, 23, 23).getTime();
  const { clock, ledger, today } = scene(now);
  assert.equal(today.current, undefined);
  today.open();
  await until(() => today.current?.calls === 0);
  const call = await ledger.begin({ ...start, id: '1', at: now });
  await call.end({ at: now, state: 'complete', usage: { promptTokens: 3 }, totalMs: 1 });
  clock.pass(1_000);
  await until(() => today.current?.calls === 1 && today.current.inputTokens === 3);
  await until(() => clock.pending === 1);
  clock.pass(hourMs);
  await until(() => today.current?.calls === 0);
  today.dispose();
});

test('shows a new day soon after a night in which timers stood still (rajbos/ai-engineering-fluency#649)', async () => {
  const now = new Date(2026, 10, 23, 20).getTime();
  const { clock, wall, ledger, today } = scene(now);
  const call = await ledger.begin({ ...start, id: '1', at: now });
  await call.end({ at: now, state: 'complete', totalMs: 1 });
  today.open();
  await until(() => today.current?.calls === 1 && clock.pending === 1);
  wall.slept = 12 * hourMs;
  clock.pass(hourMs / 6);
  await until(() => today.current?.calls === 0);
  today.dispose();
});

test('reports sums that can’t be read, and reads them again after the next call', async () => {
  const { today, ledger, clock, defects } = scene(0, true);
  today.open();
  await until(() => defects.length === 1);
  assert.equal(today.current, undefined);
  clock.pass(hourMs);
  await ledger.begin({ ...start, id: '1', at: 0 });
  clock.pass(1_000);
  await until(() => defects.length === 2);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(clock.pending, 0);
  today.dispose();
});
