import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Disposable, DisposableStore, disposable, Emitter } from '../../../../src/core/base/lifetime.ts';

function recorded() {
  const events: string[] = [];
  const item = (name: string): Disposable => ({ dispose: () => void events.push(name) });
  return { events, item };
}

test('disposes last in, first out', () => {
  const { events, item } = recorded();
  const store = new DisposableStore();
  for (const name of ['one', 'two', 'three']) {
    store.add(item(name));
  }
  store.dispose();
  assert.deepEqual(events, ['three', 'two', 'one']);
  assert.equal(store.isDisposed, true);
});

test('disposes nothing twice', () => {
  const { events, item } = recorded();
  const store = new DisposableStore();
  store.add(item('one'));
  store.dispose();
  store.dispose();
  assert.deepEqual(events, ['one']);
});

test('disposes at once what arrives too late, also while it is being disposed', () => {
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

test('disposes the others when one can not be disposed, and tells what failed', () => {
  const { events, item } = recorded();
  const store = new DisposableStore();
  const fail = (message: string) => ({
    dispose() {
      throw new Error(message);
    },
  });
  store.add(item('one'));
  store.add(fail('first'));
  store.add(item('two'));
  assert.throws(() => store.dispose(), /first/);
  assert.deepEqual(events, ['two', 'one']);

  const several = new DisposableStore();
  several.add(fail('first'));
  several.add(fail('second'));
  assert.throws(
    () => several.dispose(),
    (error: unknown) => error instanceof AggregateError && error.errors.length === 2,
  );
});

test('gives back what was added, so that it can be made and owned in one line', () => {
  const store = new DisposableStore();
  const item = disposable(() => undefined);
  assert.equal(store.add(item), item);
});

test('runs a wrapped function once', () => {
  let runs = 0;
  const item = disposable(() => runs++);
  item.dispose();
  item.dispose();
  assert.equal(runs, 1);
});

test('tells every listener, in the order they came', () => {
  const heard: string[] = [];
  const emitter = new Emitter<number>();
  emitter.event((value) => heard.push(`a${value}`));
  emitter.event((value) => heard.push(`b${value}`));
  emitter.fire(1);
  assert.deepEqual(heard, ['a1', 'b1']);
});

test('tells the other listeners when one throws, and hands on what it threw', () => {
  const errors: unknown[] = [];
  const heard: number[] = [];
  const emitter = new Emitter<number>((error) => errors.push(error));
  const failure = new Error('listener');
  emitter.event(() => {
    throw failure;
  });
  emitter.event((value) => heard.push(value));
  emitter.fire(7);
  assert.deepEqual(heard, [7]);
  assert.deepEqual(errors, [failure]);
});

test('lets one function listen twice and leave once', () => {
  let calls = 0;
  const listener = () => calls++;
  const emitter = new Emitter<void>();
  const first = emitter.event(listener);
  emitter.event(listener);
  emitter.fire();
  first.dispose();
  first.dispose();
  emitter.fire();
  assert.equal(calls, 3);
});

test('calls a listener with the given this, and adds its subscription to the given list, as VS Code does', () => {
  const owner = { heard: [] as number[] };
  const subscriptions: Disposable[] = [];
  const emitter = new Emitter<number>();
  emitter.event(
    function (this: typeof owner, value) {
      this.heard.push(value);
    },
    owner,
    subscriptions,
  );
  emitter.fire(1);
  subscriptions[0]?.dispose();
  emitter.fire(2);
  assert.deepEqual(owner.heard, [1]);
});

test('tells who listened when the news began, whoever comes or goes meanwhile', () => {
  const heard: string[] = [];
  const emitter = new Emitter<void>();
  emitter.event(() => {
    heard.push('first');
    emitter.event(() => heard.push('newcomer'));
  });
  emitter.fire();
  assert.deepEqual(heard, ['first']);
});

test('is silent after disposal', () => {
  let calls = 0;
  const emitter = new Emitter<void>();
  emitter.event(() => calls++);
  emitter.dispose();
  emitter.fire();
  assert.equal(calls, 0);
});
