import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBaseUrl } from '../../../../src/core/gateway/baseUrl.ts';
import type { Connection, Destination } from '../../../../src/core/gateway/connection.ts';
import { GatewayError } from '../../../../src/core/gateway/gatewayProblem.ts';
import { Catalogue } from '../../../../src/core/models/catalogue.ts';
import type { ModelList } from '../../../../src/core/models/model.ts';
import { ManualClock } from '../manualClock.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function connection(id: string): Connection {
  const url = parseBaseUrl(`https://${id}.example`);
  assert.ok(url.ok);
  return { id, name: id, url: url.value, headers: {}, probes: false };
}

const listOf = (...ids: string[]): ModelList => ({
  models: ids.map((id) => ({ id, vendor: 'Other', isForChat: true })),
  dropped: 0,
});

/** A gateway whose lists come when the test says so. */
class Scene {
  readonly clock = new ManualClock();
  readonly states: string[] = [];
  remembered: string | undefined;
  readonly calls: {
    id: string;
    key: string;
    signal: AbortSignal;
    give(list: ModelList): Promise<void>;
    fail(error: unknown): Promise<void>;
  }[] = [];
  destination: Destination = { status: 'ready', connection: connection('one'), key: 'k1' };
  findDestination: () => Promise<Destination> = async () => this.destination;
  readonly catalogue = new Catalogue({
    findDestination: () => this.findDestination(),
    listModels: (destination, signal) =>
      new Promise((resolve, reject) =>
        this.calls.push({
          id: destination.connection.id,
          key: destination.key,
          signal,
          give: (list) => {
            resolve(list);
            return settle();
          },
          fail: (error) => {
            reject(error);
            return settle();
          },
        }),
      ),
    clock: this.clock,
    memory: {
      get: () => this.remembered,
      set: async (model) => {
        this.remembered = model;
      },
    },
  });

  constructor() {
    this.catalogue.onDidChange(() => this.states.push(this.catalogue.state.status));
  }

  get ids() {
    return this.catalogue.state.list?.models.map(({ id }) => id);
  }

  call(index = -1) {
    const call = this.calls.at(index);
    assert.ok(call);
    return call;
  }
}

test('reads the list once, and tells each step', async () => {
  const scene = new Scene();
  assert.equal(scene.catalogue.state.status, 'unread');
  const loading = scene.catalogue.load();
  await settle();
  await scene.call().give(listOf('a'));
  await loading;
  await scene.catalogue.load();
  assert.deepEqual(
    [scene.calls.length, scene.ids, scene.states, scene.catalogue.state.readAt],
    [1, ['a'], ['loading', 'ready'], 1_000_000],
  );
});

test('shares one request among all who ask at the same time', async () => {
  const scene = new Scene();
  const all = Promise.all([
    scene.catalogue.load(),
    scene.catalogue.load(),
    scene.catalogue.refresh(),
    scene.catalogue.refresh(),
  ]);
  await settle();
  await scene.call().give(listOf('a'));
  await all;
  assert.equal(scene.calls.length, 1);
});

test('keeps the list when a refresh fails, and says why', async () => {
  const scene = new Scene();
  void scene.catalogue.load();
  await settle();
  await scene.call().give(listOf('a'));
  scene.clock.pass(5_000);
  const refreshing = scene.catalogue.refresh();
  await settle();
  assert.deepEqual([scene.catalogue.state.status, scene.ids], ['loading', ['a']]);
  await scene.call().fail(new GatewayError({ kind: 'gatewayDown', status: 502 }));
  await refreshing;
  const { status, problem, readAt } = scene.catalogue.state;
  assert.deepEqual(
    [status, scene.ids, problem, readAt],
    ['failed', ['a'], { kind: 'gatewayDown', status: 502 }, 1_000_000],
  );
  const again = scene.catalogue.refresh();
  await settle();
  await scene.call().give(listOf('b'));
  await again;
  assert.deepEqual(
    [scene.catalogue.state.status, scene.ids, scene.catalogue.state.problem],
    ['ready', ['b'], undefined],
  );
});

test('tells a mistake of ours as a state too, and throws it for the log', async () => {
  const scene = new Scene();
  const refreshing = scene.catalogue.refresh();
  await settle();
  void scene.call().fail(new Error('bug'));
  await assert.rejects(refreshing, /bug/);
  assert.deepEqual([scene.catalogue.state.status, scene.catalogue.state.problem], ['failed', { kind: 'defect' }]);
});

test('tells a secret store that fails, and tries again when the list is wanted', async () => {
  const scene = new Scene();
  const { destination } = scene;
  scene.destination = { status: 'keyUnreadable', connection: connection('one'), reason: 'locked' };
  await scene.catalogue.load();
  assert.deepEqual(
    [scene.catalogue.state.status, scene.catalogue.state.problem],
    ['failed', { kind: 'secretStore', words: 'locked' }],
  );
  scene.destination = destination;
  void scene.catalogue.load();
  await settle();
  await scene.call().give(listOf('a'));
  assert.equal(scene.catalogue.state.status, 'ready');
});

test('says that there is no connection, no key, or a key for another origin, and asks nobody', async () => {
  const one = connection('one');
  for (const destination of [
    { status: 'disconnected' },
    { status: 'keyMissing', connection: one },
    { status: 'keyElsewhere', connection: one, origin: 'https://o.example' },
  ] as const) {
    const scene = new Scene();
    scene.destination = destination;
    await scene.catalogue.load();
    assert.deepEqual([scene.catalogue.state.status, scene.calls.length, scene.ids], [destination.status, 0, undefined]);
  }
});

test('never mixes two connections: what is under way when one is chosen no longer counts', async () => {
  const scene = new Scene();
  const old = scene.catalogue.load();
  await settle();
  scene.destination = { status: 'ready', connection: connection('two'), key: 'k2' };
  scene.catalogue.forget();
  assert.equal(scene.call(0).signal.aborted, true);
  const fresh = scene.catalogue.load();
  await settle();
  await scene.call(1).give(listOf('new'));
  await scene.call(0).give(listOf('old'));
  await Promise.all([old, fresh]);
  assert.deepEqual([scene.ids, scene.catalogue.state.connection?.id, scene.call(1).key], [['new'], 'two', 'k2']);
});

test('is not held up by an old request that hangs or fails', async () => {
  for (const late of [() => undefined, (call: { fail(error: unknown): unknown }) => call.fail(new Error('aborted'))]) {
    const scene = new Scene();
    void scene.catalogue.load();
    await settle();
    scene.catalogue.forget();
    scene.catalogue.forget();
    const fresh = scene.catalogue.load();
    await settle();
    late(scene.call(0));
    await scene.call().give(listOf('b'));
    await fresh;
    assert.deepEqual([scene.catalogue.state.status, scene.ids], ['ready', ['b']]);
  }
});

test('ignores a destination that was found for the connection before', async () => {
  const scene = new Scene();
  let open = (_: Destination): unknown => undefined;
  scene.findDestination = () => new Promise((resolve) => (open = resolve));
  void scene.catalogue.load();
  const openOld = open;
  scene.catalogue.forget();
  scene.findDestination = async () => ({ status: 'keyMissing', connection: connection('two') });
  await scene.catalogue.load();
  openOld({ status: 'ready', connection: connection('one'), key: 'k1' });
  await settle();
  assert.deepEqual([scene.catalogue.state.status, scene.calls.length], ['keyMissing', 0]);
});

test('shows no list of one connection under the name of another', async () => {
  const scene = new Scene();
  void scene.catalogue.load();
  await settle();
  await scene.call().give(listOf('a'));
  scene.destination = { status: 'ready', connection: connection('two'), key: 'k2' };
  void scene.catalogue.refresh();
  await settle();
  assert.deepEqual(
    [scene.catalogue.state.status, scene.catalogue.state.connection?.id, scene.ids],
    ['loading', 'two', undefined],
  );
});

test('holds no key in its state', async () => {
  const scene = new Scene();
  void scene.catalogue.load();
  await settle();
  await scene.call().give(listOf('a'));
  assert.doesNotMatch(JSON.stringify(scene.catalogue.state), /k1/);
});

test('knows the default model before any list was read, and says when it becomes another one', async () => {
  const scene = new Scene();
  assert.equal(scene.catalogue.defaultModel, undefined);
  await scene.catalogue.setDefaultModel('a');
  assert.equal(scene.catalogue.defaultModel, 'a');
  assert.equal(scene.remembered, 'a');
  assert.deepEqual(scene.states, ['unread']);
  assert.equal(scene.calls.length, 0);
});

test('ends what is under way when it is disposed', async () => {
  const scene = new Scene();
  void scene.catalogue.load();
  await settle();
  scene.catalogue.dispose();
  assert.equal(scene.call().signal.aborted, true);
  await scene.call().give(listOf('late'));
  assert.equal(scene.ids, undefined);
});
