import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBaseUrl } from '../../../../../src/core/connections/baseUrl.ts';
import type { Connection, Destination } from '../../../../../src/core/connections/connection.ts';
import { advice } from '../../../../../src/core/errors/advice.ts';
import { GatewayError, type GatewayProblem } from '../../../../../src/core/errors/gatewayProblem.ts';
import { Catalogue } from '../../../../../src/core/models/catalogue/catalogue.ts';
import type { ModelChoices } from '../../../../../src/core/models/catalogue/modelChoices.ts';
import type { KeptAnswer, ModelLists } from '../../../../../src/core/models/catalogue/storedList.ts';
import type { ModelListAnswer } from '../../../../../src/core/models/list/model.ts';
import { ManualClock } from '../../base/manualClock.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function connection(id: string): Connection {
  const url = parseBaseUrl(`https://${id}.example`);
  assert.ok(url.ok);
  return { id, name: id, url: url.value, headers: {}, probes: false };
}

const listOf = (...ids: string[]): ModelListAnswer => ({
  models: ids.map((id) => ({ id, vendor: 'Other', kind: 'chat', isForChat: true })),
  dropped: 0,
  items: new Map(ids.map((id) => [id, JSON.stringify({ id, object: 'model' })])),
});

/** As it is kept: without the gateway's own words in the list itself. */
function keptOf(readAt: number, ...ids: string[]): KeptAnswer {
  const { items, ...list } = listOf(...ids);
  return { list, readAt, items };
}

/** A disk that can fail, be slow, and that writes down what it was asked. */
class Disk implements ModelLists {
  readonly kept = new Map<string, { fingerprint: string; kept: KeptAnswer }>();
  readonly reads: string[] = [];
  writes = 0;
  failure: Error | undefined;
  opened: Promise<void> = Promise.resolve();

  async read(id: string, fingerprint: string) {
    this.reads.push(`${id} ${fingerprint}`);
    await this.opened;
    if (this.failure) {
      throw this.failure;
    }
    const found = this.kept.get(id);
    return found?.fingerprint === fingerprint ? found.kept : undefined;
  }

  async item(id: string, fingerprint: string, model: string) {
    if (this.failure) {
      throw this.failure;
    }
    const found = this.kept.get(id);
    return found?.fingerprint === fingerprint ? found.kept.items.get(model) : undefined;
  }

  async write(id: string, fingerprint: string, kept: KeptAnswer) {
    this.writes++;
    if (this.failure) {
      throw this.failure;
    }
    this.kept.set(id, { fingerprint, kept });
  }

  async remove(id: string) {
    this.kept.delete(id);
  }
}

/** A gateway whose lists come when the test says so. */
class Scene {
  readonly clock = new ManualClock();
  readonly states: string[] = [];
  readonly remembered = new Map<string, ModelChoices>();
  /** Asked before each write. */
  beforeWrite: () => void | Promise<void> = () => undefined;
  readonly calls: {
    id: string;
    key: string;
    signal: AbortSignal;
    give(list: ModelListAnswer): Promise<void>;
    fail(error: unknown): Promise<void>;
  }[] = [];
  destination: Destination = { status: 'ready', connection: connection('one'), key: 'k1' };
  findDestination: () => Promise<Destination> = async () => this.destination;
  readonly disk: Disk | undefined;
  readonly failures: unknown[] = [];
  fingerprint = async (text: string) => `hash of ${text}`;
  readonly catalogue: Catalogue;

  constructor(disk?: Disk) {
    this.disk = disk;
    this.catalogue = new Catalogue({
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
      advise: async (problem, { url }) => advice(problem, { host: url.origin }),
      clock: this.clock,
      ...(disk && {
        kept: {
          lists: async () => disk,
          fingerprint: (text: string) => this.fingerprint(text),
          onFailure: (error: unknown) => this.failures.push(error),
        },
      }),
      connectionId: () => ('connection' in this.destination ? this.destination.connection.id : undefined),
      memory: {
        read: (id) => this.remembered.get(id),
        write: async (id, choices) => {
          await this.beforeWrite();
          this.remembered.set(id, choices);
        },
      },
    });
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

test('reads a list that could not be read again, once, when the gateway answers another call', async () => {
  const scene = new Scene();
  const chat = 'https://one.example/v1/chat/completions';
  const refused = () => new GatewayError({ kind: 'unreachable', host: 'one.example', cause: 'refused' });
  const failed = async () => {
    await settle();
    await scene.call().fail(refused());
    assert.equal(scene.catalogue.state.status, 'failed');
  };
  void scene.catalogue.load();
  await failed();
  await scene.catalogue.answered('https://other.example/v1/chat/completions');
  assert.equal(scene.calls.length, 1, 'another gateway says nothing of this one');
  void scene.catalogue.answered(chat);
  await failed();
  await scene.catalogue.answered(chat);
  assert.equal(scene.calls.length, 2, 'no call is followed by a second one');
  void scene.catalogue.refresh();
  await failed();
  void scene.catalogue.answered(chat);
  await settle();
  await scene.call().give(listOf('a'));
  assert.deepEqual([scene.catalogue.state.status, scene.catalogue.state.problem], ['ready', undefined]);
  await scene.catalogue.answered(chat);
  assert.equal(scene.calls.length, 4, 'what is well is left alone');
});

test('goes on reading a list after answered calls while its trouble may pass, no more than twice a minute', async () => {
  const chat = 'https://one.example/v1/chat/completions';
  const passing: GatewayProblem[] = [
    { kind: 'unreachable', host: 'one.example', cause: 'refused' },
    { kind: 'timedOut', timer: 'firstByte', limitMs: 1 },
    { kind: 'gatewayDown', status: 502, isPage: true },
  ];
  for (const problem of passing) {
    const scene = new Scene();
    const failed = async (read: Promise<void>, why: GatewayProblem) => {
      await settle();
      await scene.call().fail(new GatewayError(why));
      await read;
      assert.equal(scene.catalogue.state.status, 'failed');
    };
    await failed(scene.catalogue.load(), problem);
    await failed(scene.catalogue.answered(chat), problem);
    scene.clock.pass(29_999);
    await scene.catalogue.answered(chat);
    assert.equal(scene.calls.length, 2, `${problem.kind}: too early`);
    scene.clock.pass(1);
    assert.equal(scene.calls.length, 2, `${problem.kind}: nothing but an answered call has it read`);
    assert.equal(scene.clock.pending, 0);
    await failed(scene.catalogue.answered(chat), problem);
    assert.equal(scene.calls.length, 3, problem.kind);
    await scene.catalogue.answered(chat);
    assert.equal(scene.calls.length, 3, `${problem.kind}: the time begins again`);
    scene.clock.pass(30_000);
    await failed(scene.catalogue.answered(chat), { kind: 'keyRejected', status: 401 });
    scene.clock.pass(3_600_000);
    await scene.catalogue.answered(chat);
    assert.equal(scene.calls.length, 4, 'what is wrong stays wrong');
  }
});

test('tells a list that is read at last, however often that failed', async () => {
  const scene = new Scene();
  const chat = 'https://one.example/v1/chat/completions';
  void scene.catalogue.load();
  for (let attempt = 0; attempt < 3; attempt++) {
    await settle();
    await scene.call().fail(new GatewayError({ kind: 'cut' }));
    scene.clock.pass(30_000);
    void scene.catalogue.answered(chat);
  }
  await settle();
  await scene.call().give(listOf('a'));
  assert.deepEqual([scene.catalogue.state.status, scene.ids, scene.calls.length], ['ready', ['a'], 4]);
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
  assert.equal(scene.remembered.get('one')?.defaultModel, 'a');
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

const hash = (id: string, key: string) => `hash of https://${id}.example/v1\n${key}`;

/** A disk with a list of connection `one`, kept at 5,000. */
function diskWith(...ids: string[]): Disk {
  const disk = new Disk();
  disk.kept.set('one', { fingerprint: hash('one', 'k1'), kept: keptOf(5_000, ...ids) });
  return disk;
}

test('shows the kept list at once with its age, then the fresh one, and keeps that', async () => {
  const scene = new Scene(diskWith('kept'));
  const loading = scene.catalogue.load();
  await settle();
  const { status, readAt, isCached, connection: shown } = scene.catalogue.state;
  assert.deepEqual([status, scene.ids, readAt, isCached, shown?.id], ['loading', ['kept'], 5_000, true, 'one']);
  assert.equal(scene.calls.length, 1);
  await scene.call().give(listOf('fresh'));
  await loading;
  assert.deepEqual(
    [scene.catalogue.state.status, scene.ids, scene.catalogue.state.readAt, scene.catalogue.state.isCached],
    ['ready', ['fresh'], 1_000_000, undefined],
  );
  assert.deepEqual(scene.states, ['loading', 'loading', 'ready']);
  assert.deepEqual(scene.disk?.kept.get('one'), {
    fingerprint: hash('one', 'k1'),
    kept: keptOf(1_000_000, 'fresh'),
  });
  assert.deepEqual(scene.failures, []);
});

test('starts offline with the kept list, its age, and why there is no other', async () => {
  const scene = new Scene(diskWith('kept'));
  const loading = scene.catalogue.load();
  await settle();
  await scene.call().fail(new GatewayError({ kind: 'unreachable', host: 'one.example', cause: 'dns' }));
  await loading;
  const { status, readAt, isCached, problem } = scene.catalogue.state;
  assert.deepEqual(
    [status, scene.ids, readAt, isCached, problem?.kind],
    ['failed', ['kept'], 5_000, true, 'unreachable'],
  );
  const again = scene.catalogue.refresh();
  await settle();
  assert.deepEqual(
    [scene.catalogue.state.status, scene.ids, scene.catalogue.state.isCached],
    ['loading', ['kept'], true],
  );
  await scene.call().give(listOf('fresh'));
  await again;
  assert.deepEqual([scene.ids, scene.catalogue.state.isCached], [['fresh'], undefined]);
  assert.equal(scene.disk?.reads.length, 1, 'what is on show is not read again');
});

test('waits for a slow disk before it says that nothing can be shown', async () => {
  const disk = diskWith('kept');
  let open = () => undefined as unknown;
  disk.opened = new Promise((resolve) => (open = () => resolve()));
  const scene = new Scene(disk);
  const loading = scene.catalogue.load();
  await settle();
  await scene.call().fail(new GatewayError({ kind: 'gatewayDown' }));
  assert.deepEqual([scene.catalogue.state.status, scene.ids], ['loading', undefined]);
  open();
  await loading;
  assert.deepEqual(
    [scene.catalogue.state.status, scene.ids, scene.catalogue.state.isCached],
    ['failed', ['kept'], true],
  );
});

test('never lets a slow disk cover the fresh list', async () => {
  const disk = diskWith('kept');
  let open = () => undefined as unknown;
  disk.opened = new Promise((resolve) => (open = () => resolve()));
  const scene = new Scene(disk);
  const loading = scene.catalogue.load();
  await settle();
  await scene.call().give(listOf('fresh'));
  await loading;
  assert.equal(scene.catalogue.isNew('fresh'), false);
  open();
  await settle();
  assert.deepEqual([scene.catalogue.state.status, scene.ids], ['ready', ['fresh']]);
  assert.deepEqual(scene.states, ['loading', 'ready', 'ready']);
  assert.equal(scene.catalogue.isNew('fresh'), true, 'known only now');
});

test('tells what goes wrong with a kept list after the fresh one is on show', async () => {
  const disk = diskWith('kept');
  const wrong = { ...keptOf(5_000, 'kept'), list: { models: 'none' } } as unknown as KeptAnswer;
  disk.kept.set('one', { fingerprint: hash('one', 'k1'), kept: wrong });
  let open = () => undefined as unknown;
  disk.opened = new Promise((resolve) => (open = () => resolve()));
  const scene = new Scene(disk);
  const loading = scene.catalogue.load();
  await settle();
  await scene.call().give(listOf('fresh'));
  await loading;
  open();
  await settle();
  assert.deepEqual([scene.ids, scene.failures.map((each) => each instanceof TypeError)], [['fresh'], [true]]);
});

test('never shows a list that was read with another key, from the disk or from this session', async () => {
  const scene = new Scene(diskWith('kept'));
  scene.destination = { status: 'ready', connection: connection('one'), key: 'k2' };
  const loading = scene.catalogue.load();
  await settle();
  assert.deepEqual([scene.catalogue.state.status, scene.ids], ['loading', undefined]);
  await scene.call().give(listOf('of k2'));
  await loading;
  scene.destination = { status: 'ready', connection: connection('one'), key: 'k3' };
  void scene.catalogue.refresh();
  await settle();
  assert.deepEqual([scene.catalogue.state.status, scene.ids], ['loading', undefined]);
});

test('shows no list of one path of a gateway under another path with the same key', async () => {
  const scene = new Scene(diskWith('kept'));
  const url = parseBaseUrl('https://one.example/other/v1');
  assert.ok(url.ok);
  scene.destination = { status: 'ready', connection: { ...connection('one'), url: url.value }, key: 'k1' };
  void scene.catalogue.load();
  await settle();
  assert.equal(scene.ids, undefined);
});

test('drops what arrives for a key that was replaced meanwhile, and keeps nothing of it', async () => {
  const scene = new Scene(diskWith('kept'));
  void scene.catalogue.load();
  await settle();
  scene.destination = { status: 'ready', connection: connection('one'), key: 'k2' };
  scene.catalogue.forget();
  const fresh = scene.catalogue.load();
  await settle();
  await scene.call(0).give(listOf('of k1'));
  assert.deepEqual([scene.ids, scene.disk?.writes], [undefined, 0]);
  await scene.call(1).give(listOf('of k2'));
  await fresh;
  assert.deepEqual([scene.ids, scene.disk?.kept.get('one')?.fingerprint], [['of k2'], hash('one', 'k2')]);
});

test('shows no kept list of a connection that was left while the disk was read', async () => {
  const disk = diskWith('kept');
  let open = () => undefined as unknown;
  disk.opened = new Promise((resolve) => (open = () => resolve()));
  const scene = new Scene(disk);
  void scene.catalogue.load();
  await settle();
  scene.destination = { status: 'keyMissing', connection: connection('two') };
  scene.catalogue.forget();
  await scene.catalogue.load();
  open();
  await settle();
  assert.deepEqual([scene.catalogue.state.status, scene.ids], ['keyMissing', undefined]);
});

test('is not harmed by a disk that fails, and tells it', async () => {
  const disk = new Disk();
  disk.failure = new Error('disk full');
  const scene = new Scene(disk);
  const loading = scene.catalogue.load();
  await settle();
  await scene.call().give(listOf('fresh'));
  await loading;
  await settle();
  assert.deepEqual([scene.catalogue.state.status, scene.ids], ['ready', ['fresh']]);
  assert.deepEqual(scene.failures, [disk.failure, disk.failure], 'reading and writing');
});

test('reads the list without a fingerprint too, and then keeps none', async () => {
  const scene = new Scene(diskWith('kept'));
  const failure = new Error('no secret');
  scene.fingerprint = async () => {
    throw failure;
  };
  const loading = scene.catalogue.load();
  await settle();
  assert.equal(scene.ids, undefined);
  await scene.call().give(listOf('fresh'));
  await loading;
  assert.deepEqual([scene.ids, scene.disk?.reads, scene.disk?.writes, scene.failures], [['fresh'], [], 0, [failure]]);
});

test('makes no list younger than now when the clock was set back', async () => {
  const disk = new Disk();
  disk.kept.set('one', { fingerprint: hash('one', 'k1'), kept: keptOf(9_000_000, 'kept') });
  const scene = new Scene(disk);
  void scene.catalogue.load();
  await settle();
  assert.equal(scene.catalogue.state.readAt, 1_000_000);
});

test('shares one request and one look at the disk among all who ask at the same time', async () => {
  const scene = new Scene(diskWith('kept'));
  const all = Promise.all([scene.catalogue.load(), scene.catalogue.refresh(), scene.catalogue.load()]);
  await settle();
  await scene.call().give(listOf('a'));
  await all;
  await settle();
  assert.deepEqual([scene.calls.length, scene.disk?.reads.length, scene.disk?.writes], [1, 1, 1]);
});

test('shows no list of one connection when the key of another can not be read', async () => {
  const scene = new Scene();
  void scene.catalogue.load();
  await settle();
  await scene.call().give(listOf('a'));
  scene.destination = { status: 'keyUnreadable', connection: connection('two'), reason: 'locked' };
  await scene.catalogue.refresh();
  assert.deepEqual([scene.catalogue.state.status, scene.ids], ['failed', undefined]);
  assert.equal(scene.catalogue.state.connection?.id, 'two');
});

/** Loads or refreshes, and answers with these ids. */
async function read(scene: Scene, how: 'load' | 'refresh', ...ids: string[]) {
  const reading = scene.catalogue[how]();
  await settle();
  await scene.call().give(listOf(...ids));
  await reading;
  await settle();
}

const isNew = (scene: Scene, ...ids: string[]) => ids.filter((id) => scene.catalogue.isNew(id));

test('calls nothing new in the very first list', async () => {
  for (const scene of [new Scene(), new Scene(new Disk())]) {
    await read(scene, 'load', 'a', 'b');
    assert.deepEqual(isNew(scene, 'a', 'b', 'never seen'), []);
  }
});

test('calls new what the list kept by an earlier session had not, until the next refresh', async () => {
  const scene = new Scene(diskWith('a', 'b'));
  await read(scene, 'load', 'a', 'b', 'c');
  assert.deepEqual(isNew(scene, 'a', 'b', 'c'), ['c']);
  await scene.catalogue.load();
  assert.deepEqual(isNew(scene, 'a', 'b', 'c'), ['c']);
  const failing = scene.catalogue.refresh();
  await settle();
  assert.deepEqual(isNew(scene, 'c'), ['c'], 'while it is being read');
  await scene.call().fail(new GatewayError({ kind: 'gatewayDown' }));
  await failing;
  assert.deepEqual(isNew(scene, 'c'), ['c'], 'nothing was learnt');
  await read(scene, 'refresh', 'a', 'b', 'c', 'd');
  assert.deepEqual(isNew(scene, 'a', 'b', 'c', 'd'), ['d']);
  await read(scene, 'refresh', 'a', 'b', 'c', 'd');
  assert.deepEqual(isNew(scene, 'a', 'b', 'c', 'd'), []);
});

test('still calls new what was new when the person went to another connection and came back', async () => {
  const scene = new Scene(diskWith('a'));
  const home = scene.destination;
  await read(scene, 'load', 'a', 'b', 'c');
  assert.deepEqual(isNew(scene, 'a', 'b', 'c'), ['b', 'c']);
  scene.destination = { status: 'ready', connection: connection('two'), key: 'k1' };
  scene.catalogue.forget();
  assert.deepEqual(isNew(scene, 'b'), []);
  await read(scene, 'load', 'b', 'z');
  assert.deepEqual(isNew(scene, 'b', 'z'), [], 'the first list of another connection');
  scene.destination = home;
  scene.catalogue.forget();
  await read(scene, 'load', 'a', 'b', 'd');
  assert.deepEqual(isNew(scene, 'a', 'b', 'c', 'd'), ['b', 'd']);
});

test('compares with no list that was read with another key', async () => {
  const scene = new Scene(diskWith('a'));
  await read(scene, 'load', 'a', 'b');
  scene.destination = { status: 'ready', connection: connection('one'), key: 'k2' };
  scene.catalogue.forget();
  await read(scene, 'load', 'x');
  assert.deepEqual(isNew(scene, 'a', 'b', 'x'), []);
});

test('calls gone what the list has not, and nothing before there is a list', async () => {
  const scene = new Scene();
  await scene.catalogue.setFavourite('old', true);
  assert.equal(scene.catalogue.isGone('old'), false);
  await read(scene, 'load', 'a');
  assert.deepEqual(
    ['a', 'old', 'never'].map((id) => scene.catalogue.isGone(id)),
    [false, true, true],
  );
  await scene.catalogue.addManual('old');
  assert.equal(scene.catalogue.isGone('old'), false);
  await scene.catalogue.removeManual('old');
  assert.equal(scene.catalogue.isGone('old'), true);
});

test('remembers choices for each connection and tells of every change once', async () => {
  const scene = new Scene();
  const { catalogue } = scene;
  await catalogue.setFavourite('a', true);
  await catalogue.setFavourite('a', true);
  await catalogue.used('b');
  assert.deepEqual([await catalogue.addManual(' c '), await catalogue.addManual('\u0007')], [true, false]);
  await catalogue.setDefaultModel('d');
  assert.equal(scene.states.length, 4);
  assert.deepEqual(scene.remembered.get('one'), {
    favourites: ['a'],
    recent: ['b'],
    manual: ['c'],
    defaultModel: 'd',
  });
  assert.deepEqual(
    [catalogue.favourites, catalogue.recent, catalogue.manual, catalogue.isFavourite('a'), catalogue.isFavourite('b')],
    [['a'], ['b'], ['c'], true, false],
  );
  scene.destination = { status: 'ready', connection: connection('two'), key: 'k' };
  catalogue.forget();
  assert.deepEqual([catalogue.favourites, catalogue.defaultModel, catalogue.isFavourite('a')], [[], undefined, false]);
  await catalogue.setFavourite('z', true);
  assert.deepEqual([...scene.remembered.keys()], ['one', 'two']);
  scene.destination = { status: 'disconnected' };
  catalogue.forget();
  await catalogue.setFavourite('nowhere', true);
  assert.deepEqual([catalogue.favourites, scene.remembered.size], [[], 2]);
});

test('writes into what another window chose meanwhile, and sees it when it looks again', async () => {
  const scene = new Scene();
  const { catalogue } = scene;
  await catalogue.setFavourite('a', true);
  scene.remembered.set('one', {
    favourites: ['a', 'theirs'],
    recent: ['r'],
    manual: [],
    defaultModel: 'their default',
  });
  assert.deepEqual(catalogue.favourites, ['a']);
  await catalogue.used('b');
  const merged = { favourites: ['a', 'theirs'], recent: ['b', 'r'], manual: [], defaultModel: 'their default' };
  assert.deepEqual(scene.remembered.get('one'), merged);
  assert.deepEqual(
    [catalogue.favourites, catalogue.recent, catalogue.defaultModel],
    [['a', 'theirs'], ['b', 'r'], 'their default'],
  );
  scene.remembered.set('one', { ...merged, favourites: [] });
  const before = scene.states.length;
  catalogue.reread();
  catalogue.reread();
  assert.deepEqual([catalogue.favourites, scene.states.length - before], [[], 1]);
});

test('shows a choice at once, loses none of several, and takes one back that can not be written', async () => {
  const scene = new Scene();
  const { catalogue } = scene;
  let open = () => undefined as unknown;
  scene.beforeWrite = () => new Promise<void>((resolve) => (open = resolve));
  const writing = ['a', 'b', 'c'].map((id) => catalogue.setFavourite(id, true));
  assert.deepEqual(catalogue.favourites, ['a', 'b', 'c']);
  catalogue.reread();
  assert.deepEqual(catalogue.favourites, ['a', 'b', 'c'], 'also while the first is being written');
  for (let times = 0; times < 3; times++) {
    await settle();
    open();
  }
  await Promise.all(writing);
  assert.deepEqual(scene.remembered.get('one')?.favourites, ['a', 'b', 'c']);
  scene.beforeWrite = () => Promise.reject(new Error('disk full'));
  const failing = catalogue.setFavourite('d', true);
  assert.deepEqual(catalogue.favourites, ['a', 'b', 'c', 'd']);
  await assert.rejects(failing, /disk full/);
  assert.deepEqual(catalogue.favourites, ['a', 'b', 'c']);
  scene.beforeWrite = () => undefined;
  await catalogue.setFavourite('e', true);
  assert.deepEqual(scene.remembered.get('one')?.favourites, ['a', 'b', 'c', 'e']);
});

test('writes a choice for the connection it was made in, also when another one is chosen meanwhile', async () => {
  const scene = new Scene();
  let open = () => undefined as unknown;
  scene.beforeWrite = () => new Promise<void>((resolve) => (open = resolve));
  const writing = scene.catalogue.setFavourite('a', true);
  await settle();
  scene.destination = { status: 'ready', connection: connection('two'), key: 'k2' };
  scene.catalogue.forget();
  open();
  await writing;
  assert.deepEqual([scene.remembered.get('one')?.favourites, scene.remembered.has('two')], [['a'], false]);
  assert.deepEqual(scene.catalogue.favourites, []);
});

test('is not harmed by choices that were kept wrongly', () => {
  for (const kept of [null, 5, 'x', [], { favourites: { a: 1 }, recent: [7], defaultModel: [] }]) {
    const scene = new Scene();
    scene.remembered.set('one', kept as unknown as ModelChoices);
    assert.deepEqual(
      [scene.catalogue.favourites, scene.catalogue.recent, scene.catalogue.defaultModel],
      [[], [], undefined],
    );
  }
});

test('keeps the same view until something of it changes', async () => {
  const scene = new Scene();
  const first = scene.catalogue.view;
  assert.ok(scene.catalogue.view === first);
  await read(scene, 'load', 'a');
  const second = scene.catalogue.view;
  assert.ok(second !== first && scene.catalogue.view === second);
  const refreshing = scene.catalogue.refresh();
  await settle();
  assert.ok(scene.catalogue.view === second, 'a list that is being read anew');
  await scene.call().give(listOf('a', 'b'));
  await refreshing;
  assert.ok(scene.catalogue.view !== second);
  const third = scene.catalogue.view;
  await scene.catalogue.setFavourite('a', true);
  assert.ok(scene.catalogue.view !== third);
});

test('shows the gateway’s own words of a model, before the list is kept and after', async () => {
  const disk = new Disk();
  const scene = new Scene(disk);
  assert.equal(await scene.catalogue.details('a'), undefined);
  await read(scene, 'load', 'a', 'b');
  const text = '{\n  "id": "a",\n  "object": "model"\n}';
  assert.equal(await scene.catalogue.details('a'), text);
  disk.failure = new Error('no disk');
  assert.equal(await scene.catalogue.details('a'), undefined, 'the memory holds none of it');
  assert.deepEqual(scene.failures, [disk.failure]);
  await read(scene, 'refresh', 'a');
  assert.equal(await scene.catalogue.details('a'), text, 'what could not be kept');
  assert.equal(await scene.catalogue.details('b'), undefined);
  disk.failure = undefined;
  const later = new Scene(disk);
  const loading = later.catalogue.load();
  await settle();
  assert.equal(later.catalogue.state.isCached, true);
  assert.equal(await later.catalogue.details('b'), '{\n  "id": "b",\n  "object": "model"\n}', 'of a kept list');
  await later.call().fail(new GatewayError({ kind: 'gatewayDown' }));
  await loading;
  assert.equal(await later.catalogue.details('a'), text);
  later.catalogue.forget();
  assert.equal(await later.catalogue.details('a'), undefined);
  const nowhere = new Scene();
  await read(nowhere, 'load', 'a');
  assert.equal(await nowhere.catalogue.details('a'), text, 'without any disk');
});

test('tells what the gateway says about a model in sentences, of a fresh list and of a kept one', async () => {
  const disk = new Disk();
  const scene = new Scene(disk);
  const answer = { ...listOf('a', 'b'), items: new Map([['a', '{"id":"a","description":"Good at it."}']]) };
  const loading = scene.catalogue.load();
  await settle();
  await scene.call().give(answer);
  await loading;
  assert.equal(await scene.catalogue.description('a'), 'Good at it.');
  assert.equal(await scene.catalogue.description('b'), undefined);
  disk.failure = new Error('no disk');
  assert.equal(await scene.catalogue.description('a'), undefined);
  assert.deepEqual(scene.failures, [disk.failure]);
});

test('keeps no list for a connection that was left before the disk was ready', async () => {
  const disk = diskWith('kept');
  let open = () => undefined as unknown;
  disk.opened = new Promise((resolve) => (open = () => resolve()));
  const scene = new Scene(disk);
  const loading = scene.catalogue.load();
  await settle();
  await scene.call().give(listOf('fresh'));
  await loading;
  scene.catalogue.forget();
  open();
  await settle();
  assert.equal(disk.writes, 0);
});
