import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Memento } from 'vscode';
import { fakeVSCode } from '../fakeVSCode.ts';

fakeVSCode(import.meta, 'data:text/javascript,');
const { Remembered } = await import('../../../../src/editor/ui/remembered.ts');

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
    for (const name of ['compared', 'groupRatio', 'logColumns', 'models', 'withoutUsage'] as const) {
      await remembered.ofConnections(name).write(id, [name]);
    }
  }
  return opened;
}

test('everything about a connection is forgotten with it, and nothing else', async () => {
  const { remembered, names } = await filled();
  const before = names();
  await remembered.forget('c1');
  assert.equal(before.length, 10);
  assert.deepEqual(
    names(),
    before.filter((name) => !name.includes('c1')),
  );
  const { read } = remembered.ofConnections('groupRatio');
  assert.deepEqual([read('c1'), read('c2')], [undefined, ['groupRatio']]);
});

test('nothing is left when everything is forgotten', async () => {
  const { remembered, names } = await filled();
  await remembered.forget();
  assert.deepEqual(names(), []);
});
