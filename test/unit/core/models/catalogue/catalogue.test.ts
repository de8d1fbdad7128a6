import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordOf } from '../../../../../src/core/base/loose.ts';
import type { Destination } from '../../../../../src/core/connections/connection.ts';
import { GatewayError } from '../../../../../src/core/errors/gatewayProblem.ts';
import type { ModelLists, StoredList } from '../../../../../src/core/models/catalogue/storedList.ts';
import type { ModelListAnswer } from '../../../../../src/core/models/list/model.ts';
import { CatalogueScene, connection, settle } from './catalogueScene.ts';

const listOf = (...ids: string[]): ModelListAnswer => ({
  models: ids.map((id) => ({ id, vendor: 'Other', kind: 'chat', isForChat: true })),
  dropped: 0,
  items: ids.map((id) => ({ id, object: 'model' })),
});

/** A list as it is stored, with the gateway's own items. */
function storedList(readAt: number, ...ids: string[]): Stored {
  const { items, ...list } = listOf(...ids);
  return { list, readAt, items };
}

type Stored = StoredList & Pick<ModelListAnswer, 'items'>;

/** A disk that can fail or be slow, and that records its reads and writes. */
class Disk implements ModelLists {
  readonly stored = new Map<string, { fingerprint: string; answer: Stored }>();
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
    const found = this.stored.get(id);
    return found?.fingerprint === fingerprint ? found.answer : undefined;
  }

  async item(id: string, fingerprint: string, model: string) {
    if (this.failure) {
      throw this.failure;
    }
    const found = this.stored.get(id);
    const items = found?.fingerprint === fingerprint ? found.answer.items : [];
    return items.find((item) => recordOf(item).id === model);
  }

  async write(id: string, fingerprint: string, { items, ...list }: ModelListAnswer, readAt: number) {
    this.writes++;
    if (this.failure) {
      throw this.failure;
    }
    this.stored.set(id, { fingerprint, answer: { list, readAt, items } });
  }

  async remove(id: string) {
    this.stored.delete(id);
  }
}

class Scene extends CatalogueScene {
  readonly states: string[] = [];
  readonly disk: Disk;

  constructor(disk = new Disk()) {
    super(disk);
    this.disk = disk;
    this.catalogue.onDidChange(() => this.states.push(this.state.status));
  }

  read(how: 'load' | 'refresh', ...ids: string[]): Promise<void> {
    return this.answer(how, listOf(...ids));
  }
}

const isNew = (scene: Scene, ...ids: string[]) => ids.filter((id) => scene.catalogue.view.newIds.has(id));

test('reads the list once, and fires an event for each step', async () => {
  const scene = new Scene();
  assert.equal(scene.state.status, 'unread');
  await scene.read('load', 'a');
  await scene.catalogue.load();
  assert.deepEqual(
    [scene.calls.length, scene.ids, scene.states, scene.state.readAt],
    [1, ['a'], ['loading', 'ready'], 1_000_000],
  );
  assert.deepEqual(isNew(scene, 'a', 'never listed'), [], 'nothing is new in the very first list');
});

test('shares one request among concurrent callers', async () => {
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

test('reads a list again that could not be reached when one of its models is asked', async () => {
  const scene = new Scene();
  const load = scene.catalogue.load();
  await settle();
  await scene.call().fail(new GatewayError({ kind: 'unreachable', host: 'one.example', cause: 'network' }));
  await load;
  await scene.catalogue.used('a');
  await settle();
  assert.equal(scene.calls.length, 2);
  await scene.call().fail(new GatewayError({ kind: 'keyRejected' }));
  await settle();
  await scene.catalogue.used('a');
  await settle();
  assert.equal(scene.calls.length, 2, 'a rejected key stays rejected');
});

test('keeps the list when a refresh fails, and states the problem', async () => {
  const scene = new Scene();
  await scene.read('load', 'a');
  scene.clock.pass(5_000);
  const refreshing = scene.catalogue.refresh();
  await settle();
  assert.deepEqual([scene.state.status, scene.ids], ['loading', ['a']]);
  await scene.call().fail(new GatewayError({ kind: 'gatewayDown', status: 502 }));
  await refreshing;
  const { status, problem, readAt } = scene.state;
  assert.deepEqual(
    [status, scene.ids, problem, readAt],
    ['failed', ['a'], { kind: 'gatewayDown', status: 502 }, 1_000_000],
  );
  await scene.read('refresh', 'b');
  assert.deepEqual([scene.state.status, scene.ids, scene.state.problem], ['ready', ['b'], undefined]);
});

test('shows an error in our own code as a failed state, and throws it for the log', async () => {
  const scene = new Scene();
  const refreshing = scene.catalogue.refresh();
  await settle();
  void scene.call().fail(new Error('bug'));
  await assert.rejects(refreshing, /bug/);
  assert.deepEqual([scene.state.status, scene.state.problem], ['failed', { kind: 'defect' }]);
});

test('reports a failure of the secret store, and tries again at the next load', async () => {
  const scene = new Scene();
  const { destination } = scene;
  scene.destination = { status: 'keyUnreadable', connection: connection('one'), reason: 'locked' };
  await scene.catalogue.load();
  assert.deepEqual([scene.state.status, scene.state.problem], ['failed', { kind: 'secretStore', words: 'locked' }]);
  scene.destination = destination;
  await scene.read('load', 'a');
  assert.equal(scene.state.status, 'ready');
});

test('sends no request without a connection, without a key, or with a key for another origin', async () => {
  const one = connection('one');
  for (const destination of [
    { status: 'disconnected' },
    { status: 'keyMissing', connection: one },
    { status: 'keyElsewhere', connection: one, origin: 'https://o.example' },
  ] as const) {
    const scene = new Scene();
    scene.destination = destination;
    await scene.catalogue.load();
    assert.deepEqual([scene.state.status, scene.calls.length, scene.ids], [destination.status, 0, undefined]);
  }
});

test('is not delayed by a previous request that hangs or fails', async () => {
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
    assert.deepEqual([scene.state.status, scene.ids], ['ready', ['b']]);
  }
});

test('ignores a destination that was found for the previous connection', async () => {
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
  assert.deepEqual([scene.state.status, scene.calls.length], ['keyMissing', 0]);
});

test('shows no list of one connection under the name of another, even when its key can’t be read', async () => {
  const scene = new Scene();
  await scene.read('load', 'a');
  scene.destination = { status: 'keyUnreadable', connection: connection('two'), reason: 'locked' };
  await scene.catalogue.refresh();
  assert.deepEqual([scene.state.status, scene.state.connection?.id, scene.ids], ['failed', 'two', undefined]);
  scene.destination = { status: 'ready', connection: connection('one'), key: 'k1' };
  await scene.read('refresh', 'a');
  scene.destination = { status: 'ready', connection: connection('three'), key: 'k3' };
  void scene.catalogue.refresh();
  await settle();
  assert.deepEqual([scene.state.status, scene.state.connection?.id, scene.ids], ['loading', 'three', undefined]);
});

test('aborts the pending request when it is disposed', async () => {
  const scene = new Scene();
  void scene.catalogue.load();
  await settle();
  scene.catalogue.dispose();
  assert.equal(scene.call().signal.aborted, true);
  await scene.call().give(listOf('late'));
  assert.equal(scene.ids, undefined);
});

const hash = (id: string, key: string) => `hash of https://${id}.example/v1\n${key}`;

/** A disk with a list of connection `one`, read at 5,000. */
function diskWith(...ids: string[]): Disk {
  const disk = new Disk();
  disk.stored.set('one', { fingerprint: hash('one', 'k1'), answer: storedList(5_000, ...ids) });
  return disk;
}

/** The same disk, which reads nothing until it is opened. */
function slowDisk() {
  const disk = diskWith('stored');
  const { promise, resolve: open } = Promise.withResolvers<void>();
  disk.opened = promise;
  return { disk, open };
}

test('shows the stored list at once with its age, then shows and stores the fresh one', async () => {
  const scene = new Scene(diskWith('stored'));
  const loading = scene.catalogue.load();
  await settle();
  const { status, readAt, isCached, connection: shown } = scene.state;
  assert.deepEqual([status, scene.ids, readAt, isCached, shown?.id], ['loading', ['stored'], 5_000, true, 'one']);
  assert.equal(scene.calls.length, 1);
  await scene.call().give(listOf('fresh'));
  await loading;
  assert.deepEqual(
    [scene.state.status, scene.ids, scene.state.readAt, scene.state.isCached],
    ['ready', ['fresh'], 1_000_000, undefined],
  );
  assert.deepEqual(scene.states, ['loading', 'loading', 'ready']);
  assert.deepEqual(scene.disk?.stored.get('one'), {
    fingerprint: hash('one', 'k1'),
    answer: storedList(1_000_000, 'fresh'),
  });
  assert.deepEqual(scene.failures, []);
});

test('starts offline with the stored list, its age and the problem', async () => {
  const scene = new Scene(diskWith('stored'));
  const loading = scene.catalogue.load();
  await settle();
  await scene.call().fail(new GatewayError({ kind: 'unreachable', host: 'one.example', cause: 'dns' }));
  await loading;
  const { status, readAt, isCached, problem } = scene.state;
  assert.deepEqual(
    [status, scene.ids, readAt, isCached, problem?.kind],
    ['failed', ['stored'], 5_000, true, 'unreachable'],
  );
  const again = scene.catalogue.refresh();
  await settle();
  assert.deepEqual([scene.state.status, scene.ids, scene.state.isCached], ['loading', ['stored'], true]);
  await scene.call().give(listOf('fresh'));
  await again;
  assert.deepEqual([scene.ids, scene.state.isCached], [['fresh'], undefined]);
  assert.equal(scene.disk?.reads.length, 1, 'the shown list is not read from the disk again');
});

test('waits for a slow disk before it reports that there is no list', async () => {
  const { disk, open } = slowDisk();
  const scene = new Scene(disk);
  const loading = scene.catalogue.load();
  await settle();
  await scene.call().fail(new GatewayError({ kind: 'gatewayDown' }));
  assert.deepEqual([scene.state.status, scene.ids], ['loading', undefined]);
  open();
  await loading;
  assert.deepEqual([scene.state.status, scene.ids, scene.state.isCached], ['failed', ['stored'], true]);
});

test('does not replace the fresh list with one from a slow disk', async () => {
  const { disk, open } = slowDisk();
  const scene = new Scene(disk);
  const loading = scene.catalogue.load();
  await settle();
  await scene.call().give(listOf('fresh'));
  open();
  await loading;
  await settle();
  assert.deepEqual([scene.state.status, scene.ids], ['ready', ['fresh']]);
  assert.deepEqual(scene.states, ['loading', 'loading', 'ready']);
  assert.deepEqual(isNew(scene, 'fresh'), ['fresh']);
});

test('never shows a list that was read with another key, from the disk or from this session', async () => {
  const scene = new Scene(diskWith('stored'));
  scene.destination = { status: 'ready', connection: connection('one'), key: 'k2' };
  const loading = scene.catalogue.load();
  await settle();
  assert.deepEqual([scene.state.status, scene.ids], ['loading', undefined]);
  await scene.call().give(listOf('of k2'));
  await loading;
  scene.destination = { status: 'ready', connection: connection('one'), key: 'k3' };
  void scene.catalogue.refresh();
  await settle();
  assert.deepEqual([scene.state.status, scene.ids], ['loading', undefined]);
});

test('discards a list that arrives for a replaced key or another connection, and does not store it', async () => {
  for (const id of ['one', 'two']) {
    const scene = new Scene(diskWith('stored'));
    const old = scene.catalogue.load();
    await settle();
    scene.destination = { status: 'ready', connection: connection(id), key: 'k2' };
    scene.catalogue.forget();
    assert.equal(scene.call(0).signal.aborted, true);
    const fresh = scene.catalogue.load();
    await settle();
    await scene.call(0).give(listOf('of k1'));
    assert.deepEqual([scene.ids, scene.disk.writes], [undefined, 0]);
    await scene.call(1).give(listOf('of k2'));
    await Promise.all([old, fresh]);
    assert.deepEqual([scene.ids, scene.state.connection?.id, scene.call(1).key], [['of k2'], id, 'k2']);
    assert.equal(scene.disk.stored.get(id)?.fingerprint, hash(id, 'k2'));
  }
});

test('shows no stored list of the previous connection when the connection changes during the read', async () => {
  const { disk, open } = slowDisk();
  const scene = new Scene(disk);
  void scene.catalogue.load();
  await settle();
  scene.destination = { status: 'keyMissing', connection: connection('two') };
  scene.catalogue.forget();
  await scene.catalogue.load();
  open();
  await settle();
  assert.deepEqual([scene.state.status, scene.ids], ['keyMissing', undefined]);
});

test('works without a disk that fails, and reports the failure', async () => {
  const disk = new Disk();
  disk.failure = new Error('disk full');
  const scene = new Scene(disk);
  await scene.read('load', 'fresh');
  await settle();
  assert.deepEqual([scene.state.status, scene.ids], ['ready', ['fresh']]);
  assert.deepEqual(scene.failures, [disk.failure, disk.failure], 'reading and writing');
});

test('marks models as new that the stored list lacks, until the next refresh', async () => {
  const scene = new Scene(diskWith('a', 'b'));
  await scene.read('load', 'a', 'b', 'c');
  assert.deepEqual(isNew(scene, 'a', 'b', 'c'), ['c']);
  await scene.catalogue.load();
  assert.deepEqual(isNew(scene, 'a', 'b', 'c'), ['c']);
  const failing = scene.catalogue.refresh();
  await settle();
  assert.deepEqual(isNew(scene, 'c'), ['c'], 'while the list is being read');
  await scene.call().fail(new GatewayError({ kind: 'gatewayDown' }));
  await failing;
  assert.deepEqual(isNew(scene, 'c'), ['c'], 'after a failed refresh');
  await scene.read('refresh', 'a', 'b', 'c', 'd');
  assert.deepEqual(isNew(scene, 'a', 'b', 'c', 'd'), ['d']);
  await scene.read('refresh', 'a', 'b', 'c', 'd');
  assert.deepEqual(isNew(scene, 'a', 'b', 'c', 'd'), []);
});

test('treats models missing from the list as gone, but none before there is a list', async () => {
  const scene = new Scene();
  await scene.catalogue.setFavourite('old', true);
  assert.equal(scene.catalogue.isGone('old'), false);
  await scene.read('load', 'a');
  assert.deepEqual(
    ['a', 'old', 'never'].map((id) => scene.catalogue.isGone(id)),
    [false, true, true],
  );
  await scene.catalogue.addManual('old');
  assert.equal(scene.catalogue.isGone('old'), false);
  await scene.catalogue.removeManual('old');
  assert.equal(scene.catalogue.isGone('old'), true);
});

test('removes a model added manually from the recent ones too, where nothing else could remove it', async () => {
  const scene = new Scene();
  await scene.read('load', 'a');
  await scene.catalogue.used('a');
  await scene.catalogue.addManual('Why twice?');
  await scene.catalogue.used('Why twice?');
  await scene.catalogue.removeManual('Why twice?');
  assert.deepEqual(scene.catalogue.view.choices.recent, ['a']);
  assert.equal(scene.catalogue.modelToAsk, 'a');
});

test('remembers choices per connection and fires one event per change', async () => {
  const scene = new Scene();
  const { catalogue } = scene;
  await catalogue.setFavourite('a', true);
  await catalogue.setFavourite('a', true);
  await catalogue.used('b');
  await catalogue.addManual(' c ');
  await catalogue.addManual('\u0007');
  await catalogue.setDefaultModel('d');
  assert.deepEqual([catalogue.view.choices.defaultModel, scene.calls.length], ['d', 0]);
  assert.equal(scene.states.length, 4);
  assert.deepEqual(scene.remembered.get('one'), {
    favourites: ['a'],
    recent: ['b'],
    manual: ['c'],
    defaultModel: 'd',
  });
  assert.deepEqual(
    [
      catalogue.view.choices.favourites,
      catalogue.view.choices.recent,
      catalogue.view.choices.manual,
      catalogue.isFavourite('a'),
      catalogue.isFavourite('b'),
    ],
    [['a'], ['b'], ['c'], true, false],
  );
  scene.destination = { status: 'ready', connection: connection('two'), key: 'k' };
  catalogue.forget();
  assert.deepEqual(
    [catalogue.view.choices.favourites, catalogue.view.choices.defaultModel, catalogue.isFavourite('a')],
    [[], undefined, false],
  );
  await catalogue.setFavourite('z', true);
  assert.deepEqual([...scene.remembered.keys()], ['one', 'two']);
  scene.destination = { status: 'disconnected' };
  catalogue.forget();
  await catalogue.setFavourite('nowhere', true);
  assert.deepEqual([catalogue.view.choices.favourites, scene.remembered.size], [[], 2]);
});

test('asks the default model, or else the last one used that is still listed', async () => {
  const scene = new Scene();
  const { catalogue } = scene;
  assert.equal(catalogue.modelToAsk, undefined);
  await catalogue.used('a');
  await catalogue.used('old');
  assert.equal(catalogue.modelToAsk, 'old', 'before the list is read');
  await scene.read('load', 'a');
  assert.equal(catalogue.modelToAsk, 'a');
  await catalogue.setDefaultModel('old');
  assert.equal(catalogue.modelToAsk, 'old', 'the person is told that it is gone');
});

test('merges its change into the choices of another window, and shows those after a reread', async () => {
  const scene = new Scene();
  const { catalogue } = scene;
  await catalogue.setFavourite('a', true);
  scene.remembered.set('one', {
    favourites: ['a', 'theirs'],
    recent: ['r'],
    manual: [],
    defaultModel: 'their default',
  });
  assert.deepEqual(catalogue.view.choices.favourites, ['a']);
  await catalogue.used('b');
  const merged = { favourites: ['a', 'theirs'], recent: ['b', 'r'], manual: [], defaultModel: 'their default' };
  assert.deepEqual(scene.remembered.get('one'), merged);
  assert.deepEqual(
    [catalogue.view.choices.favourites, catalogue.view.choices.recent, catalogue.view.choices.defaultModel],
    [['a', 'theirs'], ['b', 'r'], 'their default'],
  );
  scene.remembered.set('one', { ...merged, favourites: [] });
  const before = scene.states.length;
  catalogue.reread();
  catalogue.reread();
  assert.deepEqual([catalogue.view.choices.favourites, scene.states.length - before], [[], 1]);
});

test('shows a choice at once, loses none of several, and reverts one that can’t be written', async () => {
  const scene = new Scene();
  const { catalogue } = scene;
  const stored: (() => void)[] = [];
  scene.beforeWrite = () => new Promise<void>((resolve) => stored.push(resolve));
  const writing = ['a', 'b', 'c'].map((id) => catalogue.setFavourite(id, true));
  assert.deepEqual(catalogue.view.choices.favourites, ['a', 'b', 'c']);
  catalogue.reread();
  assert.deepEqual(catalogue.view.choices.favourites, ['a', 'b', 'c'], 'even while the first is being written');
  for (const end of stored) {
    end();
  }
  await Promise.all(writing);
  assert.deepEqual(scene.remembered.get('one')?.favourites, ['a', 'b', 'c']);
  scene.beforeWrite = () => Promise.reject(new Error('disk full'));
  const failing = catalogue.setFavourite('d', true);
  assert.deepEqual(catalogue.view.choices.favourites, ['a', 'b', 'c', 'd']);
  await assert.rejects(failing, /disk full/);
  assert.deepEqual(catalogue.view.choices.favourites, ['a', 'b', 'c']);
  scene.beforeWrite = () => undefined;
  await catalogue.setFavourite('e', true);
  assert.deepEqual(scene.remembered.get('one')?.favourites, ['a', 'b', 'c', 'e']);
});

test('stores a choice for the connection it was made in, even if another one is chosen before it is stored', async () => {
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
  assert.deepEqual(scene.catalogue.view.choices.favourites, []);
});

test('returns the gateway’s own item of a model of a stored list', async () => {
  const disk = new Disk();
  const scene = new Scene(disk);
  assert.equal(await scene.catalogue.details('a'), undefined);
  await scene.read('load', 'a', 'b');
  const text = '{\n  "id": "a",\n  "object": "model"\n}';
  assert.equal(await scene.catalogue.details('a'), text);
  disk.failure = new Error('no disk');
  assert.equal(await scene.catalogue.details('a'), undefined, 'items are not held in memory');
  assert.deepEqual(scene.failures, [disk.failure]);
  disk.failure = undefined;
  const later = new Scene(disk);
  const loading = later.catalogue.load();
  await settle();
  assert.equal(later.catalogue.state.isCached, true);
  assert.equal(await later.catalogue.details('b'), '{\n  "id": "b",\n  "object": "model"\n}', 'from a stored list');
  await later.call().fail(new GatewayError({ kind: 'gatewayDown' }));
  await loading;
  assert.equal(await later.catalogue.details('a'), text);
  later.catalogue.forget();
  assert.equal(await later.catalogue.details('a'), undefined);
});
