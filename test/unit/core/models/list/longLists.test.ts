import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBaseUrl } from '../../../../../src/core/connections/baseUrl.ts';
import type { Connection } from '../../../../../src/core/connections/connection.ts';
import { offeredModels } from '../../../../../src/core/languageModel/offeredModels.ts';
import { Catalogue } from '../../../../../src/core/models/catalogue/catalogue.ts';
import { noChoices } from '../../../../../src/core/models/catalogue/modelChoices.ts';
import { shownGroups, shownModels } from '../../../../../src/core/models/catalogue/shownGroups.ts';
import type { Model, ModelListAnswer } from '../../../../../src/core/models/list/model.ts';
import { cpuMs } from '../../base/cpuMs.ts';
import { ManualClock } from '../../base/manualClock.ts';
import { noLists } from '../catalogue/noLists.ts';

function connection(): Connection {
  const url = parseBaseUrl('https://one.example');
  assert.ok(url.ok);
  return { id: 'one', name: 'one', url: url.value, headers: {}, probes: false };
}

function listOf(name: string, count: number): ModelListAnswer {
  const models = Array.from({ length: count }, (_, index): Model => {
    const id = `${name}-${String(index).padStart(6, '0')}`;
    return { id, vendor: `Vendor ${index % 7}`, kind: 'chat', isForChat: true };
  });
  return { models, dropped: 0, items: new Map() };
}

test('shows and offers 20,000 models and finds the new ones within 250 ms of CPU time', async () => {
  let list = listOf('first', 20_000);
  const choices = { ...noChoices, favourites: ['second-000007'], manual: ['typed'] };
  const catalogue = new Catalogue({
    findDestination: async () => ({ status: 'ready', connection: connection(), key: 'k' }),
    connectionId: () => 'one',
    listModels: async () => list,
    clock: new ManualClock(),
    lists: noLists,
    fingerprint: async (text) => text,
    onFailure: (error) => assert.fail(String(error)),
    memory: { read: () => choices, write: async () => undefined },
  });
  await catalogue.load();
  let ms = Number.POSITIVE_INFINITY;
  catalogue.onDidChange(() => {
    ms = cpuMs(() => {
      assert.equal(shownGroups(catalogue).length, 9);
      assert.equal(offeredModels(catalogue).length, 20_001);
    });
  });
  const costs: number[] = [];
  for (const name of ['other', 'another', 'second']) {
    list = listOf(name, 20_000);
    await catalogue.refresh();
    costs.push(ms);
  }
  // The limit for how long a list of this length may block the extension host. The least of three, because what else
  // runs on the machine can make one of them slower.
  assert.ok(Math.min(...costs) < 250, `${costs} ms`);
  assert.equal(shownModels(catalogue).get('second-000007')?.isFavourite, true);
  assert.equal(catalogue.view.newIds.size, 20_000);
});
