import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { StoredAnswer, StoredList } from '../../../../src/core/models/catalogue/storedList.ts';
import type { Model } from '../../../../src/core/models/list/model.ts';
import { modelListFiles } from '../../../../src/node/files/modelListFiles.ts';
import { gateways, readModelList } from '../../core/models/list/readModelList.ts';

async function folderFor(context: TestContext): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'ask-model-'));
  context.after(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'storage', 'lists');
}

const storedItems = new Map([
  [
    'vendor/a:free',
    '{\n\t"id": "vendor/a:free",\r\n\t"note": "tab\\tand line\\nend, 💬 β",\n\t"big": 12345678901234567890\n}',
  ],
  ['b\n`|"β\u2028', '[{"id":"b","n":1},{"id":"b","n":2}]'],
  ['__proto__', '"__proto__"'],
]);
const answer: StoredAnswer = {
  list: {
    models: [
      { id: 'vendor/a:free', vendor: 'Other', kind: 'chat', isForChat: true },
      {
        id: 'b\n`|"β\u2028',
        vendor: 'OpenAI',
        kind: 'embedding',
        isForChat: false,
        contextTokens: 1_000,
        title: 'B',
      },
      { id: '__proto__', vendor: 'Other', kind: 'chat', isForChat: true },
    ],
    dropped: 2,
    hasLookUps: true,
    isPartial: true,
  },
  readAt: 1_700_000_000_000,
  items: storedItems,
};
/** What `read` returns of it. */
const { items: _, ...readBack } = answer;

function many(count: number): StoredAnswer {
  const models = Array.from(
    { length: count },
    (_, index): Model => ({
      id: `vendor-${index % 40}/model-${index}:β`,
      vendor: 'Other',
      kind: index % 3 === 0 ? 'image' : 'chat',
      isForChat: index % 3 !== 0,
      contextTokens: 131_072,
      title: `Model ${index}`,
    }),
  );
  const items = new Map(models.map(({ id }) => [id, JSON.stringify({ id, description: 'Wörter. '.repeat(100) })]));
  return { list: { models, dropped: 0 }, readAt: 1, items };
}

const isPosix = process.platform !== 'win32';

test('returns a list unchanged, for the same connection and key only', async (context) => {
  const lists = modelListFiles(await folderFor(context));
  assert.equal(await lists.read('one', 'f1'), undefined);
  await lists.write('one', 'f1', answer);
  await lists.write('two', 'f1', { list: { models: [], dropped: 0 }, readAt: 0, items: new Map() });
  assert.deepEqual(await lists.read('one', 'f1'), readBack);
  assert.deepEqual(await lists.read('two', 'f1'), { list: { models: [], dropped: 0 }, readAt: 0 });
  assert.equal(await lists.read('one', 'f2'), undefined);
  await lists.write('one', 'f2', answer);
  assert.equal(await lists.read('one', 'f1'), undefined);
  assert.deepEqual(await lists.read('one', 'f2'), readBack);
});

test('returns the item of a model as the gateway sent it, for the same connection and key only', async (context) => {
  const lists = modelListFiles(await folderFor(context));
  assert.equal(await lists.item('one', 'f1', 'vendor/a:free'), undefined);
  await lists.write('one', 'f1', answer);
  for (const [id, item] of storedItems) {
    assert.deepEqual(JSON.parse((await lists.item('one', 'f1', id)) ?? 'null'), JSON.parse(item), id);
  }
  assert.match((await lists.item('one', 'f1', 'vendor/a:free')) ?? '', /"big": 12345678901234567890/);
  assert.equal(await lists.item('one', 'f1', 'vendor/a'), undefined);
  assert.equal(await lists.item('one', 'f2', 'vendor/a:free'), undefined);
  assert.equal(await lists.item('two', 'f1', 'vendor/a:free'), undefined);
  await lists.write('one', 'f1', { ...answer, items: new Map() });
  assert.equal(await lists.item('one', 'f1', 'vendor/a:free'), undefined, 'a model without an item');
  const many20 = many(20_000);
  await lists.write('one', 'f1', many20);
  const last = many20.list.models.at(-1)?.id ?? '';
  assert.equal(await lists.item('one', 'f1', last), many20.items.get(last) ?? assert.fail());
});

test('returns all that each known gateway reports about its models', async (context) => {
  const lists = modelListFiles(await folderFor(context));
  for (const [who, { body }] of Object.entries(gateways)) {
    const { items, ...list } = readModelList(body) ?? assert.fail(who);
    await lists.write('one', 'f1', { list, readAt: 1, items });
    assert.deepEqual(await lists.read('one', 'f1'), { list, readAt: 1 }, who);
    for (const { id } of list.models) {
      assert.equal(await lists.item('one', 'f1', id), items.get(id) ?? assert.fail(), id);
    }
  }
});

test('stores a model without its item when the item is too long', async (context) => {
  const lists = modelListFiles(await folderFor(context));
  const book = JSON.stringify({ id: '__proto__', text: 'x'.repeat(2_000_000) });
  await lists.write('one', 'f1', { ...answer, items: new Map([...storedItems, ['__proto__', book]]) });
  assert.deepEqual(await lists.read('one', 'f1'), readBack);
  assert.equal(await lists.item('one', 'f1', '__proto__'), undefined);
});

test('removes a list, even while it is being written', async (context) => {
  const folder = await folderFor(context);
  const lists = modelListFiles(folder);
  await lists.remove('one');
  const writing = lists.write('one', 'f1', many(2_000));
  await lists.remove('one');
  await writing;
  assert.equal(await lists.read('one', 'f1'), undefined);
  assert.deepEqual(await readdir(folder), []);
});

test('ignores a damaged, cut, foreign or newer file, and overwrites it', async (context) => {
  const folder = await folderFor(context);
  const lists = modelListFiles(folder);
  await lists.write('one', 'f1', answer);
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
    'a later version': good.replace('"version":2', '"version":3'),
    'the version before': good.replace('"version":2', '"version":1'),
    'another format': good.replace('ask-model/model-list', 'other'),
    'another connection': good.replace('"connection":"one"', '"connection":"ONE"'),
    'a model without a tab after it': good.replace('\t', ''),
    'a model without an id': good.replace('"id":"vendor/a:free",', ''),
    'an id of another type': good.replace('"vendor/a:free"', '7'),
    'a negative context': good.replace('1000', '-1000'),
    'an unknown kind': good.replace('"kind":"embedding"', '"kind":"spell"'),
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
  await lists.write('one', 'f1', answer);
  assert.deepEqual(await lists.read('one', 'f1'), readBack);
});

test('ignores unknown fields in a valid file', async (context) => {
  const folder = await folderFor(context);
  const lists = modelListFiles(folder);
  await lists.write('one', 'f1', answer);
  const path = join(folder, 'models-one.jsonl');
  const good = await readFile(path, 'utf8');
  await writeFile(path, good.replace('"isForChat":true', '"isForChat":true,"more":{"x":1}'));
  assert.deepEqual(await lists.read('one', 'f1'), readBack);
});

test('accepts only connection ids, and creates no file name that a system reserves for a device', async (context) => {
  const folder = await folderFor(context);
  const lists = modelListFiles(folder);
  for (const id of ['', '.', '..', 'a/b', 'a\\b', '../up', 'a.b', 'a b', 'a:b', 'x'.repeat(65), 'é', 'a\n']) {
    await assert.rejects(lists.read(id, 'f'), /Not the id of a connection/, id);
    await assert.rejects(lists.write(id, 'f', answer), /Not the id of a connection/, id);
    await assert.rejects(lists.remove(id), /Not the id of a connection/, id);
  }
  for (const id of ['con', 'NUL', 'com1', 'lpt9', 'aux', 'prn', '-', '_', 'x'.repeat(64)]) {
    await lists.write(id, 'f', answer);
    assert.deepEqual(await lists.read(id, 'f'), readBack);
  }
  const names = await readdir(folder);
  assert.equal(names.length, 9);
  assert.ok(names.every((name) => /^models-[\w-]+\.jsonl$/.test(name)));
});

test('makes a list readable by its owner only', { skip: !isPosix }, async (context) => {
  const folder = await folderFor(context);
  await modelListFiles(folder).write('one', 'f1', answer);
  assert.equal((await stat(join(folder, 'models-one.jsonl'))).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
});

test('reads a whole list or none while two windows write at once', async (context) => {
  const folder = await folderFor(context);
  const [one, other] = [modelListFiles(folder), modelListFiles(folder)];
  const [a, b] = [many(1_500), { ...many(1_000), readAt: 2 }];
  await one.write('c', 'f', a);
  let isOver = false;
  const writing = Promise.all(
    [one, other].map(async (lists) => {
      for (let turn = 0; turn < 6; turn++) {
        await lists.write('c', 'f', turn % 2 === 0 ? b : a);
      }
    }),
  ).then(() => (isOver = true));
  let reads = 0;
  while (!isOver) {
    const found = await modelListFiles(folder).read('c', 'f');
    assert.ok(found === undefined || found.list.models.length === (found.readAt === 1 ? 1_500 : 1_000));
    reads++;
  }
  await writing;
  assert.ok(reads > 0);
  await one.write('c', 'f', a);
  assert.equal((await other.read('c', 'f'))?.list.models.length, 1_500);
});

test('rejects when the folder can’t be used', async (context) => {
  const folder = await folderFor(context);
  await mkdir(join(folder, '..'), { recursive: true });
  await writeFile(folder, 'in the way');
  const lists = modelListFiles(folder);
  await assert.rejects(lists.write('one', 'f1', answer));
  if (isPosix) {
    await assert.rejects(lists.read('one', 'f1'), { code: 'ENOTDIR' });
  }
  await rm(folder);
  await lists.write('one', 'f1', answer);
  assert.deepEqual(await lists.read('one', 'f1'), readBack);
});

test('lets other work run many times while it writes and reads 20,000 models', async (context) => {
  const lists = modelListFiles(await folderFor(context));
  const list = many(20_000);
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
  assert.ok((await turnsDuring(() => lists.write('many', 'f', list))) >= 70);
  let found: StoredList | undefined;
  assert.ok((await turnsDuring(async () => (found = await lists.read('many', 'f')))) >= 70);
  assert.deepEqual(found, { list: list.list, readAt: 1 });
});
