import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenStore } from '../../../../../src/core/chat/store/chosenStore.ts';
import { PictureWaitsError } from '../../../../../src/core/chat/store/conversationStore.ts';
import { ManualClock } from '../../base/manualClock.ts';
import { memoryConversations } from './memoryConversations.ts';

test('stores conversations in memory for this window only', async () => {
  const clock = new ManualClock();
  const disk = memoryConversations(clock);
  const store = chosenStore(disk, clock, () => false);
  assert.equal(await store.read('a'), undefined);
  await store.append('a', 'one\n');
  clock.pass(10);
  await store.append('b', 'x\n');
  await store.append('a', 'two\n');
  await store.setChangedAt('a', 5);
  assert.deepEqual(await store.list(), [
    { id: 'b', changedAt: 1_000_010, size: 2 },
    { id: 'a', changedAt: 5, size: 8 },
  ]);
  assert.equal(await store.read('a'), 'one\ntwo\n');
  const release = await store.lock('a');
  assert.ok(release);
  assert.equal(await store.isLockedElsewhere('a'), false);
  await store.remove('a');
  assert.equal(await store.read('a'), undefined);
  await disk.append('a', 'on disk');
  assert.equal(await store.read('a'), undefined, 'it is not read from disk');
  await assert.rejects(store.append('a', 'late\n'), /deleted/);
  await store.restore('a');
  assert.equal(await store.read('a'), 'one\ntwo\n');
});

function scene() {
  const clock = new ManualClock();
  const disk = memoryConversations(clock);
  const choice = { isKeeping: true };
  const both = chosenStore(disk, clock, () => choice.isKeeping);
  return { disk, choice, both };
}

test('writes nothing of a new conversation to disk when that is turned off, and continues those on disk', async () => {
  const { disk, choice, both } = scene();
  await both.append('old', 'one\n');
  choice.isKeeping = false;
  assert.ok(await both.lock('new'));
  await Promise.all([both.append('new', '1\n'), both.append('new', '2\n'), both.append('new', '3\n')]);
  await both.append('old', 'two\n');
  assert.equal(await disk.read('new'), undefined);
  assert.equal(await both.read('new'), '1\n2\n3\n');
  assert.equal(await disk.read('old'), 'one\ntwo\n');
  assert.equal((await both.list()).length, 2);
});

test('locks conversations in memory as those on disk, so that a deletion of all data finds their calls', async () => {
  const clock = new ManualClock();
  const both = chosenStore({ ...memoryConversations(clock), lock: async () => undefined }, clock, () => false);
  await both.append('new', '1\n');
  assert.equal(await both.lock('new'), undefined);
});

test('reports for each conversation whether it is or would be on disk', async () => {
  const { choice, both } = scene();
  assert.equal(await both.isOnDisk('old'), true);
  await both.append('old', 'one\n');
  choice.isKeeping = false;
  const began = both.append('new', '1\n');
  assert.deepEqual(await Promise.all([both.isOnDisk('new'), both.isOnDisk('old')]), [false, true]);
  await began;
  choice.isKeeping = true;
  assert.deepEqual(await Promise.all([both.isOnDisk('new'), both.isOnDisk('old')]), [false, true]);
  choice.isKeeping = false;
  await both.append('later', 'x\n');
  assert.equal(await both.isOnDisk('later'), false, 'the query has not chosen a store');
});

test('keeps a conversation where it began, even when the choice changes later', async () => {
  const { disk, choice, both } = scene();
  choice.isKeeping = false;
  await both.append('a', 'one\n');
  choice.isKeeping = true;
  await both.append('a', 'two\n');
  await both.append('b', 'x\n');
  assert.equal(await both.read('a'), 'one\ntwo\n');
  assert.deepEqual(
    (await disk.list()).map(({ id }) => id),
    ['b'],
  );
  await both.setChangedAt('a', 7);
  assert.equal((await both.list()).at(-1)?.changedAt, 7);
  await both.remove('a');
  await both.remove('b');
  assert.deepEqual(await both.list(), []);
  await both.restore('a');
  await both.restore('b');
  assert.equal(await both.read('a'), 'one\ntwo\n');
  assert.equal(await disk.read('b'), 'x\n');
  assert.equal(await both.isLockedElsewhere('a'), false);
});

test('continues a conversation that another window stored on disk, in a window that stores none there', async () => {
  const { disk, choice, both } = scene();
  await disk.append('theirs', 'one\n');
  choice.isKeeping = false;
  await both.append('theirs', 'two\n');
  assert.equal(await disk.read('theirs'), 'one\ntwo\n');
  assert.equal((await both.list()).length, 1);
});

test('keeps pictures where their conversation is, and in memory until the disk takes them', async () => {
  const { disk, choice, both } = scene();
  const picture = { name: '3d6f0c1e-5b7a-4f0e-9c55-0a1b2c3d4e5f.png', base64: 'iVBORw0KGgo=' };
  await both.append('old', 'one\n');
  const { keepPicture } = disk;
  disk.keepPicture = async () => {
    throw new Error('disk full');
  };
  await assert.rejects(both.keepPicture('old', picture), /disk full/);
  assert.equal(await both.readPicture('old', picture.name), picture.base64);
  assert.equal(both.pictureFile('old', picture.name), undefined);
  await assert.rejects(both.append('old', 'two\n'), PictureWaitsError);
  assert.equal(await disk.read('old'), 'one\ntwo\n');
  disk.keepPicture = keepPicture;
  await both.append('old', '');
  assert.equal(await disk.readPicture('old', picture.name), picture.base64);
  assert.ok(both.pictureFile('old', picture.name));
  choice.isKeeping = false;
  const secret = { ...picture, name: picture.name.replace('3', '4') };
  await both.append('new', 'one\n');
  await both.keepPicture('new', secret);
  assert.equal(await both.readPicture('new', secret.name), secret.base64);
  assert.equal(await disk.readPicture('new', secret.name), undefined);
});
