import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ColumnMemory } from '../../../../../src/core/usage/receipts/columnMemory.ts';

function openMemory(stored: unknown) {
  const all = new Map([['c1', stored]]);
  const memory = new ColumnMemory({
    read: (connection) => all.get(connection),
    write: async (connection, maps) => void all.set(connection, JSON.parse(JSON.stringify(maps))),
  });
  return { memory, stored: () => all.get('c1') };
}

const map = { at: 0, timeFormat: 'iso', model: 1, amount: 2, unit: 'USD', perUnit: 1, keyName: 'work' } as const;

test('remembers the columns of a log for its connection alone', async () => {
  const { memory } = openMemory(undefined);
  await memory.write('c1', '["a"]', map);
  await memory.write('c1', '["a"]', { ...map, keyName: 'home' });
  assert.deepEqual(memory.read('c1', '["a"]'), { name: '["a"]', ...map, keyName: 'home' });
  assert.equal(memory.read('c2', '["a"]'), undefined);
  assert.equal(memory.read('c1', '["b"]'), undefined);
});

test('remembers the last 20 logs, and nothing that is damaged', async () => {
  const { memory, stored } = openMemory([{ name: 'x', at: -1 }, 7, { name: 'y', perUnit: 0 }]);
  assert.equal(memory.read('c1', 'x'), undefined);
  for (let index = 0; index < 25; index++) {
    await memory.write('c1', `${index}`, map);
  }
  assert.equal((stored() as unknown[]).length, 20);
  assert.equal(memory.read('c1', '4'), undefined);
  assert.equal(memory.read('c1', '24')?.model, 1);
});
