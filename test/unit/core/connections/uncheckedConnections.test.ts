import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UncheckedConnections } from '../../../../src/core/connections/uncheckedConnections.ts';

function scene(stored: Record<string, unknown> = {}) {
  const memory = new Map(Object.entries(stored));
  const unchecked = new UncheckedConnections({
    read: (id) => memory.get(id),
    write: async (id, state) => {
      memory.set(id, state);
    },
  });
  let changes = 0;
  unchecked.onDidChange(() => changes++);
  return { unchecked, changes: () => changes };
}

test('reports a connection as unchecked until its list is read', async () => {
  const { unchecked, changes } = scene();
  assert.equal(unchecked.stateOf('a'), undefined);
  await unchecked.keep('a');
  assert.equal(unchecked.stateOf('a'), 'unchecked');
  assert.equal(unchecked.stateOf('b'), undefined);
  await unchecked.listed('a');
  assert.equal(unchecked.stateOf('a'), undefined);
  assert.equal(changes(), 2);
});

test('reports withoutList after an answer, until the list is read or a new key is saved unchecked', async () => {
  const { unchecked } = scene({ a: 'unchecked' });
  await unchecked.answered('a');
  assert.equal(unchecked.stateOf('a'), 'withoutList');
  await unchecked.keep('a');
  assert.equal(unchecked.stateOf('a'), 'unchecked');
  await unchecked.answered('a');
  await unchecked.listed('a');
  assert.equal(unchecked.stateOf('a'), undefined);
});

test('reports no state for a checked connection or for an unknown stored value', async () => {
  const { unchecked, changes } = scene({ b: true, c: 'other', d: ['unchecked'] });
  await unchecked.answered('a');
  await unchecked.listed('a');
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((id) => unchecked.stateOf(id)),
    Array(4).fill(undefined),
  );
  assert.equal(changes(), 0);
});
