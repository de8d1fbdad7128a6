import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { StoredList } from '../../../../src/core/models/catalogue/storedList.ts';
import type { ModelListAnswer } from '../../../../src/core/models/list/model.ts';
import { modelListFiles } from '../../../../src/node/files/modelListFiles.ts';
import { systemClock } from '../../../../src/node/system/machine.ts';
import { makeTemporary } from '../../../vscode/temporary.ts';
import { gateways, readModelList } from '../../core/models/list/readModelList.ts';
import { byCases, isQuick } from '../../propertyRuns.ts';

const newFolder = () => join(makeTemporary('lists'), 'storage', 'lists');

const items = [
  { id: 'vendor/a:free', note: 'tab\tand line\nend, 💬 β', supported_endpoint_types: ['openai'] },
  { id: 'b\n`|"β\u2028', type: 'embedding', context_length: 1_000, name: 'B' },
  { id: 'vendor/a:free', supported_endpoint_types: ['anthropic'] },
  '__proto__',
  { id: 7, created: 1 },
];
const answer: ModelListAnswer = {
  ...(readModelList(items) ?? assert.fail()),
  dropped: 2,
  isPartial: true,
};
/** What `read` returns of it. */
const { items: _, ...list } = answer;
const at = 1_700_000_000_000;
const readBack = { list, readAt: at };

function many(count: number): ModelListAnswer {
  const listed = Array.from({ length: count }, (_, index) => ({
    id: `vendor-${index % 40}/model-${index}:β`,
    type: index % 3 === 0 ? 'image' : 'chat',
    context_length: 131_072,
    name: `Model ${index}`,
    description: 'Wörter. '.repeat(100),
  }));
  return readModelList(listed) ?? assert.fail();
}

const filesIn = (folder: string) => modelListFiles(folder, systemClock);

const isPosix = process.platform !== 'win32';

test('returns a list unchanged, for the same connection and key only', async () => {
  const lists = filesIn(newFolder());
  const none: ModelListAnswer = { models: [], dropped: 0, items: [] };
  assert.equal(await lists.read('one', 'f1'), undefined);
  await lists.write('one', 'f1', answer, at);
  await lists.write('two', 'f1', none, 0);
  assert.deepEqual(await lists.read('one', 'f1'), readBack);
  assert.deepEqual(await lists.read('two', 'f1'), { list: { models: [], dropped: 0 }, readAt: 0 });
  assert.equal(await lists.read('one', 'f2'), undefined);
  await lists.write('one', 'f2', answer, at);
  assert.equal(await lists.read('one', 'f1'), undefined);
  assert.deepEqual(await lists.read('one', 'f2'), readBack);
});

test('returns the item of a model as the gateway sent it, for the same connection and key only', async () => {
  const lists = filesIn(newFolder());
  assert.equal(await lists.item('one', 'f1', 'vendor/a:free'), undefined);
  await lists.write('one', 'f1', answer, at);
  for (const [id, item] of [
    ['vendor/a:free', items[0]],
    ['b\n`|"β\u2028', items[1]],
    ['__proto__', '__proto__'],
    ['7', items[4]],
  ] as const) {
    assert.deepEqual(await lists.item('one', 'f1', id), item, id);
  }
  assert.equal(await lists.item('one', 'f1', 'vendor/a'), undefined);
  assert.equal(await lists.item('one', 'f2', 'vendor/a:free'), undefined);
  assert.equal(await lists.item('two', 'f1', 'vendor/a:free'), undefined);
  const long = many(byCases(2_000, 20_000, 20_000));
  await lists.write('one', 'f1', long, at);
  const last = long.models.at(-1)?.id ?? '';
  assert.match(JSON.stringify(await lists.item('one', 'f1', last)), /Wörter/);
});

test('returns all that each known gateway reports about its models', async () => {
  const lists = filesIn(newFolder());
  for (const [who, { body }] of Object.entries(gateways)) {
    const read = readModelList(body) ?? assert.fail(who);
    await lists.write('one', 'f1', read, 1);
    const { items: _, ...models } = read;
    assert.deepEqual(await lists.read('one', 'f1'), { list: models, readAt: 1 }, who);
  }
});

test('removes a list, even while it is being written', async () => {
  const folder = newFolder();
  const lists = filesIn(folder);
  await lists.remove('one');
  const writing = lists.write('one', 'f1', many(2_000), at);
  await lists.remove('one');
  await writing;
  assert.equal(await lists.read('one', 'f1'), undefined);
  assert.deepEqual(await readdir(folder), []);
});

test('ignores a damaged, cut, foreign or newer file, and overwrites it', async () => {
  const folder = newFolder();
  const lists = filesIn(folder);
  await lists.write('one', 'f1', answer, at);
  const path = join(folder, 'models-one.jsonl');
  const good = await readFile(path, 'utf8');
  const lines = good.split('\n');
  const damaged: Record<string, string | Buffer> = {
    empty: '',
    'cut in the head': good.slice(0, 20),
    'cut in a model': good.slice(0, -10),
    'cut after a line': `${lines.slice(0, 3).join('\n')}\n`,
    'without its last line end': good.slice(0, -1),
    'a line too many': `${good}${lines[1]}\n`,
    'a later version': good.replace('"version":3', '"version":4'),
    'the version before': good.replace('"version":3', '"version":2'),
    'another format': good.replace('ask-model/model-list', 'other'),
    'another connection': good.replace('"connection":"one"', '"connection":"ONE"'),
    'a model without an id': good.replace('"id":"vendor/a:free",', ''),
    'an id of another type': good.replace('"vendor/a:free"', '[]'),
    'an invalid time': good.replace('1700000000000', '"now"'),
    'a page': '<!doctype html><title>No</title>\n',
    null: 'null\nnull\n',
    'an array': '[]\n',
    bytes: Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80, 0x0a]),
    'one endless line': 'x'.repeat(3_000_000),
  };
  for (const [name, content] of Object.entries(damaged)) {
    assert.notEqual(content, good, name);
    await writeFile(path, content);
    assert.equal(await lists.read('one', 'f1'), undefined, name);
  }
  await lists.write('one', 'f1', answer, at);
  assert.deepEqual(await lists.read('one', 'f1'), readBack);
});

test('creates no file name that a system reserves for a device', async () => {
  const folder = newFolder();
  const lists = filesIn(folder);
  for (const id of ['con', 'NUL', 'com1', 'lpt9', 'aux', 'prn', '-', '_', 'x'.repeat(64)]) {
    await lists.write(id, 'f', answer, at);
    assert.deepEqual(await lists.read(id, 'f'), readBack);
  }
  const names = await readdir(folder);
  assert.equal(names.length, 9);
  assert.ok(names.every((name) => /^models-[\w-]+\.jsonl$/.test(name)));
});

test('makes a list readable by its owner only', { skip: !isPosix }, async () => {
  const folder = newFolder();
  await filesIn(folder).write('one', 'f1', answer, at);
  assert.equal((await stat(join(folder, 'models-one.jsonl'))).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
});

test('reads a whole list or none while two windows write at once', async () => {
  const folder = newFolder();
  const [one, other] = [filesIn(folder), filesIn(folder)];
  const [a, b] = [many(1_500), many(1_000)];
  await one.write('c', 'f', a, 1);
  let isOver = false;
  const writing = Promise.all(
    [one, other].map(async (lists) => {
      for (let turn = 0; turn < 6; turn++) {
        await (turn % 2 === 0 ? lists.write('c', 'f', b, 2) : lists.write('c', 'f', a, 1));
      }
    }),
  ).then(() => (isOver = true));
  let reads = 0;
  while (!isOver) {
    const found = await filesIn(folder).read('c', 'f');
    assert.ok(found === undefined || found.list.models.length === (found.readAt === 1 ? 1_500 : 1_000));
    reads++;
  }
  await writing;
  assert.ok(reads > 0);
  await one.write('c', 'f', a, 1);
  assert.equal((await other.read('c', 'f'))?.list.models.length, 1_500);
});

test('rejects when the folder can’t be used', async () => {
  const folder = newFolder();
  await mkdir(join(folder, '..'), { recursive: true });
  await writeFile(folder, 'in the way');
  const lists = filesIn(folder);
  await assert.rejects(lists.write('one', 'f1', answer, at));
  if (isPosix) {
    await assert.rejects(lists.read('one', 'f1'), { code: 'ENOTDIR' });
  }
  await rm(folder);
  await lists.write('one', 'f1', answer, at);
  assert.deepEqual(await lists.read('one', 'f1'), readBack);
});

test('lets other work run many times while it writes and reads 20,000 models', { skip: isQuick }, async () => {
  const lists = filesIn(newFolder());
  const { items, ...models } = many(20_000);
  const turnsDuring = async (run: () => Promise<unknown>) => {
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns++;
      if (!isOver) {
        setImmediate(turn);
      }
    };
    setImmediate(turn);
    await run();
    isOver = true;
    return turns;
  };
  assert.ok((await turnsDuring(() => lists.write('many', 'f', { ...models, items }, 1))) >= 70);
  let found: StoredList | undefined;
  assert.ok((await turnsDuring(async () => (found = await lists.read('many', 'f')))) >= 70);
  assert.deepEqual(found, { list: models, readAt: 1 });
});
