import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { DisposableStore } from '../../../../src/core/base/lifetime.ts';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import type { Model, ModelPrices } from '../../../../src/core/models/list/model.ts';
import { PriceSources } from '../../../../src/core/usage/prices/priceSources.ts';
import type { CountedCall } from '../../../../src/core/usage/usageTotals.ts';
import type { Log } from '../../../../src/editor/ui/log.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

type Box = {
  value: string;
  title: string;
  validationMessage: string | undefined;
  accept(): void;
  press(button: object): void;
};
const state = {
  box: undefined as Box | undefined,
  own: undefined as unknown,
  workspace: undefined as unknown,
  warnings: [] as string[],
  failure: undefined as Error | undefined,
  didChange: (_: object): void => undefined,
};
Object.assign(globalThis, { pricesOfTest: state });
// The part of VS Code's API that shows input boxes and messages, and holds the settings.
const vscode = `data:text/javascript,
  const state = globalThis.pricesOfTest;
  const nothing = { dispose: () => undefined };
  export const QuickInputButtons = { Back: {} };
  export const ConfigurationTarget = { Global: 1 };
  export const window = {
    createInputBox: () => {
      const box = { value: '', show() {}, dispose() {} };
      for (const each of ['ChangeValue', 'Hide']) box['onDid' + each] = () => nothing;
      box.onDidAccept = (listener) => ((box.accept = listener), nothing);
      box.onDidTriggerButton = (listener) => ((box.press = listener), nothing);
      return (state.box = box);
    },
    showInformationMessage: async () => undefined,
    showWarningMessage: async (text) => void state.warnings.push(text),
  };
  export const workspace = {
    getConfiguration: () => ({
      inspect: () => ({ globalValue: state.own, workspaceValue: state.workspace }),
      update: async (name, value, target) => {
        if (state.failure) throw state.failure;
        state.own = JSON.parse(JSON.stringify(value));
      },
    }),
    onDidChangeConfiguration: (listener) => ((state.didChange = listener), nothing),
  };`;
fakeVSCode(import.meta, vscode);
const { statePrice } = await import('../../../../src/editor/models/statePrice.ts');
const { watchOwnPrices } = await import('../../../../src/editor/models/ownPrices.ts');
const { modelPricing } = await import('../../../../src/editor/models/modelPricing.ts');
const { QuickInputButtons } = await import('vscode');

const box = (): Box => state.box ?? assert.fail('nothing is shown');
const enter = async (text: string) => {
  box().value = text;
  box().accept();
  await turn();
};

test('asks for each price, refuses in its box what is no number, and saves the entry beside the others', async () => {
  state.own = { other: { input: 1, output: 1, currency: 'USD' } };
  const stating = statePrice('m');
  await turn();
  assert.equal(box().title, 'Price of m');
  for (const wrong of ['abc', '1,5', '-1', '']) {
    await enter(wrong);
    assert.equal(box().validationMessage, 'input must be a number from 0 to 1,000,000,000.');
  }
  await enter(' 1.25 ');
  await enter('10');
  await enter('');
  assert.equal(box().value, 'USD');
  await enter('5');
  assert.match(box().validationMessage ?? '', /^currency must be a code such as USD/);
  await enter('cny');
  await stating;
  assert.deepEqual(state.own, {
    other: { input: 1, output: 1, currency: 'USD' },
    m: { input: 1.25, output: 10, currency: 'cny' },
  });
});

test('proposes the prices that were stated before, and goes back without losing what was typed', async () => {
  state.own = { m: { input: 1, cached: 0.1, output: 2, perCall: 0.01, currency: 'EUR' } };
  const stating = statePrice('m');
  await turn();
  assert.equal(box().value, '1');
  await enter('3');
  assert.equal(box().value, '2');
  box().value = '4';
  box().press(QuickInputButtons.Back);
  await turn();
  assert.equal(box().value, '3');
  await enter('3');
  assert.equal(box().value, '4');
  await enter('4');
  await enter('0.1');
  await enter('EUR');
  await stating;
  assert.deepEqual(state.own, { m: { input: 3, output: 4, cached: 0.1, currency: 'EUR', perCall: 0.01 } });
});

test('leaves the last box open when the setting can’t be written, or is no object', async () => {
  state.own = [];
  const stating = statePrice('m');
  await turn();
  for (const text of ['1', '2', '', 'USD']) {
    await enter(text);
  }
  assert.equal(box().validationMessage, 'askModel.prices must be an object.');
  assert.deepEqual(state.own, []);
  state.own = undefined;
  state.failure = new Error('settings.json is read-only');
  await enter('USD');
  assert.equal(box().validationMessage, 'settings.json is read-only');
  state.failure = undefined;
  await enter('USD');
  await stating;
  assert.deepEqual(state.own, { m: { input: 1, output: 2, currency: 'USD' } });
});

test('reads only the person’s own setting, and shows its problems once until it changes', () => {
  const stated = (input: unknown) => ({ m: { input, output: 1, currency: 'USD' } });
  state.own = undefined;
  state.workspace = stated(9);
  const store = new DisposableStore();
  let changes = 0;
  const priceOf = watchOwnPrices({ store, log: { warn: () => undefined } as unknown as Log }, () => changes++);
  assert.equal(priceOf('m'), undefined);
  state.own = stated(2);
  assert.equal(priceOf('m'), undefined);
  state.didChange({ affectsConfiguration: (name: string) => name === 'askModel.prices' });
  assert.equal(priceOf('m')?.input, 2);
  assert.deepEqual(state.warnings, []);
  state.own = stated('abc');
  state.didChange({ affectsConfiguration: () => true });
  state.didChange({ affectsConfiguration: () => false });
  assert.equal(priceOf('m'), undefined);
  assert.equal(changes, 2);
  assert.deepEqual(state.warnings, [
    'Some settings of Ask Model are ignored. The prices of "m" in askModel.prices are ignored: input must be a number from 0 to 1,000,000,000.',
  ]);
  store.dispose();
});

test('names the price with its source, the cheapest connection that has the model, and the person’s own calls', async () => {
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
  const pricing = modelPricing({
    sources,
    connections: { active: connection('a'), all },
    recentCalls: async () => [call as CountedCall, { ...call, model: 'other' } as CountedCall],
    onDidChange: () => ({ dispose: () => undefined }),
    onDefect,
  });
  assert.deepEqual(pricing.lines('m'), []);
  await pricing.load();
  assert.deepEqual(asked, ['a']);
  assert.deepEqual(pricing.lines('m'), [
    'Price: $2.00 per 1M input tokens and $10.00 per 1M output tokens (model list)',
    'Cheaper with gateway c (≈ 32%)',
    'Your only call in 30 days: median cost ≈ $0.0028, first token after 1.2 s, and 0 failed',
  ]);
  assert.deepEqual(pricing.lines('unknown'), []);
});
