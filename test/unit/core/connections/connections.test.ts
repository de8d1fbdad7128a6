import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connections } from '../../../../src/core/connections/connections.ts';
import { urlOf } from './connectionTo.ts';
import { Profile } from './profile.ts';

const keyPrefix = 'askModel.key.';

function activeOf(window: Connections) {
  assert.ok(window.active);
  return window.active;
}

test('saves the address in the settings, and the key with its origin in the secret storage', async () => {
  const profile = new Profile();
  const window = profile.window();
  assert.deepEqual(await window.findDestination(), { status: 'disconnected' });
  await window.add(urlOf('https://a.example'), 'key-a');
  assert.deepEqual(profile.entries, [{ id: 'id1', name: 'a.example', baseUrl: 'https://a.example/v1' }]);
  assert.equal(profile.secrets.get(`${keyPrefix}id1`), '{"origin":"https://a.example","key":"key-a"}');
  const destination = await window.findDestination();
  assert.ok(destination.status === 'ready');
  assert.equal(destination.key, 'key-a');
  assert.ok(!JSON.stringify(profile.entries).includes('key-a'));
  assert.deepEqual([...new Set(profile.readKeys)], ['key-a']);
});

test('stores a whole chat address, and sends the key there and nowhere else (open-webui/open-webui#3676)', async () => {
  const profile = new Profile();
  await profile.window().add(urlOf('https://a.example/chat/completions'), 'key-a');
  assert.deepEqual(profile.entries, [{ id: 'id1', name: 'a.example', baseUrl: 'https://a.example/chat/completions' }]);
  const destination = await profile.window().findDestination();
  assert.ok(destination.status === 'ready' && destination.key === 'key-a');
  const { chatUrl, modelsUrl, origin } = destination.connection.url;
  assert.deepEqual([chatUrl, modelsUrl], ['https://a.example/chat/completions', 'https://a.example/models']);
  assert.equal(profile.secrets.get(`${keyPrefix}id1`), JSON.stringify({ origin, key: 'key-a' }));
});

test('adds a second connection at the front of the list, under a unique name', async () => {
  const profile = new Profile();
  const window = profile.window();
  await window.add(urlOf('https://a.example'), 'key-1');
  await window.add(urlOf('https://a.example'), 'key-2');
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

test('adds to neither store when one of them fails', async () => {
  const profile = new Profile();
  const window = profile.window();
  profile.settingFailure = new Error('settings.json has unsaved changes');
  await assert.rejects(window.add(urlOf('https://a.example'), 'key-a'), /unsaved changes/);
  assert.equal(profile.secrets.size, 0);
  assert.equal(profile.entries, undefined);
  profile.settingFailure = undefined;
  profile.secretFailure = new Error('the keyring is locked');
  await assert.rejects(window.add(urlOf('https://a.example'), 'key-a'), /keyring is locked/);
  assert.equal(profile.entries, undefined);
  profile.secretFailure = undefined;
});

test('does not send a key to another origin when the address was edited outside of this window', async () => {
  const profile = new Profile();
  const here = profile.window();
  const there = profile.window();
  await there.add(urlOf('https://a.example'), 'key-a');
  for (const baseUrl of [
    'https://b.example/v1',
    'http://a.example/v1',
    'https://a.example:8443/v1',
    'https://a.example.b.example/v1',
  ]) {
    profile.setEntries([{ id: 'id1', baseUrl }]);
    const destination = await here.findDestination();
    assert.equal(destination.status, 'keyElsewhere', baseUrl);
    assert.ok(destination.status === 'keyElsewhere' && destination.origin === 'https://a.example');
    assert.ok(!JSON.stringify(destination).includes('key-a'));
  }
  profile.setEntries([{ id: 'id1', baseUrl: 'https://a.example/other/v1' }]);
  assert.equal((await here.findDestination()).status, 'ready', 'another path of the same origin');
});

test('treats a malformed secret as a missing key', async () => {
  const profile = new Profile();
  const window = profile.window();
  await window.add(urlOf('https://a.example'), 'key-a');
  for (const stored of [
    '',
    'sk-plain',
    '{',
    'null',
    '[]',
    '{"key":"k"}',
    '{"origin":5,"key":"k"}',
    '{"__proto__":{"origin":"https://a.example","key":"k"}}',
  ]) {
    profile.secrets.set(`${keyPrefix}id1`, stored);
    assert.equal((await window.findDestination()).status, 'keyMissing', stored);
  }
  profile.secrets.delete(`${keyPrefix}id1`);
  assert.equal((await window.findDestination()).status, 'keyMissing');
});

test('returns no key while others could read it on a route that was not accepted', async () => {
  const profile = new Profile();
  const window = profile.window();
  await window.add(urlOf('http://10.0.0.5:8080'), 'key-a');
  assert.equal((await window.findDestination()).status, 'ready');
  profile.exposedPrefix = 'http://10.0.0.5:8080/v1/';
  const destination = await window.findDestination();
  assert.equal(destination.status, 'keyInClear');
  assert.ok(!JSON.stringify(destination).includes('key-a'));
});

test('uses the key for a new origin only when the caller passes it', async () => {
  const profile = new Profile();
  const window = profile.window();
  await window.add(urlOf('https://a.example'), 'key-a');
  assert.equal((await window.keyGivenElsewhere(activeOf(window)))?.origin, 'https://a.example');
  await window.move(activeOf(window), urlOf('https://b.example'));
  assert.equal((await window.findDestination()).status, 'keyElsewhere');
  const stored = await window.keyGivenElsewhere(activeOf(window));
  assert.deepEqual(stored, { origin: 'https://a.example', key: 'key-a' });
  await window.replaceKey(activeOf(window), stored?.key ?? '');
  const destination = await window.findDestination();
  assert.ok(destination.status === 'ready' && destination.connection.url.origin === 'https://b.example');
  await window.move(activeOf(window), urlOf('https://c.example'));
  assert.equal(window.active?.name, 'c.example', 'a name that equals the host changes with it');
  await window.change(activeOf(window), { name: 'Work' });
  await window.move(activeOf(window), urlOf('https://d.example'));
  assert.equal(window.active?.name, 'Work');
});

test('notifies other windows when a key is replaced or removed, or its connection is removed', async () => {
  const profile = new Profile();
  const here = profile.window();
  const there = profile.window();
  let changes = 0;
  there.onDidChange(() => changes++);
  await here.add(urlOf('https://a.example'), 'key-a');
  assert.ok(changes > 0);
  changes = 0;
  await here.replaceKey(activeOf(here), 'key-b');
  assert.equal(changes, 1);
  const replaced = await there.findDestination();
  assert.ok(replaced.status === 'ready' && replaced.key === 'key-b');
  await here.removeKey(activeOf(here));
  assert.equal(changes, 2);
  assert.equal((await there.findDestination()).status, 'keyMissing');
  const removed: string[] = [];
  here.onDidRemove(({ id }) => removed.push(id));
  await here.remove(activeOf(here));
  assert.deepEqual(removed, ['id1']);
  assert.equal((await there.findDestination()).status, 'disconnected');
  profile.didWriteSecret.fire({ key: 'askModel.other' });
  profile.didWriteSecret.fire({ key: 'someone.else' });
  assert.equal(changes, 4, 'one for the key and one for the entry, none for secrets of others');
});

test('removes a connection and its key, or neither', async () => {
  const profile = new Profile();
  const window = profile.window();
  const removed: string[] = [];
  window.onDidRemove(({ id }) => removed.push(id));
  await window.add(urlOf('https://a.example'), 'key-a');
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

test('stores no key for a connection that another window has removed', async () => {
  const profile = new Profile();
  const here = profile.window();
  const there = profile.window();
  const connection = await here.add(urlOf('https://a.example'), 'key-a');
  await there.remove(connection);
  await assert.rejects(here.replaceKey(connection, 'key-b'), /has been removed/);
  assert.equal(profile.secrets.size, 0);
});

test('fires onDidChangeKey when a key was stored or removed, in this window or another one', async () => {
  const profile = new Profile();
  const [window, other] = [profile.window(), profile.window()];
  const changed: string[] = [];
  window.onDidChangeKey((id) => changed.push(id));
  const connection = await other.add(urlOf('https://a.example'), 'key-a');
  await window.replaceKey(connection, 'key-b');
  await window.change(connection, { name: 'Work' });
  await other.move(connection, urlOf('https://b.example'));
  await other.removeKey(connection);
  assert.deepEqual(changed, [connection.id, connection.id, connection.id]);
});

test('fires onDidChangeDestination only for changes of address, key or headers', async () => {
  const profile = new Profile();
  const window = profile.window();
  let [any, destination] = [0, 0];
  window.onDidChange(() => any++);
  window.onDidChangeDestination(() => destination++);
  const first = await window.add(urlOf('https://a.example'), 'key-a');
  const second = await window.add(urlOf('https://b.example'), 'key-b');
  assert.equal(activeOf(window).id, second.id);
  [any, destination] = [0, 0];
  await window.change(second, { name: 'Work', note: 'n', consoleUrl: 'https://b.example/console' });
  await window.replaceKey(first, 'key-c');
  await window.removeKey(first);
  assert.deepEqual([any, destination], [3, 0]);
  await window.change(second, { headers: { 'x-team': 'blue' } });
  assert.equal(destination, 1);
  await window.replaceKey(second, 'key-d');
  assert.equal(destination, 2);
  await window.use(first);
  assert.equal(destination, 3);
});

test('reports a failure of the secret storage, and does not treat it as a missing key', async () => {
  const profile = new Profile();
  const window = profile.window();
  await window.add(urlOf('https://a.example'), 'key-a');
  profile.secretFailure = new Error('The OS keyring is not available');
  const destination = await window.findDestination();
  assert.ok(destination.status === 'keyUnreadable');
  assert.match(destination.reason, /OS keyring/);
  assert.equal(profile.reported.length, 1);
});

test('changes one property of an entry and keeps everything else, including invalid entries', async () => {
  const profile = new Profile();
  profile.setEntries([
    { id: 'a', baseUrl: 'https://a.example', note: 'mine', 'x-later': { deep: true } },
    'not an entry',
    { id: 'b', baseUrl: 'ftp://b.example' },
  ]);
  const window = profile.window();
  const connection = activeOf(window);
  await Promise.all([
    window.change(connection, { name: 'Work' }),
    window.change(connection, { headers: { 'X-Team': 'blue' } }),
    window.change(connection, { note: undefined }),
  ]);
  assert.deepEqual(profile.entries, [
    {
      id: 'a',
      baseUrl: 'https://a.example',
      'x-later': { deep: true },
      name: 'Work',
      headers: { 'X-Team': 'blue' },
    },
    'not an entry',
    { id: 'b', baseUrl: 'ftp://b.example' },
  ]);
});

test('reports invalid entries once, and again when they change', async () => {
  const profile = new Profile();
  const window = profile.window();
  profile.setEntries([{ id: 'b', baseUrl: 'ftp://b.example' }]);
  assert.equal(window.active, undefined);
  assert.equal(window.active, undefined);
  assert.equal(profile.reported.length, 1);
  profile.setEntries([{ id: 'b', baseUrl: 'ftp://b.example' }]);
  assert.equal(window.active, undefined);
  assert.equal(profile.reported.length, 1, 'the same problems are not reported twice');
  profile.setEntries([5]);
  assert.equal(window.active, undefined);
  assert.equal(profile.reported.length, 2);
});

test('reads the keys of all connections once, and again when another window has changed one', async () => {
  const profile = new Profile();
  const window = profile.window();
  await window.add(urlOf('https://a.example'), 'key-a');
  await window.add(urlOf('https://b.example'), 'key-b');
  profile.readKeys.length = 0;
  await window.readKeys();
  await window.readKeys();
  assert.deepEqual(profile.readKeys.toSorted(), ['key-a', 'key-b']);
  const other = profile.window();
  await other.replaceKey(activeOf(other), 'key-c');
  profile.readKeys.length = 0;
  await window.readKeys();
  assert.ok(profile.readKeys.includes('key-c'));
  profile.secretFailure = new Error('locked');
  profile.setEntries(profile.entries);
  await window.readKeys();
  assert.ok(profile.reported.includes('Error: locked'));
  profile.secretFailure = undefined;
  profile.readKeys.length = 0;
  await window.readKeys();
  assert.deepEqual(profile.readKeys.toSorted(), ['key-a', 'key-c']);
});
