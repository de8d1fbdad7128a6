import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Memento } from 'vscode';
import { Remembered } from '../../../../src/editor/ui/remembered.ts';

function openMemory() {
  const values = new Map<string, unknown>();
  const memory = {
    keys: () => [...values.keys()],
    get: (name: string) => values.get(name),
    update: async (name: string, value: unknown) =>
      void (value === undefined ? values.delete(name) : values.set(name, value)),
  };
  return { remembered: new Remembered(memory as unknown as Memento), names: () => [...values.keys()] };
}

/** Stores one value of each kind for two connections. */
async function filled() {
  const opened = openMemory();
  const { remembered } = opened;
  for (const id of ['c1', 'c2']) {
    await remembered.setModels(id, {});
    await remembered.setWithoutUsage(id);
    await remembered.setCompared(id, ['m']);
    await remembered.setCheckState(id, 'unchecked');
    await remembered.setGroupRatio(id, 0.5);
    await remembered.setLogColumns(id, [{ keyName: 'work' }]);
  }
  await remembered.setTokenRatios([]);
  return opened;
}

test('everything about a connection is forgotten with it, and nothing else', async () => {
  const { remembered, names } = await filled();
  const before = names();
  await remembered.forget('c1');
  assert.equal(before.length, 13);
  assert.deepEqual(
    names(),
    before.filter((name) => !name.includes('c1')),
  );
  assert.deepEqual([remembered.logColumns('c1'), remembered.groupRatio('c1')], [undefined, undefined]);
  assert.equal(remembered.groupRatio('c2'), 0.5);
});

test('nothing is left when everything is forgotten', async () => {
  const { remembered, names } = await filled();
  await remembered.forgetAll();
  assert.deepEqual(names(), []);
});
