import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ModelFilter } from '../../../../src/core/models/catalogue/modelFilter.ts';
import { catalogueView } from '../../../../src/core/models/catalogue/shownGroups.ts';
import type { Model } from '../../../../src/core/models/list/model.ts';
import type { KnownPrices } from '../../../../src/core/usage/prices/prices.ts';
import { CatalogueScene } from '../../core/models/catalogue/catalogueScene.ts';
import { FakePick } from '../fakePick.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const errors: string[] = [];
Object.assign(globalThis, { errorsByPickModel: errors });
// The part of VS Code's API that shows quick picks and errors.
const vscode = `data:text/javascript,
  export const QuickPickItemKind = { Separator: -1 };
  export class ThemeIcon {}
  export const window = {
    createQuickPick: () => new FakePick(),
    showErrorMessage: async (words) => void globalThis.errorsByPickModel.push(words),
  };`;
fakeVSCode(import.meta, vscode);
const { filterOf, pickModel, pickModels, pickRows } = await import('../../../../src/editor/models/pickModel.ts');

const noPricing = {
  load: async () => undefined,
  priceOf: () => undefined,
  cheaperElsewhere: () => undefined,
  lines: () => [],
  onDidChange: () => ({ dispose: () => undefined }),
};

/** A catalogue whose model list arrives when the test says so. */
function laterList() {
  const scene = new CatalogueScene();
  const models = ['gpt-5', 'qwen-3'].map((id) => ({ id, vendor: 'V', kind: 'chat', isForChat: true }) as const);
  const embedding = { id: 'embed-1', vendor: 'V', kind: 'embedding', isForChat: false } as const;
  const arrive = async () => {
    await turn();
    await scene.call().give({ models: [...models, embedding], dropped: 0, items: [] });
  };
  return { catalogue: scene.catalogue, arrive };
}

test('has a model active as soon as the list is there, and not the row for any model ID', async () => {
  for (const [typed, first] of [
    ['', 'gpt-5'],
    ['qw', 'qwen-3'],
  ] as const) {
    const { catalogue, arrive } = laterList();
    const picking = pickModel(catalogue, noPricing);
    const pick = FakePick.front;
    assert.ok(pick);
    pick.type(typed);
    // VS Code makes the first row active by itself, and says so late.
    pick.activeItems = pick.items.filter((item) => 'action' in item).slice(0, 1);
    await arrive();
    await turn();
    pick.selectedItems = pick.activeItems;
    pick.accept();
    pick.hide();
    assert.equal(await picking, first);
  }
});

test('offers only models for chat to compare, apart from one that was compared before', async () => {
  for (const [chosen, expected] of [
    [[], ['gpt-5', 'qwen-3']],
    [['embed-1'], ['embed-1', 'gpt-5', 'qwen-3']],
  ] as const) {
    const { catalogue, arrive } = laterList();
    const none = () => undefined;
    const picking = pickModels(catalogue, chosen, none, none);
    await arrive();
    await turn();
    const pick = FakePick.front;
    assert.deepEqual(
      pick?.items.flatMap((item) => ('id' in item ? item.id : []) ?? []),
      expected,
    );
    pick?.hide();
    assert.equal(await picking, undefined);
  }
});

test('shows an error when a favourite can’t be saved, and leaves the pick open', async () => {
  const scene = new CatalogueScene();
  const { catalogue } = scene;
  scene.beforeWrite = () => Promise.reject(new Error('the disk is full'));
  const picking = pickModel(catalogue, noPricing);
  await turn();
  const pick = FakePick.front;
  pick?.fire('TriggerItemButton', { item: { id: 'a' } });
  await turn();
  assert.deepEqual(errors, ["The favorite couldn't be saved: the disk is full"]);
  pick?.hide();
  assert.equal(await picking, undefined);
});

test('says in each row what the model costs, and where it is cheaper', () => {
  const model = (id: string): Model => ({ id, vendor: 'Qwen', kind: 'chat', isForChat: true });
  const view = catalogueView(
    { dropped: 0, models: [model('a'), model('b')] },
    { favourites: [], recent: [], manual: [] },
    new Set(),
  );
  const pricing = {
    priceOf: (id: string) =>
      id === 'a' ? ({ input: 0.125, output: 2, unit: 'CNY', source: 'stated' } as const) : undefined,
    cheaperElsewhere: (id: string) => (id === 'a' ? 'Cheaper with other (≈ 20%)' : undefined),
  };
  const filter = new ModelFilter(view.models.values());
  const rows = ['', 'a'].map((text) =>
    pickRows({ view }, filter, text, false, pricing).flatMap(({ id, description, detail }) =>
      id === undefined ? [] : [[id, description, detail]],
    ),
  );
  const a = ['a', 'Qwen · CN¥0.125 in, CN¥2.00 out', 'Cheaper with other (≈ 20%)'];
  assert.deepEqual(rows, [[a, ['b', 'Qwen', undefined]], [a]]);
});

test('finds models by prices that the model list does not state, and only by those in US dollars', () => {
  const view = catalogueView(
    {
      dropped: 0,
      models: ['a', 'b', 'c', 'd'].map((id): Model => ({ id, vendor: 'Qwen', kind: 'chat', isForChat: true })),
    },
    { favourites: [], recent: [], manual: [] },
    new Set(),
  );
  const prices: Record<string, KnownPrices> = {
    a: { input: 0.5, output: 1, unit: 'USD', source: 'priceList' },
    b: { input: 0.5, output: 1, unit: 'site', source: 'priceList' },
    c: { input: 0, output: 0, unit: 'site', source: 'priceList' },
  };
  const filter = filterOf({ view }, { priceOf: (id) => prices[id] });
  const found = (text: string) => filter.search(text, 9).matches.map(({ id }) => id);
  assert.deepEqual(found('@price:<1'), ['a']);
  assert.deepEqual(found('@free'), ['c']);
});

test('says that no models match a filter word, which can’t be a model ID', () => {
  const models: Model[] = [{ id: 'a', vendor: 'Qwen', kind: 'chat', isForChat: true }];
  const view = catalogueView({ dropped: 0, models }, { favourites: [], recent: [], manual: [] }, new Set());
  const filter = new ModelFilter(view.models.values());
  const labels = (text: string) => pickRows({ view }, filter, text, false, noPricing).map(({ label }) => label);
  assert.deepEqual(labels('@vision'), ['No models match']);
  assert.ok(!labels('b').includes('No models match'));
});
