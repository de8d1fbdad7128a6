import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AllowedCallers } from '../../../../src/core/languageModel/allowedCallers.ts';

function scene(setting: readonly string[] = [], remembered: unknown = undefined) {
  const stored: { setting: readonly string[]; memory: unknown } = { setting, memory: remembered };
  const callers = new AllowedCallers({
    setting: {
      read: () => stored.setting,
      write: async (ids) => {
        stored.setting = ids;
        await callers.forgetUnlisted();
      },
    },
    memory: {
      read: () => stored.memory,
      write: async (ids) => {
        stored.memory = ids;
      },
    },
  });
  return { stored, callers };
}

test('does not accept an id that only the setting contains', () => {
  assert.equal(scene(['a.b']).callers.has('a.b'), false);
});

test('stores consent in the setting and in memory', async () => {
  const { stored, callers } = scene(['Other.One']);
  await callers.allow('a.b');
  assert.equal(callers.has('a.b'), true);
  assert.deepEqual(stored, { setting: ['Other.One', 'a.b'], memory: ['a.b'] });
  assert.equal(callers.has('other.one'), false);
});

test('leaves the setting unchanged when it already contains the id', async () => {
  const { stored, callers } = scene(['A.B'], ['c.d']);
  await callers.allow('a.b');
  assert.deepEqual(stored, { setting: ['A.B'], memory: ['c.d', 'a.b'] });
  assert.equal(callers.has('a.b'), true);
});

test('withdraws consent for good when the id is removed from the setting', async () => {
  const { stored, callers } = scene(['a.b', 'c.d'], ['a.b', 'c.d']);
  stored.setting = ['c.d'];
  assert.equal(callers.has('a.b'), false);
  await callers.forgetUnlisted();
  stored.setting = ['a.b', 'c.d'];
  assert.equal(callers.has('a.b'), false, 'the id was put back by another program');
  assert.equal(callers.has('c.d'), true);
});

test('ignores invalid stored values', () => {
  for (const remembered of [undefined, null, 'a.b', { 'a.b': true }, [['a.b'], 1]]) {
    assert.equal(scene(['a.b'], remembered).callers.has('a.b'), false);
  }
});
