import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Disposable, DisposableStore, Emitter } from '../../../../src/core/base/lifetime.ts';

function recorded() {
  const events: string[] = [];
  const item = (name: string): Disposable => ({ dispose: () => void events.push(name) });
  return { events, item };
}

test('disposes last in, first out, each item once', () => {
  const { events, item } = recorded();
  const store = new DisposableStore();
  for (const name of ['one', 'two', 'three']) {
    store.add(item(name));
  }
  store.dispose();
  store.dispose();
  assert.deepEqual(events, ['three', 'two', 'one']);
});

test('disposes an item at once when it is added during or after disposal', () => {
  const { events, item } = recorded();
  const store = new DisposableStore();
  store.add({
    dispose() {
      events.push('owner');
      store.add(item('late'));
    },
  });
  store.dispose();
  store.add(item('later'));
  assert.deepEqual(events, ['owner', 'late', 'later']);
});

test('calls the other listeners when one throws, and rethrows its error later', (t) => {
  const later = t.mock.method(globalThis, 'queueMicrotask', () => undefined);
  const received: number[] = [];
  const emitter = new Emitter<number>();
  const failure = new Error('listener');
  emitter.event(() => {
    throw failure;
  });
  emitter.event((value) => received.push(value));
  emitter.fire(7);
  assert.deepEqual(received, [7]);
  assert.equal(later.mock.callCount(), 1);
  assert.throws(later.mock.calls[0]?.arguments[0] ?? assert.fail, failure);
});

test('calls no listener after disposal', () => {
  let calls = 0;
  const emitter = new Emitter<void>();
  emitter.event(() => calls++);
  emitter.dispose();
  emitter.fire();
  assert.equal(calls, 0);
});
