import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { conversationFiles } from '../../../src/node/conversationFiles.ts';

async function folderFor(context: TestContext): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'ask-model-'));
  context.after(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'storage', 'conversations');
}

const isPosix = process.platform !== 'win32';

test('appends in the order asked for, without being waited for', async (context) => {
  const folder = await folderFor(context);
  const store = conversationFiles(folder);
  const lines = Array.from({ length: 200 }, (_, index) => `${index} ${'x'.repeat(index * 7)}\n`);
  await Promise.all(lines.flatMap((line) => [store.append('a', line), store.append('b', line)]));
  assert.equal(await store.read('a'), lines.join(''));
  assert.equal(await readFile(join(folder, 'b.jsonl'), 'utf8'), lines.join(''));
});

test('lets nobody else read a conversation', { skip: !isPosix }, async (context) => {
  const folder = await folderFor(context);
  await conversationFiles(folder).append('a', 'x\n');
  assert.equal((await stat(join(folder, 'a.jsonl'))).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
});

test('repairs a line that a killed program left half written, also one that ends inside of a character', async (context) => {
  const folder = await folderFor(context);
  await mkdir(folder, { recursive: true });
  for (const [half, id] of [
    ['{"half":', 'a'],
    ['', 'b'],
    ['whole\n', 'c'],
  ] as const) {
    await writeFile(join(folder, `${id}.jsonl`), half);
    const store = conversationFiles(folder);
    await store.append(id, 'next\n');
    await store.append(id, 'after\n');
    assert.equal(await store.read(id), `${half}${half === '{"half":' ? '\n' : ''}next\nafter\n`);
  }
  await writeFile(join(folder, 'd.jsonl'), Buffer.from('é').subarray(0, 1));
  await conversationFiles(folder).append('d', 'next\n');
  assert.match((await conversationFiles(folder).read('d')) ?? '', /\nnext\n$/);
});

test('goes on after a write that failed, in a line of its own', async (context) => {
  const folder = await folderFor(context);
  const store = conversationFiles(folder);
  await store.append('a', 'one\n');
  await rm(folder, { recursive: true });
  await writeFile(folder, 'in the way');
  await assert.rejects(store.append('a', 'lost\n'));
  await rm(folder);
  await mkdir(folder);
  await writeFile(join(folder, 'a.jsonl'), 'half');
  await store.append('a', 'two\n');
  assert.equal(await store.read('a'), 'half\ntwo\n');
});

test('keeps what comes behind a failed write', async (context) => {
  const folder = await folderFor(context);
  await mkdir(join(folder, '..'), { recursive: true });
  await writeFile(folder, 'in the way');
  const store = conversationFiles(folder);
  const first = store.append('a', 'lost\n');
  const second = first.catch(() => rm(folder)).then(() => store.append('a', 'kept\n'));
  await assert.rejects(first);
  await second;
  assert.equal(await store.read('a'), 'kept\n');
});

test('refuses ids that could name another file', async (context) => {
  const folder = await folderFor(context);
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

test('knows nothing of what is not there', async (context) => {
  const store = conversationFiles(await folderFor(context));
  assert.equal(await store.read('a'), undefined);
  assert.deepEqual(await store.recent(5), []);
});

test('lists the newest first, with the start of each', async (context) => {
  const folder = await folderFor(context);
  const store = conversationFiles(folder);
  for (const [index, id] of ['old', 'new', 'middle'].entries()) {
    await store.append(id, `${id}\n${'é'.repeat(50_000)}`);
    const changed = [100, 300, 200][index] ?? 0;
    await utimes(join(folder, `${id}.jsonl`), changed, changed);
  }
  const all = await store.recent(5);
  assert.deepEqual(
    all.map(({ id, changedAt }) => [id, changedAt]),
    [
      ['new', 300_000],
      ['middle', 200_000],
      ['old', 100_000],
    ],
  );
  assert.ok(all.every(({ id, head }) => head.startsWith(`${id}\n`) && head.length < 40_000));
  assert.deepEqual(
    (await store.recent(1)).map(({ id }) => id),
    ['new'],
  );
  assert.deepEqual(await store.recent(0), []);
});

test('lists conversations only, whatever else lies there', async (context) => {
  const folder = await folderFor(context);
  const store = conversationFiles(folder);
  await store.append('a', 'x\n');
  await mkdir(join(folder, 'folder.jsonl'));
  for (const name of ['a b.jsonl', '.jsonl', 'a.jsonl.bak', 'notes.txt', 'a.JSONL'])
    await writeFile(join(folder, name), 'x');
  assert.deepEqual(
    (await store.recent(9)).map(({ id }) => id),
    ['a'],
  );
});

test('gives the right to send to one window at a time, and takes it from one that died', async (context) => {
  const folder = await folderFor(context);
  const store = conversationFiles(folder);
  const lock = join(folder, 'a.jsonl.lock');
  const release = await store.claim('a');
  assert.ok(release);
  assert.equal(await readFile(lock, 'utf8'), String(process.pid));
  assert.equal(await store.isClaimedElsewhere('a'), false, 'this window is no other one');
  release();
  await assert.rejects(stat(lock), { code: 'ENOENT' });
  // The process that started this one is alive and is not this one.
  await writeFile(lock, String(process.ppid));
  assert.equal(await store.claim('a'), undefined);
  assert.equal(await store.isClaimedElsewhere('a'), true);
  for (const left of ['2147483000', '', 'no number']) {
    await writeFile(lock, left);
    assert.equal(await store.isClaimedElsewhere('a'), false);
    const taken = await store.claim('a');
    assert.ok(taken, `a claim of ${JSON.stringify(left)} counts for nothing`);
    taken();
  }
  assert.deepEqual(await store.recent(5), [], 'a claim alone is no conversation');
});
