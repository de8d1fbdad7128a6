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

test('does not take a name for a yes that somebody else put into the setting', () => {
  assert.equal(scene(['a.b']).callers.has('a.b'), false);
});

test('keeps a yes in the setting and apart from it', async () => {
  const { stored, callers } = scene(['Other.One']);
  await callers.allow('a.b');
  assert.equal(callers.has('a.b'), true);
  assert.deepEqual(stored, { setting: ['Other.One', 'a.b'], memory: ['a.b'] });
  assert.equal(callers.has('other.one'), false);
});

test('a yes for a name that is in the setting already leaves the setting as it is', async () => {
  const { stored, callers } = scene(['A.B'], ['c.d']);
  await callers.allow('a.b');
  assert.deepEqual(stored, { setting: ['A.B'], memory: ['c.d', 'a.b'] });
  assert.equal(callers.has('a.b'), true);
});

test('takes a yes back with its name in the setting, for good', async () => {
  const { stored, callers } = scene(['a.b', 'c.d'], ['a.b', 'c.d']);
  stored.setting = ['c.d'];
  assert.equal(callers.has('a.b'), false);
  await callers.forgetUnlisted();
  stored.setting = ['a.b', 'c.d'];
  assert.equal(callers.has('a.b'), false, 'put back by somebody else');
  assert.equal(callers.has('c.d'), true);
});

test('reads nothing as a yes that is none', () => {
  for (const remembered of [undefined, null, 'a.b', { 'a.b': true }, [['a.b'], 1]]) {
    assert.equal(scene(['a.b'], remembered).callers.has('a.b'), false);
  }
});
