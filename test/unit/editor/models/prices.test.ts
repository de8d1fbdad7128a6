import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposableStore } from '../../../../src/core/base/lifetime.ts';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import type { Model, ModelPrices } from '../../../../src/core/models/list/model.ts';
import { PriceSources, readStatedPrices } from '../../../../src/core/usage/prices/prices.ts';
import type { CountedCall } from '../../../../src/core/usage/usageTotals.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const state = {
  opened: [] as unknown[],
  own: undefined as unknown,
  workspace: undefined as unknown,
  warnings: [] as string[],
  didChange: (_: object): void => undefined,
};
Object.assign(globalThis, { pricesOfTest: state });
// The part of VS Code's API that shows messages, and holds the settings.
const vscode = `data:text/javascript,
  const state = globalThis.pricesOfTest;
  const nothing = { dispose: () => undefined };
  export const commands = { executeCommand: async (...all) => void state.opened.push(all) };
  export const ConfigurationTarget = { Global: 1 };
  export const window = {
    showWarningMessage: async (text) => void state.warnings.push(text),
  };
  export const workspace = {
    getConfiguration: () => ({
      inspect: () => ({ globalValue: state.own, workspaceValue: state.workspace }),
      update: async (name, value, target) => {
        state.own = JSON.parse(JSON.stringify(value));
      },
    }),
    onDidChangeConfiguration: (listener) => ((state.didChange = listener), nothing),
  };`;
fakeVSCode(import.meta, vscode);
const { statePrice, watchOwnPrices } = await import('../../../../src/editor/models/modelPricing.ts');
const { modelPricing } = await import('../../../../src/editor/models/modelPricing.ts');

test("opens the setting with the model's ID, whose entry is no price until it has numbers", async () => {
  const other = { input: 1, output: 1, currency: 'USD' };
  state.own = { other };
  await statePrice('m');
  assert.deepEqual(state.own, { other, m: {} });
  const opened = ['workbench.action.openSettingsJson', { revealSetting: { key: 'askModel.prices' } }];
  assert.deepEqual(state.opened, [opened]);
  assert.equal(readStatedPrices(state.own)('m'), undefined);
  await statePrice('other');
  assert.deepEqual(state.own, { other, m: {} });
  state.own = [];
  await statePrice('m');
  assert.deepEqual([state.own, state.opened.length], [[], 3]);
});

test('reads only the person’s own setting, and again when it changes', () => {
  const stated = (input: unknown) => ({ m: { input, output: 1, currency: 'USD' } });
  state.own = undefined;
  state.workspace = stated(9);
  const store = new DisposableStore();
  let changes = 0;
  const priceOf = watchOwnPrices(store, () => changes++);
  assert.equal(priceOf('m'), undefined);
  state.own = stated(2);
  assert.equal(priceOf('m'), undefined);
  state.didChange({ affectsConfiguration: (name: string) => name === 'askModel.prices' });
  assert.equal(priceOf('m')?.input, 2);
  state.own = stated('abc');
  state.didChange({ affectsConfiguration: () => true });
  state.didChange({ affectsConfiguration: () => false });
  assert.equal(priceOf('m'), undefined);
  assert.equal(changes, 2);
  store.dispose();
});

test('names the price with its source, and the cheapest connection that has the model', async () => {
  const connection = (id: string) => ({ id, name: `gateway ${id}` }) as Connection;
  const all = ['a', 'b', 'c', 'd'].map(connection);
  const list = (unit: string, input: number) => {
    const prices: ModelPrices = { input, output: 10, unit };
    return { dropped: 0, models: [{ id: 'm', prices } as Model] };
  };
  const lists = new Map([
    ['a', list('USD', 2)],
    ['b', list('USD', 1.5)],
    ['c', list('USD', 1)],
    ['d', list('CNY', 0.1)],
  ]);
  const asked: string[] = [];
  const onDefect = (error: unknown) => assert.fail(String(error));
  const sources = new PriceSources({
    addressOf: () => 'https://gateway.example',
    readList: async (id) => lists.get(id),
    readPriceList: async (id) => void asked.push(id),
    statedPrice: () => undefined,
    onRead: () => assert.fail('there is no price list'),
    onDefect,
  });
  const call: Partial<CountedCall> = {
    model: 'm',
    connection: 'a',
    state: 'complete',
    usage: { promptTokens: 900, completionTokens: 100 },
    firstTokenMs: 1_234,
  };
  const pricing = modelPricing(
    sources,
    { active: connection('a'), all },
    async () => [call as CountedCall, { ...call, model: 'other' } as CountedCall],
    () => ({ dispose: () => undefined }),
  );
  assert.deepEqual(pricing.lines('m'), []);
  await pricing.load();
  assert.deepEqual(asked, ['a']);
  assert.deepEqual(pricing.lines('m'), [
    'Price: $2.00 per 1M input tokens and $10.00 per 1M output tokens (model list)',
    'Cheaper with gateway c (≈ 19%)',
  ]);
  assert.deepEqual(pricing.lines('unknown'), []);
});
