import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Destination } from '../../../../src/core/connections/connection.ts';
import { GatewayError } from '../../../../src/core/errors/gatewayProblem.ts';
import { ModelOffer, offeredModels } from '../../../../src/core/languageModel/offeredModels.ts';
import type { StoredList } from '../../../../src/core/models/catalogue/storedList.ts';
import type { ModelListAnswer } from '../../../../src/core/models/list/model.ts';
import { CatalogueScene, connection, settle } from '../models/catalogue/catalogueScene.ts';
import { noLists } from '../models/catalogue/noLists.ts';
import { readModelList } from '../models/list/readModelList.ts';

const never = new AbortController().signal;

function listOf(...items: (string | object)[]): ModelListAnswer {
  const data = items.map((item) => (typeof item === 'string' ? { id: item, object: 'model' } : item));
  return readModelList({ object: 'list', data }) ?? assert.fail();
}

/** A catalogue, its gateway and the offer. */
class Scene extends CatalogueScene {
  readonly defects: unknown[] = [];
  fired = 0;
  readonly offer = new ModelOffer(this.catalogue, this.clock, (error) => this.defects.push(error));

  constructor(stored?: StoredList) {
    super({ ...noLists, read: async () => stored });
    this.offer.onDidChange(() => this.fired++);
  }

  /** Asks for the models as VS Code does, and gives the pending list. */
  async open(...items: (string | object)[]): Promise<string[]> {
    const found = this.offer.find(never);
    await settle();
    await this.calls.at(-1)?.give(listOf(...items));
    return (await found).map(({ id }) => id);
  }

  async offered(): Promise<string[]> {
    return (await this.offer.find(never)).map(({ id }) => id);
  }

  /** The chat models that the side bar shows. */
  get treeIds(): string[] {
    const models = this.catalogue.view.groups.flatMap((group) => (group.kind === 'notForChat' ? [] : group.models));
    return [...new Set(models.filter(({ isGone }) => !isGone).map(({ id }) => id))].sort();
  }
}

test('waits for the first list and returns it without an event', async () => {
  const scene = new Scene();
  assert.deepEqual(await scene.open('b', 'a', 'text-embedding-3-small'), ['a', 'b']);
  assert.equal(scene.calls.length, 1);
  assert.equal(scene.fired, 0);
  assert.deepEqual(await scene.offered(), ['a', 'b']);
  assert.equal(scene.calls.length, 1);
});

test('fires one event when a refresh adds or removes a model, and none when nothing changes', async () => {
  const scene = new Scene();
  await scene.open('a', 'b', 'gpt-image-1');
  for (const [items, fired] of [
    [['a', 'b', 'new', 'gpt-image-1'], 1],
    [['a', 'new'], 2],
    [['new', 'a'], 2],
  ] as const) {
    await scene.answer('refresh', listOf(...items));
    assert.equal(scene.fired, fired);
    assert.deepEqual((await scene.offered()).sort(), scene.treeIds);
  }
  assert.deepEqual(await scene.offered(), ['a', 'new']);
});

test('lists the default model first, then favourites, and fires one event per change of those', async () => {
  const scene = new Scene();
  await scene.open('a', 'b', 'c', 'd');
  await scene.catalogue.setFavourite('c', true);
  assert.deepEqual([scene.fired, await scene.offered()], [1, ['c', 'a', 'b', 'd']]);
  await scene.catalogue.setDefaultModel('d');
  assert.deepEqual([scene.fired, await scene.offered()], [2, ['d', 'c', 'a', 'b']]);
  await scene.catalogue.used('b');
  assert.deepEqual([scene.fired, await scene.offered()], [2, ['d', 'c', 'a', 'b']]);
  await scene.catalogue.addManual('typed/by-hand');
  assert.deepEqual([scene.fired, await scene.offered()], [3, ['d', 'c', 'a', 'b', 'typed/by-hand']]);
  assert.deepEqual((await scene.offered()).sort(), scene.treeIds);
});

test('does not offer a favourite and a default model that are gone from the list', async () => {
  const scene = new Scene();
  scene.remembered.set('one', { favourites: ['gone'], recent: ['older'], manual: [], defaultModel: 'gone too' });
  assert.deepEqual(await scene.open('a'), ['a']);
  assert.deepEqual(scene.treeIds, ['a']);
});

test('offers a stored list at once, even offline', async () => {
  const scene = new Scene({ ...listOf('stored'), list: listOf('stored'), readAt: 1 });
  assert.deepEqual(await scene.offered(), ['stored']);
  await scene.call(0).fail(new GatewayError({ kind: 'unreachable', host: 'one.example', cause: 'dns' }));
  assert.equal(scene.catalogue.state.status, 'failed');
  assert.deepEqual(await scene.offered(), ['stored']);
  assert.equal(scene.fired, 0);
});

test('does not wait for a slow gateway, and fires an event when its list arrives', async () => {
  const scene = new Scene();
  const found = scene.offer.find(never, 5_000);
  await settle();
  scene.clock.pass(4_999);
  await settle();
  assert.equal(scene.fired, 0);
  scene.clock.pass(1);
  assert.deepEqual(await found, []);
  await scene.call(0).give(listOf('late'));
  assert.equal(scene.fired, 1);
  assert.deepEqual(await scene.offered(), ['late']);
});

test('stops waiting when the caller cancels', async () => {
  const scene = new Scene();
  const abort = new AbortController();
  const found = scene.offer.find(abort.signal);
  await settle();
  abort.abort();
  assert.deepEqual(await found, []);
  assert.deepEqual(await scene.offer.find(AbortSignal.abort()), []);
});

test('offers nothing without a usable connection, and fires an event for a later one', async () => {
  const scene = new Scene();
  const ready = scene.destination;
  const nowhere: Destination[] = [
    { status: 'disconnected' },
    { status: 'keyMissing', connection: connection('one') },
    { status: 'keyElsewhere', connection: connection('one'), origin: 'https://two.example' },
    { status: 'keyUnreadable', connection: connection('one'), reason: 'locked' },
  ];
  for (const destination of nowhere) {
    scene.destination = destination;
    scene.catalogue.forget();
    assert.deepEqual(await scene.offered(), []);
  }
  assert.equal(scene.calls.length, 0);
  assert.equal(scene.fired, 0);
  scene.destination = ready;
  scene.catalogue.forget();
  await scene.answer('load', listOf('a'));
  assert.equal(scene.fired, 1);
  assert.deepEqual(await scene.offered(), ['a']);
});

test('withdraws the models of the previous connection at once, and returns those of the new one', async () => {
  const scene = new Scene();
  await scene.open('same', 'former');
  scene.destination = { status: 'ready', connection: connection('two'), key: 'k2' };
  scene.catalogue.forget();
  assert.equal(scene.fired, 1);
  const found = scene.offer.find(never);
  await settle();
  await scene.call(1).give(listOf('same'));
  const models = await found;
  assert.deepEqual(
    models.map(({ id, connectionId, detail }) => [id, connectionId, detail]),
    [['same', 'two', 'The two']],
  );
});

test('offers the limits the gateway states, and assumed ones where it states none', async () => {
  const scene = new Scene();
  await scene.open(
    { id: 'openai/gpt-4o-2024-08-06', name: 'GPT 4o', context_length: 128_000, max_completion_tokens: 16_384 },
    { id: 'silent' },
    { id: 'greedy', context_length: 1_000, max_completion_tokens: 1_000 },
    { id: 'only-output', max_completion_tokens: 100_000 },
    { id: 'twin-a', display_name: 'Twin' },
    { id: 'twin-b:free', display_name: 'Twin' },
    { id: 'mistral-large-latest' },
  );
  const models = new Map(offeredModels(scene.catalogue).map((model) => [model.id, model]));
  assert.deepEqual(models.get('openai/gpt-4o-2024-08-06'), {
    id: 'openai/gpt-4o-2024-08-06',
    name: 'GPT 4o',
    family: 'gpt-4o',
    version: '2024-08-06',
    detail: 'The one',
    tooltip:
      'openai/gpt-4o-2024-08-06 at one.example. Context: 128,000 tokens. Each request is a paid call with your key.',
    maxInputTokens: 111_616,
    maxOutputTokens: 16_384,
    capabilities: { toolCalling: true, imageInput: true },
    connectionId: 'one',
  });
  assert.deepEqual(
    ['silent', 'greedy', 'only-output'].map((id) => [models.get(id)?.maxInputTokens, models.get(id)?.maxOutputTokens]),
    [
      [57_344, 8_192],
      [500, 500],
      [100_000, 100_000],
    ],
  );
  assert.match(models.get('silent')?.tooltip ?? '', /doesn't state the context size; 65,536 tokens are assumed\./);
  assert.deepEqual(
    ['twin-a', 'twin-b:free', 'mistral-large-latest'].map((id) => {
      const { name, family, version } = models.get(id) ?? assert.fail();
      return [name, family, version];
    }),
    [
      ['twin-a', 'twin-a', 'twin-a'],
      ['twin-b:free', 'twin-b', 'twin-b:free'],
      ['mistral-large-latest', 'mistral-large', 'latest'],
    ],
  );
});

test('offers unstated abilities as missing in a list that states them for other models', async () => {
  const can = async (...items: (string | object)[]) => {
    const scene = new Scene();
    await scene.open(...items);
    await scene.catalogue.addManual('by-hand');
    return Object.fromEntries(
      offeredModels(scene.catalogue).map(({ id, capabilities }) => [
        id,
        `${capabilities.toolCalling ? 'tools' : ''} ${capabilities.imageInput ? 'images' : ''}`.trim(),
      ]),
    );
  };
  assert.deepEqual(await can('claude-sonnet-4-5', 'deepseek-chat', 'o3-mini', 'qwen2.5-vl-72b'), {
    'by-hand': 'tools',
    'claude-sonnet-4-5': 'tools images',
    'deepseek-chat': 'tools',
    'o3-mini': 'tools',
    'qwen2.5-vl-72b': 'tools images',
  });
  assert.deepEqual(
    await can(
      { id: 'a', supported_parameters: ['tools'] },
      { id: 'claude-b', supported_parameters: ['temperature'], architecture: { input_modalities: ['text'] } },
      { id: 'c', architecture: { input_modalities: ['text', 'image'] } },
    ),
    { a: 'tools', 'by-hand': 'tools', 'claude-b': '', c: 'images' },
  );
});
