import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '../../../../../src/core/base/shortTurns.ts';
import { parseBaseUrl } from '../../../../../src/core/connections/baseUrl.ts';
import type { Connection } from '../../../../../src/core/connections/connection.ts';
import { ModelOffer } from '../../../../../src/core/languageModel/modelOffer.ts';
import { Catalogue } from '../../../../../src/core/models/catalogue/catalogue.ts';
import type { ModelChoices } from '../../../../../src/core/models/catalogue/modelChoices.ts';
import { newModels } from '../../../../../src/core/models/catalogue/newModels.ts';
import { shownGroups, shownModels } from '../../../../../src/core/models/catalogue/shownGroups.ts';
import type { Model, ModelListAnswer } from '../../../../../src/core/models/list/model.ts';
import { StepClock } from '../../base/stepClock.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const never = new AbortController().signal;

function connection(id: string): Connection {
  const url = parseBaseUrl(`https://${id}.example`);
  assert.ok(url.ok);
  return { id, name: id, url: url.value, headers: {}, probes: false };
}

/** Counts how often a model was looked at. */
let looks = 0;

function listOf(name: string, count: number): ModelListAnswer {
  const models = Array.from({ length: count }, (_, index): Model => {
    const id = `${name}-${String(index).padStart(6, '0')}`;
    return {
      get id() {
        looks++;
        return id;
      },
      vendor: `Vendor ${index % 7}`,
      kind: 'chat',
      isForChat: true,
    };
  });
  return { models, dropped: 0, items: new Map() };
}

/** Two gateways with long lists, and a window that looks at one of them. */
class Scene {
  readonly clock = new StepClock();
  choices: ModelChoices | undefined;
  active = 'one';
  readonly lists: Record<string, ModelListAnswer> = {};
  answered: Promise<void> = Promise.resolve();
  readonly kept = new Map<string, ModelListAnswer>();
  readonly catalogue = new Catalogue({
    findDestination: async () => ({ status: 'ready', connection: connection(this.active), key: 'k' }),
    connectionId: () => this.active,
    listModels: async ({ connection: { id } }) => {
      await this.answered;
      return this.lists[id] ?? assert.fail(id);
    },
    advise: async () => assert.fail(),
    clock: this.clock,
    kept: {
      lists: async () => ({
        read: async (id) => {
          const list = this.kept.get(id);
          return list && { list, readAt: 0 };
        },
        item: async () => undefined,
        write: async (id, _, { list, items }) => void this.kept.set(id, { ...list, items }),
        remove: async () => undefined,
      }),
      fingerprint: async (text) => text,
      onFailure: (error) => assert.fail(String(error)),
    },
    memory: {
      read: () => this.choices,
      write: async (_, choices) => {
        this.choices = choices;
      },
    },
  });
}

test('makes what is shown of a long list in many turns before anybody is told, and nothing of it afterwards', async () => {
  const scene = new Scene();
  scene.lists.one = listOf('first', 20_000);
  await scene.catalogue.load();
  scene.lists.one = listOf('second', 20_000);
  scene.clock.pauses = 0;
  let pausesBefore = 0;
  scene.catalogue.onDidChange(() => {
    if (scene.catalogue.state.status === 'ready') {
      pausesBefore = scene.clock.pauses;
      looks = 0;
      assert.equal(shownGroups(scene.catalogue).length, 7);
      assert.equal(shownModels(scene.catalogue).size, 20_000);
      assert.equal(looks, 0, 'all had been made');
    }
  });
  await scene.catalogue.refresh();
  // Some 280 steps, of which a turn of three milliseconds takes three.
  assert.ok(pausesBefore >= 60, String(pausesBefore));
  assert.equal(scene.catalogue.view.newIds.size, 20_000);
});

test('makes a kept list in turns too', async () => {
  const scene = new Scene();
  scene.kept.set('one', listOf('kept', 20_000));
  let isCachedAt = -1;
  scene.catalogue.onDidChange(() => {
    if (scene.catalogue.state.isCached && isCachedAt < 0) {
      isCachedAt = scene.clock.pauses;
      looks = 0;
      assert.equal(shownModels(scene.catalogue).size, 20_000);
      assert.equal(looks, 0);
    }
  });
  let answer = () => {};
  scene.answered = new Promise((resolve) => {
    answer = resolve;
  });
  scene.lists.one = listOf('fresh', 10);
  const loading = scene.catalogue.load();
  for (let turn = 0; isCachedAt < 0 && turn < 1_000; turn++) {
    await settle();
  }
  assert.ok(isCachedAt >= 60, String(isCachedAt));
  answer();
  await loading;
  assert.deepEqual([scene.catalogue.state.list?.models.length, scene.catalogue.view.newIds.size], [10, 10]);
});

test('never mixes two lists, whenever between two turns the person goes to another connection', async () => {
  for (const pauseOfLeaving of [1, 2, 5, 8, 11, 13]) {
    const scene = new Scene();
    scene.lists.one = listOf('one', 3_000);
    scene.lists.two = listOf('two', 3_000);
    await scene.catalogue.load();
    scene.lists.one = listOf('one-later', 3_000);
    const seen: string[] = [];
    scene.catalogue.onDidChange(() => {
      const { connection: of, list } = scene.catalogue.state;
      const ids = [...shownModels(scene.catalogue).keys()];
      assert.equal(ids.length, list?.models.length ?? 0);
      const names = new Set([...ids, ...scene.catalogue.view.newIds].map((id) => id.replace(/-\d+$/, '')));
      seen.push(`${of?.id} ${[...names].join()}`);
    });
    let going: Promise<void> | undefined;
    scene.clock.pauses = 0;
    scene.clock.onPause = (pauses) => {
      if (pauses === pauseOfLeaving) {
        scene.active = 'two';
        scene.catalogue.forget();
        going = scene.catalogue.load();
      }
    };
    await scene.catalogue.refresh();
    await going;
    for (let turn = 0; turn < 100; turn++) {
      await settle();
    }
    const isLeft = scene.clock.pauses >= pauseOfLeaving;
    assert.ok(isLeft, `left at ${pauseOfLeaving}`);
    assert.deepEqual([seen[0], seen.at(-1)], ['one one', 'two two'], String(pauseOfLeaving));
    assert.deepEqual(
      seen.filter((each) => !['one one', 'one one-later', 'undefined ', 'two ', 'two two'].includes(each)),
      [],
    );
    assert.equal(scene.kept.get('two')?.models[0]?.id, 'two-000000');
  }
});

test('offers a long list to the rest of VS Code in turns, tells a change once, and takes models away at once', async () => {
  const scene = new Scene();
  scene.lists.one = listOf('first', 5_000);
  const offer = new ModelOffer({
    catalogue: scene.catalogue,
    clock: scene.clock,
    onDefect: (error) => assert.fail(String(error)),
  });
  let fired = 0;
  offer.onDidChange(() => fired++);
  assert.equal((await offer.find(never)).length, 5_000);
  scene.lists.one = listOf('second', 5_000);
  await scene.catalogue.refresh();
  scene.clock.pauses = 0;
  for (let turn = 0; fired === 0 && turn < 5_000; turn++) {
    await settle();
  }
  assert.equal(fired, 1);
  assert.ok(scene.clock.pauses >= 1_000, String(scene.clock.pauses));
  // The change is known; who asks now waits for nothing to be made again.
  scene.clock.pauses = 0;
  looks = 0;
  assert.equal((await offer.find(never))[0]?.id, 'second-000000');
  assert.deepEqual([fired, looks, scene.clock.pauses], [1, 0, 0]);
  await scene.catalogue.setFavourite('second-000007', true);
  scene.active = 'two';
  scene.lists.two = listOf('two', 10);
  scene.catalogue.forget();
  assert.equal(fired, 2, 'while the favourite was being put in front');
  const found = await offer.find(never);
  assert.deepEqual([found.length, found[0]?.connectionId], [10, 'two']);
  for (let turn = 0; turn < 3_000; turn++) {
    await settle();
  }
  assert.equal(fired, 2);
  offer.dispose();
});

test('finds what is new among 20,000 in steps', () => {
  const [before, after] = [listOf('a', 20_000), listOf('a', 20_010)];
  const steps = newModels(after, before, new Set(['a-000003']));
  let count = 0;
  while (!steps.next().done) {
    count++;
  }
  assert.ok(count >= 80, String(count));
  const news = atOnce(newModels(after, before, new Set(['a-000003'])));
  assert.deepEqual(
    [news.size, news.has('a-000003'), news.has('a-020009'), news.has('a-019999')],
    [11, true, true, false],
  );
});
