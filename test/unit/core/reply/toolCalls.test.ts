import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolCalls } from '../../../../src/core/reply/toolCalls.ts';
import { cpuMs } from '../base/cpuMs.ts';

function read(...deltas: unknown[][]) {
  const calls = new ToolCalls();
  for (const delta of deltas) {
    calls.push(delta);
  }
  return calls.list();
}

const piece = (more: object, fn: object = {}) => ({ ...more, type: 'function', function: fn });

test('Q35 joins the pieces of calls by index, also interleaved', () => {
  assert.deepEqual(
    read(
      [piece({ index: 0, id: 'a' }, { name: 'look', arguments: '' })],
      [piece({ index: 1, id: 'b' }, { name: 'find', arguments: '{"x"' })],
      [piece({ index: 0 }, { arguments: '{"y":' })],
      [piece({ index: 1 }, { arguments: ':1}' }), piece({ index: 0 }, { arguments: '2}' })],
    ),
    [
      { id: 'a', name: 'look', arguments: '{"y":2}' },
      { id: 'b', name: 'find', arguments: '{"x":1}' },
    ],
  );
});

test('Q35 takes calls without an index by their id, and pieces without either for the last one', () => {
  assert.deepEqual(
    read(
      [piece({ id: 'a' }, { name: 'look', arguments: '{' })],
      [piece({}, { arguments: '}' })],
      [piece({ id: 'b' }, { name: 'find', arguments: '[]' })],
      [piece({ id: 'a' }, { arguments: ' ' })],
    ),
    [
      { id: 'a', name: 'look', arguments: '{} ' },
      { id: 'b', name: 'find', arguments: '[]' },
    ],
  );
  assert.deepEqual(read([piece({ id: '' }, { name: 'one', arguments: '{}' })], [piece({ id: '' }, { name: 'two' })]), [
    { name: 'one', arguments: '{}' },
    { name: 'two', arguments: '' },
  ]);
});

test('Q35 tells calls at the same index apart by their ids, counts from one, and takes a late name', () => {
  assert.deepEqual(
    read(
      [piece({ index: 1, id: 'a' }, { arguments: '{}' })],
      [piece({ index: 1 }, { name: 'late' })],
      [piece({ index: 1, id: 'b' }, { name: 'other', arguments: '1' })],
      [piece({ index: 1 }, { arguments: '2' })],
    ),
    [
      { id: 'a', name: 'late', arguments: '{}' },
      { id: 'b', name: 'other', arguments: '12' },
    ],
  );
});

test('takes arguments that are an object, the older spelling, and half a document as it is', () => {
  assert.deepEqual(read([piece({ index: 0 }, { name: 'f', arguments: { a: 1 } })]), [
    { name: 'f', arguments: '{"a":1}' },
  ]);
  const legacy = new ToolCalls();
  legacy.pushLegacy({ name: 'f', arguments: '{"a' });
  legacy.pushLegacy({ arguments: '":' });
  assert.deepEqual(legacy.list(), [{ name: 'f', arguments: '{"a":' }]);
});

test('is not thrown by what is no call', () => {
  const calls = new ToolCalls();
  for (const junk of [null, 5, 'x', {}, [null], [5], [[]], [{ function: null }], [{ index: 'x', function: 5 }]]) {
    calls.push(junk);
    calls.pushLegacy(junk);
  }
  assert.deepEqual(calls.list(), []);
});

test('reads a great many calls in time that grows with their number', () => {
  const costOf = (count: number, piece: (at: number) => object) =>
    cpuMs(() => {
      const calls = new ToolCalls();
      calls.push(Array.from({ length: count }, (_, at) => piece(at)));
      assert.equal(calls.list().length, count);
    });
  for (const piece of [
    (at: number) => ({ index: at, function: { name: 'f' } }),
    (at: number) => ({ index: 0, id: `c${at}`, function: { name: 'f' } }),
    (at: number) => ({ id: `c${at}`, function: { name: 'f' } }),
  ]) {
    assert.ok(costOf(100_000, piece) < 2_000);
  }
});
