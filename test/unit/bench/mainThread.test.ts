import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mainThreadOf } from '../../bench/panel/mainThread.ts';

const thread = { ph: 'X', pid: 7, tid: 1 };
/** An event of a trace. Times are microseconds; `tdur` is the processor time of the thread. */
const event = (name: string, ts: number, dur: number, tdur = dur, url?: string) => ({
  ...thread,
  name,
  ts,
  dur,
  tdur,
  ...(url !== undefined && { args: { data: { url } } }),
});

test('sums up the time of a thread by kind, each without the other kinds inside it', () => {
  const figures = mainThreadOf(
    [
      event('ThreadControllerImpl::RunTask', 0, 30_000, 20_000),
      event('RunTask', 0, 30_000, 20_000),
      event('FunctionCall', 1_000, 12_000, 10_000, 'https://x/webview.js'),
      event('Layout', 2_000, 4_000, 3_000),
      event('Paint', 20_000, 5_000, 5_000),
      event('RunTask', 40_000, 5_000, 4_000),
      event('v8.callFunction', 41_000, 3_000, 3_000),
      { ...event('RunTask', 0, 90_000), tid: 2 },
      { ...event('FunctionCall', 0, 90_000), pid: 8 },
    ],
    'webview.js',
  );
  assert.equal(figures.scriptingMs, 10);
  assert.equal(figures.layoutMs, 3);
  assert.equal(figures.paintMs, 5);
  assert.equal(figures.allMs, 24);
  assert.equal(figures.overFrame, 1);
  assert.deepEqual(
    figures.longest.map(({ ms, cpuMs }) => [ms, cpuMs]),
    [
      [30, 20],
      [5, 4],
    ],
  );
});

test('throws when the trace does not contain the page', () => {
  assert.throws(() => mainThreadOf([event('RunTask', 0, 1)], 'webview.js'), /no call of webview\.js/);
});
