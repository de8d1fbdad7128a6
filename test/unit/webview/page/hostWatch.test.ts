import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { HostWatch } from '../../../../src/webview/page/hostWatch.ts';

function startWatch(context: TestContext) {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const events: (boolean | 'asked')[] = [];
  const watch = new HostWatch(
    () => events.push('asked'),
    (isGone) => events.push(isGone),
  );
  const pass = (ms: number) => {
    context.mock.timers.tick(ms);
    return events.splice(0);
  };
  return { watch, pass };
}

test('does not ping while no answer is expected', (context) => {
  const { watch, pass } = startWatch(context);
  assert.deepEqual(pass(60_000), []);
  watch.expect(true);
  watch.expect(false);
  assert.deepEqual(pass(60_000), []);
});

test('reports once that the host is gone when pings stay unanswered', (context) => {
  const { watch, pass } = startWatch(context);
  watch.expect(true);
  assert.deepEqual(pass(14_999), ['asked', 'asked', 'asked', 'asked']);
  assert.deepEqual(pass(1), [true]);
  assert.deepEqual(pass(60_000), []);
});

test('keeps waiting while pings are answered, and reports the host as back after a late answer', (context) => {
  const { watch, pass } = startWatch(context);
  watch.expect(true);
  for (let ping = 0; ping < 20; ping++) {
    watch.expect(true);
    assert.deepEqual(pass(3_000), ['asked']);
    watch.noteActivity();
  }
  pass(15_000);
  watch.noteActivity();
  assert.deepEqual(pass(0), [false]);
  assert.deepEqual(pass(3_000), ['asked']);
});

test('starts counting again when another answer is expected', (context) => {
  const { watch, pass } = startWatch(context);
  watch.expect(true);
  pass(12_000);
  watch.expect(false);
  watch.expect(true);
  assert.deepEqual(pass(12_000), ['asked', 'asked', 'asked', 'asked']);
});
