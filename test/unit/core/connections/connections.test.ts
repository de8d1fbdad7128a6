import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../../src/core/base/lifetime.ts';
import { type BaseUrl, parseBaseUrl } from '../../../../src/core/connections/baseUrl.ts';
import { Connections } from '../../../../src/core/connections/connections.ts';

const name = 'askModel.key.';

/** One profile of VS Code: what all its windows share. */
class Profile {
  entries: unknown;
  readonly secrets = new Map<string, string>();
  readonly didWriteSetting = new Emitter<void>();
  readonly didWriteSecret = new Emitter<{ key: string }>();
  secretFailure: Error | undefined;
  settingFailure: Error | undefined;
  /** Everything said to anyone, to be searched for keys. */
  readonly said: string[] = [];
  readonly keysSeen: string[] = [];
  /** What the addresses begin with at which others could read a key. */
  readable = 'nothing';
  #ids = 0;

  window(): Connections {
    const failing = async () => {
      // Both stores answer later, as VS Code's do.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.secretFailure) {
        throw this.secretFailure;
      }
    };
    return new Connections({
      secrets: {
        get: async (key) => {
          await failing();
          return this.secrets.get(key);
        },
        store: async (key, value) => {
          await failing();
          this.secrets.set(key, value);
          this.didWriteSecret.fire({ key });
        },
        delete: async (key) => {
          await failing();
          this.secrets.delete(key);
          this.didWriteSecret.fire({ key });
        },
        onDidChange: this.didWriteSecret.event,
      },
      setting: {
        read: () => this.entries,
        write: async (entries) => {
          await new Promise((resolve) => setImmediate(resolve));
          if (this.settingFailure) {
            throw this.settingFailure;
          }
          this.setByHand(entries);
        },
        onDidChange: this.didWriteSetting.event,
      },
      newId: () => `id${++this.#ids}`,
      onProblems: (problems) => this.said.push(...problems),
      onUnreadableSecret: (error) => this.said.push(String(error)),
      onKey: (key) => this.keysSeen.push(key),
      unacceptedRoute: (address) => (address.startsWith(this.readable) ? { id: 'direct' } : undefined),
    });
  }

  setByHand(entries: unknown): void {
    this.entries = structuredClone(entries);
    this.didWriteSetting.fire();
  }
}

function url(text: string): BaseUrl {
  const parsed = parseBaseUrl(text);
  assert.ok(parsed.ok);
  return parsed.value;
}

function activeOf(window: Connections) {
  assert.ok(window.active);
  return window.active;
}

test('keeps a checked connection: the address in the settings, the key with its origin in the secret store', async () => {
  const profile = new Profile();
  const window = profile.window();
  assert.deepEqual(await window.findDestination(), { status: 'disconnected' });
  await window.add(url('https://a.example'), 'key-a');
  assert.deepEqual(profile.entries, [{ id: 'id1', name: 'a.example', baseUrl: 'https://a.example/v1' }]);
  assert.equal(profile.secrets.get(`${name}id1`), '{"origin":"https://a.example","key":"key-a"}');
  const destination = await window.findDestination();
  assert.ok(destination.status === 'ready');
  assert.equal(destination.key, 'key-a');
  assert.ok(!JSON.stringify(profile.entries).includes('key-a'));
  assert.deepEqual([...new Set(profile.keysSeen)], ['key-a']);
});

test('puts a further connection first, under a name of its own', async () => {
  const profile = new Profile();
  const window = profile.window();
  await window.add(url('https://a.example'), 'key-1');
  await window.add(url('https://a.example'), 'key-2');
  assert.deepEqual(
    window.all.map((each) => each.name),
    ['a.example 2', 'a.example'],
  );
  const [second, first] = window.all;
  assert.ok(first && second);
  await window.use(first);
  assert.equal(window.active?.id, first.id);
  const destination = await window.findDestination();
  assert.ok(destination.status === 'ready' && destination.key === 'key-1');
});

test('leaves nothing behind when one of the two stores fails', async () => {
  const profile = new Profile();
  const window = profile.window();
  profile.settingFailure = new Error('settings.json has unsaved changes');
  await assert.rejects(window.add(url('https://a.example'), 'key-a'), /unsaved changes/);
  assert.equal(profile.secrets.size, 0);
  assert.equal(profile.entries, undefined);
  profile.settingFailure = undefined;
  profile.secretFailure = new Error('the keyring is locked');
  await assert.rejects(window.add(url('https://a.example'), 'key-a'), /keyring is locked/);
  assert.equal(profile.entries, undefined);
  profile.secretFailure = undefined;
  await window.add(url('https://a.example'), 'key-a');
  const connection = activeOf(window);
  profile.settingFailure = new Error('settings.json can not be written');
  await assert.rejects(window.move(connection, url('https://b.example'), 'key-a'), /can not be written/);
  assert.equal(profile.secrets.get(name + connection.id), '{"origin":"https://a.example","key":"key-a"}');
});

test('sends a key nowhere else when the address is edited by hand, in another window or by a sync', async () => {
  const profile = new Profile();
  const here = profile.window();
  const there = profile.window();
  await there.add(url('https://a.example'), 'key-a');
  for (const baseUrl of [
    'https://b.example/v1',
    'http://a.example/v1',
    'https://a.example:8443/v1',
    'https://a.example.b.example/v1',
  ]) {
    profile.setByHand([{ id: 'id1', baseUrl }]);
    const destination = await here.findDestination();
    assert.equal(destination.status, 'keyElsewhere', baseUrl);
    assert.ok(destination.status === 'keyElsewhere' && destination.origin === 'https://a.example');
    assert.ok(!JSON.stringify(destination).includes('key-a'));
  }
  profile.setByHand([{ id: 'id1', baseUrl: 'https://a.example/other/v1' }]);
  assert.equal((await here.findDestination()).status, 'ready', 'another path of the same origin');
});

test('gives no key while others could read it on a route that was not accepted', async () => {
  const profile = new Profile();
  const window = profile.window();
  await window.add(url('http://10.0.0.5:8080'), 'key-a');
  assert.equal((await window.findDestination()).status, 'ready');
  profile.readable = 'http://10.0.0.5:8080/v1/';
  const destination = await window.findDestination();
  assert.equal(destination.status, 'keyInClear');
  assert.ok(!JSON.stringify(destination).includes('key-a'));
});

test('gives the key to a new origin only through the one who asked the person', async () => {
  const profile = new Profile();
  const window = profile.window();
  await window.add(url('https://a.example'), 'key-a');
  assert.equal((await window.keyGivenElsewhere(activeOf(window)))?.origin, 'https://a.example');
  await window.move(activeOf(window), url('https://b.example'), undefined);
  assert.equal((await window.findDestination()).status, 'keyElsewhere');
  const kept = await window.keyGivenElsewhere(activeOf(window));
  assert.deepEqual(kept, { origin: 'https://a.example', key: 'key-a' });
  await window.replaceKey(activeOf(window), kept?.key ?? '');
  const destination = await window.findDestination();
  assert.ok(destination.status === 'ready' && destination.connection.url.origin === 'https://b.example');
  await window.move(activeOf(window), url('https://c.example'), 'key-c');
  const moved = await window.findDestination();
  assert.ok(moved.status === 'ready' && moved.key === 'key-c');
  assert.equal(moved.connection.name, 'c.example', 'a name that is the host follows it');
  await window.change(activeOf(window), { name: 'Work' });
  await window.move(activeOf(window), url('https://d.example'), 'key-d');
  assert.equal(window.active?.name, 'Work');
});

test('agrees with another window on a key that is replaced, removed, or gone with its connection', async () => {
  const profile = new Profile();
  const here = profile.window();
  const there = profile.window();
  let news = 0;
  there.onDidChange(() => news++);
  await here.add(url('https://a.example'), 'key-a');
  assert.ok(news > 0);
  news = 0;
  await here.replaceKey(activeOf(here), 'key-b');
  assert.equal(news, 1);
  const replaced = await there.findDestination();
  assert.ok(replaced.status === 'ready' && replaced.key === 'key-b');
  await here.removeKey(activeOf(here));
  assert.equal(news, 2);
  assert.equal((await there.findDestination()).status, 'keyMissing');
  const removed: string[] = [];
  here.onDidRemove(({ id }) => removed.push(id));
  await here.remove(activeOf(here));
  assert.deepEqual(removed, ['id1']);
  assert.equal((await there.findDestination()).status, 'disconnected');
  profile.didWriteSecret.fire({ key: 'askModel.other' });
  profile.didWriteSecret.fire({ key: 'someone.else' });
  assert.equal(news, 4, 'the key and the entry; not what belongs to others');
});

test('removes a connection together with its key, or neither', async () => {
  const profile = new Profile();
  const window = profile.window();
  const removed: string[] = [];
  window.onDidRemove(({ id }) => removed.push(id));
  await window.add(url('https://a.example'), 'key-a');
  profile.secretFailure = new Error('locked');
  await assert.rejects(window.remove(activeOf(window)), /locked/);
  profile.secretFailure = undefined;
  profile.settingFailure = new Error('settings.json has unsaved changes');
  await assert.rejects(window.remove(activeOf(window)), /unsaved changes/);
  profile.settingFailure = undefined;
  assert.equal(window.all.length, 1);
  assert.equal((await window.findDestination()).status, 'ready', 'the key is still there');
  assert.deepEqual(removed, []);
  await window.remove(activeOf(window));
  assert.equal(profile.secrets.size, 0);
  assert.deepEqual(removed, ['id1']);
});

test('keeps no key for a connection that another window removed meanwhile', async () => {
  const profile = new Profile();
  const here = profile.window();
  const there = profile.window();
  const connection = await here.add(url('https://a.example'), 'key-a');
  await there.remove(connection);
  await assert.rejects(here.replaceKey(connection, 'key-b'), /was removed meanwhile/);
  assert.equal(profile.secrets.size, 0);
});

test('tells apart what changes where a call goes from what only changes its looks', async () => {
  const profile = new Profile();
  const window = profile.window();
  let [any, destination] = [0, 0];
  window.onDidChange(() => any++);
  window.onDidChangeDestination(() => destination++);
  const first = await window.add(url('https://a.example'), 'key-a');
  const second = await window.add(url('https://b.example'), 'key-b');
  assert.equal(activeOf(window).id, second.id);
  [any, destination] = [0, 0];
  await window.change(second, { name: 'Work', note: 'n', consoleUrl: 'https://b.example/console' });
  await window.replaceKey(first, 'key-c');
  await window.removeKey(first);
  assert.deepEqual([any, destination], [3, 0]);
  await window.setHeader(second, undefined, { name: 'x-team', value: 'blue' });
  assert.equal(destination, 1);
  await window.replaceKey(second, 'key-d');
  assert.equal(destination, 2);
  await window.use(first);
  assert.equal(destination, 3);
});

test('changes one header and leaves the others as a person wrote them, refused ones too', async () => {
  const profile = new Profile();
  const window = profile.window();
  const headers = { 'X-Team': 'red', 'X-Note': 'grün', 'Api-Key': 'x', 'x-last': '1' };
  profile.setByHand([{ id: 'a', baseUrl: 'https://a.example', headers }]);
  const connection = activeOf(window);
  const written = () => (profile.entries as { headers?: Record<string, string> }[])[0]?.headers;
  await window.setHeader(connection, 'x-team', { name: 'X-Team', value: 'blue' });
  assert.deepEqual(written(), { ...headers, 'X-Team': 'blue' });
  await window.setHeader(connection, 'x-team', { name: 'x-group', value: 'blue' });
  assert.deepEqual(Object.keys(written() ?? {}).sort(), ['Api-Key', 'X-Note', 'x-group', 'x-last']);
  for (const name of ['x-group', 'X-NOTE', 'api-key', 'x-last']) {
    await window.setHeader(connection, name);
  }
  assert.equal(written(), undefined);
});

test('says that the secret store can not be read, and does not take that for a missing key', async () => {
  const profile = new Profile();
  const window = profile.window();
  await window.add(url('https://a.example'), 'key-a');
  profile.secretFailure = new Error('The OS keyring is not available');
  const destination = await window.findDestination();
  assert.ok(destination.status === 'keyUnreadable');
  assert.match(destination.reason, /OS keyring/);
  assert.equal(profile.said.length, 1);
});

test('changes one thing of an entry and keeps all else a person wrote, bad entries too', async () => {
  const profile = new Profile();
  profile.setByHand([
    { id: 'a', baseUrl: 'https://a.example', note: 'mine', 'x-later': { kept: true } },
    'not an entry',
    { id: 'b', baseUrl: 'ftp://b.example' },
  ]);
  const window = profile.window();
  const connection = activeOf(window);
  await Promise.all([
    window.change(connection, { name: 'Work' }),
    window.setHeader(connection, undefined, { name: 'X-Team', value: 'blue' }),
    window.change(connection, { note: undefined }),
  ]);
  assert.deepEqual(profile.entries, [
    {
      id: 'a',
      baseUrl: 'https://a.example',
      'x-later': { kept: true },
      name: 'Work',
      headers: { 'X-Team': 'blue' },
    },
    'not an entry',
    { id: 'b', baseUrl: 'ftp://b.example' },
  ]);
});

test('names bad entries once, and again when they are others', async () => {
  const profile = new Profile();
  const window = profile.window();
  profile.setByHand([{ id: 'b', baseUrl: 'ftp://b.example' }]);
  assert.equal(window.active, undefined);
  assert.equal(window.active, undefined);
  assert.equal(profile.said.length, 1);
  profile.setByHand([{ id: 'b', baseUrl: 'ftp://b.example' }]);
  assert.equal(window.active, undefined);
  assert.equal(profile.said.length, 1, 'the same again is no news');
  profile.setByHand([5]);
  assert.equal(window.active, undefined);
  assert.equal(profile.said.length, 2);
});

test('refuses an id that is the name of a property every object has, and keeps the other entries', async () => {
  const profile = new Profile();
  const window = profile.window();
  profile.setByHand([
    { id: 'constructor', baseUrl: 'https://a.example' },
    { id: '__proto__', baseUrl: 'https://b.example' },
    { id: 'c', baseUrl: 'https://c.example' },
  ]);
  assert.deepEqual(
    window.all.map(({ id }) => id),
    ['c'],
  );
  assert.equal(profile.said.length, 2);
  await window.change(activeOf(window), { note: 'n' });
  assert.deepEqual(profile.entries, [
    { id: 'constructor', baseUrl: 'https://a.example' },
    { id: '__proto__', baseUrl: 'https://b.example' },
    { id: 'c', baseUrl: 'https://c.example', note: 'n' },
  ]);
});

test('is silent after its end', async () => {
  const profile = new Profile();
  const window = profile.window();
  let news = 0;
  window.onDidChange(() => news++);
  window.dispose();
  profile.setByHand([]);
  profile.didWriteSecret.fire({ key: `${name}a` });
  assert.equal(news, 0);
});
