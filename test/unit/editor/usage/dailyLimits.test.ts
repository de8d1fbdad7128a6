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
        if (settings.isReadOnly) throw new Error('Unable to write into user settings');
        settings.own[id] = value;
      },
    }),
  };`,
);
const { dailyLimits, moveSettings } = await import('../../../../src/editor/usage/dailyLimits.ts');

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
});

test('the parts that were settings in an earlier version go only when the whole one is written', async () => {
  limitSettings.own = { 'askModel.dailyLimit': { calls: 7 }, 'askModel.timeouts': { connect: 5 } };
  limitSettings.isReadOnly = true;
  await assert.rejects(moveSettings());
  assert.deepEqual(limitSettings.updates, ['askModel.dailyLimit']);
});

test('a warning of an earlier version stays one, and becomes no limit', async () => {
  limitSettings.own = { 'askModel.dailyWarning.cost': 1 };
  assert.equal(await moveSettings(), false);
  assert.deepEqual(dailyLimits(), { hard: {}, soft: { cost: 1 }, othersPercent: 50 });
  assert.deepEqual(limitSettings.updates, []);
});
