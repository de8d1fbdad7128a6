import assert from 'node:assert/strict';
import { test } from 'node:test';
import { once } from '../../../../src/core/base/once.ts';

test('does its work on the first call and returns the same result on every call', () => {
  let calls = 0;
  const number = once(() => ++calls);
  assert.equal(number.ifCalled(), undefined);
  assert.deepEqual([number(), number(), number.ifCalled(), calls], [1, 1, 1, 1]);
});

test('stores a result that is undefined, and tries again after a failure', () => {
  let calls = 0;
  const nothing = once(() => void calls++);
  nothing();
  nothing();
  assert.equal(calls, 1);
  const failing = once(() => {
    throw new Error(`${++calls}`);
  });
  assert.throws(failing, /2/);
  assert.throws(failing, /3/);
});
