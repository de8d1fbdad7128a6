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

test('Q35 joins deltas of calls by index, even interleaved ones', () => {
  assert.deepEqual(
    read(
      [piece({ index: 0, id: 'a' }, { name: 'open', arguments: '' })],
      [piece({ index: 1, id: 'b' }, { name: 'find', arguments: '{"x"' })],
      [piece({ index: 0 }, { arguments: '{"y":' })],
      [piece({ index: 1 }, { arguments: ':1}' }), piece({ index: 0 }, { arguments: '2}' })],
    ),
    [
      { id: 'a', name: 'open', arguments: '{"y":2}' },
      { id: 'b', name: 'find', arguments: '{"x":1}' },
    ],
  );
});

test('Q35 joins deltas without an index by id, and those without either to the last call', () => {
  assert.deepEqual(
    read(
      [piece({ id: 'a' }, { name: 'open', arguments: '{' })],
      [piece({}, { arguments: '}' })],
      [piece({ id: 'b' }, { name: 'find', arguments: '[]' })],
      [piece({ id: 'a' }, { arguments: ' ' })],
    ),
    [
      { id: 'a', name: 'open', arguments: '{} ' },
      { id: 'b', name: 'find', arguments: '[]' },
    ],
  );
  assert.deepEqual(read([piece({ id: '' }, { name: 'one', arguments: '{}' })], [piece({ id: '' }, { name: 'two' })]), [
    { name: 'one', arguments: '{}' },
    { name: 'two', arguments: '' },
  ]);
});

test('Q35 separates calls at the same index by id, and reads indices from one and a late name', () => {
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

test('reads arguments that are an object, incomplete, or in the older function_call field', () => {
  assert.deepEqual(read([piece({ index: 0 }, { name: 'f', arguments: { a: 1 } })]), [
    { name: 'f', arguments: '{"a":1}' },
  ]);
  const legacy = new ToolCalls();
  legacy.pushLegacy({ name: 'f', arguments: '{"a' });
  legacy.pushLegacy({ arguments: '":' });
  assert.deepEqual(legacy.list(), [{ name: 'f', arguments: '{"a":' }]);
});

test('ignores values that are not calls', () => {
  const calls = new ToolCalls();
  for (const junk of [null, 5, 'x', {}, [null], [5], [[]], [{ function: null }], [{ index: 'x', function: 5 }]]) {
    calls.push(junk);
    calls.pushLegacy(junk);
  }
  assert.deepEqual(calls.list(), []);
});

test('limits the number of calls, in linear time', () => {
  for (const piece of [
    (at: number) => ({ index: at, function: { name: 'f' } }),
    (at: number) => ({ index: 0, id: `c${at}`, function: { name: 'f' } }),
    (at: number) => ({ id: `c${at}`, function: { name: 'f' } }),
  ]) {
    const cost = cpuMs(() => {
      const calls = new ToolCalls();
      calls.push(Array.from({ length: 100_000 }, (_, at) => piece(at)));
      assert.equal(calls.list().length, 256);
    });
    assert.ok(cost < 2_000);
  }
});

test('drops the arguments of a call beyond the limit with the call', () => {
  const calls = new ToolCalls();
  for (let at = 0; at < 258; at++) {
    calls.push([{ function: { name: `f${at}` } }]);
    calls.push([{ function: { arguments: `{"i":${at}}` } }]);
  }
  assert.deepEqual(calls.list().at(-1), { name: 'f255', arguments: '{"i":255}' });
});
