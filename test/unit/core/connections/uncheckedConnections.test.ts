import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UncheckedConnections } from '../../../../src/core/connections/uncheckedConnections.ts';

function scene(known: Record<string, unknown> = {}) {
  const memory = new Map(Object.entries(known));
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

test('calls a connection unchecked until its list is read', async () => {
  const { unchecked, changes } = scene();
  assert.equal(unchecked.stateOf('a'), undefined);
  await unchecked.keep('a');
  assert.equal(unchecked.stateOf('a'), 'unchecked');
  assert.equal(unchecked.stateOf('b'), undefined);
  await unchecked.listed('a');
  assert.equal(unchecked.stateOf('a'), undefined);
  assert.equal(changes(), 2);
});

test('calls it one without a list after an answer, until the list is read or another key is kept unchecked', async () => {
  const { unchecked } = scene({ a: 'unchecked' });
  await unchecked.answered('a');
  assert.equal(unchecked.stateOf('a'), 'withoutList');
  await unchecked.keep('a');
  assert.equal(unchecked.stateOf('a'), 'unchecked');
  await unchecked.answered('a');
  await unchecked.listed('a');
  assert.equal(unchecked.stateOf('a'), undefined);
});

test('says nothing of a connection that was checked, and reads nothing else as a state', async () => {
  const { unchecked, changes } = scene({ b: true, c: 'other', d: ['unchecked'] });
  await unchecked.answered('a');
  await unchecked.listed('a');
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((id) => unchecked.stateOf(id)),
    Array(4).fill(undefined),
  );
  assert.equal(changes(), 0);
});
