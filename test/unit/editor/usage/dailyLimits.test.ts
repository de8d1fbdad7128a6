import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { fakeVSCode } from '../fakeVSCode.ts';

const limitSettings = { own: {} as Record<string, unknown>, updates: [] as string[], isReadOnly: false };
Object.assign(globalThis, { limitSettings });
// The part of VS Code that limits use: the person's own settings.
fakeVSCode(
  import.meta,
  `data:text/javascript,
  const { limitSettings: settings } = globalThis;
  export const ConfigurationTarget = { Global: 1 };
  export const workspace = {
    getConfiguration: () => ({
      inspect: (id) => ({ globalValue: settings.own[id], workspaceValue: 0 }),
      update: async (id, value) => {
        settings.updates.push(id);
        if (!settings.isReadOnly) settings.own[id] = value;
      },
    }),
  };`,
);
const { dailyLimits, moveLimits } = await import('../../../../src/editor/usage/dailyLimits.ts');

beforeEach(() => Object.assign(limitSettings, { own: {}, updates: [], isReadOnly: false }));

test('limits are of the one setting, with a warning at 80 %', () => {
  assert.deepEqual(dailyLimits(), { hard: {}, soft: {}, othersPercent: 50 });
  limitSettings.own = { 'askModel.dailyLimit': { cost: 2, calls: 3, otherExtensions: 300 } };
  assert.deepEqual(dailyLimits(), { hard: { cost: 2, calls: 3 }, soft: { cost: 1.6, calls: 3 }, othersPercent: 100 });
});

test('an invalid limit forbids calls', () => {
  for (const invalid of [5, [], { cost: '2' }, { calls: -1 }]) {
    limitSettings.own = { 'askModel.dailyLimit': invalid };
    assert.equal(dailyLimits(), 'askModel.dailyLimit');
  }
  limitSettings.own = { 'askModel.dailyLimit.calls': 'many' };
  assert.equal(dailyLimits(), 'askModel.dailyLimit');
});

test("an earlier version's limits count until they are moved, and the stricter one of two", async () => {
  limitSettings.own = {
    'askModel.dailyLimit': { cost: 1, tokens: 900 },
    'askModel.dailyLimit.cost': 2,
    'askModel.dailyLimit.tokens': 500,
    'askModel.dailyLimit.calls': 7,
    'askModel.dailyLimit.otherExtensions': 20,
  };
  const before = dailyLimits();
  assert.deepEqual(before, {
    hard: { calls: 7, tokens: 500, cost: 1 },
    soft: { calls: 6, tokens: 400, cost: 0.8 },
    othersPercent: 20,
  });
  assert.equal(await moveLimits(), true);
  assert.deepEqual(dailyLimits(), before);
  assert.deepEqual(
    Object.entries(limitSettings.own).filter(([, value]) => value !== undefined),
    [['askModel.dailyLimit', { calls: 7, tokens: 500, cost: 1, otherExtensions: 20 }]],
  );
});

test('settings of an earlier version stay when the new one could not be written', async () => {
  limitSettings.own = { 'askModel.dailyLimit.calls': 7 };
  limitSettings.isReadOnly = true;
  assert.equal(await moveLimits(), false);
  assert.deepEqual(limitSettings.updates, ['askModel.dailyLimit']);
});

test('a warning of an earlier version stays one, and becomes no limit', async () => {
  limitSettings.own = { 'askModel.dailyWarning.cost': 1 };
  assert.equal(await moveLimits(), false);
  assert.deepEqual(dailyLimits(), { hard: {}, soft: { cost: 1 }, othersPercent: 50 });
  assert.deepEqual(limitSettings.updates, []);
});
