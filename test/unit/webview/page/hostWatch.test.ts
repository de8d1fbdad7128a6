import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { HostWatch } from '../../../../src/webview/page/hostWatch.ts';

function watched(context: TestContext) {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const seen: (boolean | 'asked')[] = [];
  const watch = new HostWatch(
    () => seen.push('asked'),
    (isGone) => seen.push(isGone),
  );
  const pass = (ms: number) => {
    context.mock.timers.tick(ms);
    return seen.splice(0);
  };
  return { watch, pass };
}

test('asks nobody anything while nothing is awaited', (context) => {
  const { watch, pass } = watched(context);
  assert.deepEqual(pass(60_000), []);
  watch.expect(true);
  watch.expect(false);
  assert.deepEqual(pass(60_000), []);
});

test('says once that nobody is there when a sign of life is asked for in vain', (context) => {
  const { watch, pass } = watched(context);
  watch.expect(true);
  assert.deepEqual(pass(14_999), ['asked', 'asked', 'asked', 'asked']);
  assert.deepEqual(pass(1), [true]);
  assert.deepEqual(pass(60_000), []);
});

test('waits on for as long as there are answers, and takes its word back when one comes late', (context) => {
  const { watch, pass } = watched(context);
  watch.expect(true);
  for (let beat = 0; beat < 20; beat++) {
    watch.expect(true);
    assert.deepEqual(pass(3_000), ['asked']);
    watch.heard();
  }
  pass(15_000);
  watch.heard();
  assert.deepEqual(pass(0), [false]);
  assert.deepEqual(pass(3_000), ['asked']);
});

test('begins to count anew when something else is awaited', (context) => {
  const { watch, pass } = watched(context);
  watch.expect(true);
  pass(12_000);
  watch.expect(false);
  watch.expect(true);
  assert.deepEqual(pass(12_000), ['asked', 'asked', 'asked', 'asked']);
});
