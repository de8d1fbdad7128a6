import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { conversationFiles } from '../../../../src/node/files/conversationFiles.ts';
import { makeTemporary } from '../../../vscode/temporary.ts';

const newFolder = () => join(makeTemporary('files'), 'storage', 'conversations');

const isPosix = process.platform !== 'win32';

test('appends in call order, even when calls are not awaited', async () => {
  const folder = newFolder();
  const store = conversationFiles(folder);
  const lines = Array.from({ length: 200 }, (_, index) => `${index} ${'x'.repeat(index * 7)}\n`);
  await Promise.all(lines.flatMap((line) => [store.append('a', line), store.append('b', line)]));
  assert.equal(await store.read('a'), lines.join(''));
  assert.equal(await readFile(join(folder, 'b.jsonl'), 'utf8'), lines.join(''));
});

test('makes a conversation readable by its owner only', { skip: !isPosix }, async () => {
  const folder = newFolder();
  await conversationFiles(folder).append('a', 'x\n');
  assert.equal((await stat(join(folder, 'a.jsonl'))).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
});

test('refuses ids that could name another file', async () => {
  const folder = newFolder();
  const store = conversationFiles(folder);
  for (const id of [
    '',
    '.',
    '..',
    '../x',
    'a/b',
    'a\\b',
    'a.b',
    'a b',
    'ä',
    '\0',
    'a\n',
    'x'.repeat(65),
    '/etc/passwd',
    'C:',
  ]) {
    await assert.rejects(store.append(id, 'x\n'), /Not the id/, JSON.stringify(id));
    await assert.rejects(store.read(id), /Not the id/, JSON.stringify(id));
  }
  await assert.rejects(stat(folder), /ENOENT/);
});

test('finds nothing for a conversation that does not exist', async () => {
  const store = conversationFiles(newFolder());
  assert.equal(await store.read('a'), undefined);
  assert.deepEqual(await store.list(), []);
  await store.remove('a');
  await assert.rejects(store.restore('a'), /ENOENT/);
});

test('lists the newest first, with the time and size of each file', async () => {
  const folder = newFolder();
  const store = conversationFiles(folder);
  for (const [index, id] of ['old', 'new', 'middle'].entries()) {
    await store.append(id, `${id}\n${'é'.repeat(50_000)}`);
    const changed = [100, 300, 200][index] ?? 0;
    await utimes(join(folder, `${id}.jsonl`), changed, changed);
  }
  assert.deepEqual(await store.list(), [
    { id: 'new', changedAt: 300_000, size: 100_004 },
    { id: 'middle', changedAt: 200_000, size: 100_007 },
    { id: 'old', changedAt: 100_000, size: 100_004 },
  ]);
  await store.setChangedAt('old', 400_500);
  assert.deepEqual((await store.list()).map(({ id, changedAt }) => [id, changedAt])[0], ['old', 400_500]);
});

test('lists only conversations, whatever else is in the folder', async () => {
  const folder = newFolder();
  const store = conversationFiles(folder);
  await store.append('a', 'x\n');
  await mkdir(join(folder, 'folder.jsonl'));
  for (const name of ['a b.jsonl', '.jsonl', 'a.jsonl.bak', 'notes.txt', 'a.JSONL']) {
    await writeFile(join(folder, name), 'x');
  }
  assert.deepEqual(
    (await store.list()).map(({ id }) => id),
    ['a'],
  );
});

test('deletes a conversation and restores it unchanged', async () => {
  const folder = newFolder();
  const store = conversationFiles(folder);
  await store.append('a', 'one\n');
  await store.setChangedAt('a', 5_000);
  await Promise.all([store.append('a', 'two\n'), store.remove('a')]);
  assert.equal(await store.read('a'), undefined);
  assert.deepEqual(await store.list(), []);
  await assert.rejects(
    store.append('a', 'late\n'),
    /deleted in another window/,
    'a later append does not create it again',
  );
  await assert.rejects(
    conversationFiles(folder).append('a', 'late\n'),
    /deleted in another window/,
    'nor in another window',
  );
  await store.restore('a');
  assert.equal(await store.read('a'), 'one\ntwo\n');
  await store.append('a', 'three\n');
  assert.equal(await store.read('a'), 'one\ntwo\nthree\n');
});

test('permanently removes what closed windows deleted, and what was deleted more than 30 days ago', async () => {
  const folder = newFolder();
  const store = conversationFiles(folder);
  await store.clearDeleted(Date.now());
  for (const id of ['ab', 'a-b', 'c']) {
    await store.append(id, 'x\n');
    await store.remove(id);
  }
  const bin = join(folder, 'deleted');
  await rename(join(bin, `ab.${process.pid}.jsonl`), join(bin, `ab.${process.ppid}.jsonl`));
  await rename(join(bin, `a-b.${process.pid}.jsonl`), join(bin, 'a-b.2147483000.jsonl'));
  await writeFile(join(bin, 'notes.txt'), 'not ours');
  await conversationFiles(folder).clearDeleted(Date.now());
  assert.deepEqual((await readdir(bin)).sort(), [`ab.${process.ppid}.jsonl`, 'notes.txt']);
  await store.clearDeleted(Date.now() + 31 * 24 * 60 * 60 * 1_000);
  assert.deepEqual(await readdir(bin), ['notes.txt']);
});

test('sets the time of an imported conversation also where no file system can store it', async () => {
  const store = conversationFiles(newFolder());
  for (const [id, time] of Object.entries({ a: 8_640_000_000_000_000, b: 1e308 })) {
    await store.append(id, 'x\n');
    await store.setChangedAt(id, time);
  }
  assert.deepEqual(
    (await store.list()).map(({ changedAt }) => new Date(changedAt).getUTCFullYear()),
    [2038, 2038],
  );
});

test('keeps pictures beside their conversation, readable by their owner only, until it can’t be restored', async () => {
  const folder = newFolder();
  const store = conversationFiles(folder);
  const picture = { name: '3d6f0c1e-5b7a-4f0e-9c55-0a1b2c3d4e5f.png', base64: 'iVBORw0KGgo=' };
  for (const id of ['a', 'b']) {
    await store.append(id, 'x\n');
    await store.keepPicture(id, picture);
  }
  const file = store.pictureFile('a', picture.name) ?? '';
  assert.deepEqual(await readFile(file), Buffer.from(picture.base64, 'base64'));
  assert.equal((await stat(file)).mode & 0o777, isPosix ? 0o600 : (await stat(file)).mode & 0o777);
  await store.remove('a');
  await store.clearDeleted(Date.now());
  assert.equal(await store.readPicture('a', picture.name), undefined, 'this process has deleted it as an earlier one');
  assert.equal(await store.readPicture('b', picture.name), picture.base64);
  await store.remove('b');
  const elsewhere = join(folder, 'deleted', `b.${process.ppid}.jsonl`);
  await rename(join(folder, 'deleted', `b.${process.pid}.jsonl`), elsewhere);
  await store.clearDeleted(Date.now());
  assert.equal(await store.readPicture('b', picture.name), picture.base64, 'its window can restore it');
  for (const [id, name] of [
    ['..', picture.name],
    ['b', '../../b.jsonl'],
    ['b', 'con.png'],
  ] as const) {
    await assert.rejects(store.readPicture(id, name));
    await assert.rejects(store.keepPicture(id, { ...picture, name }));
  }
  assert.deepEqual(
    (await store.list()).map(({ id }) => id),
    [],
  );
});
