import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { FoundContext } from '../../../../src/editor/code/foundContext.ts';
import { FakePick } from '../fakePick.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

fakeVSCode(
  import.meta,
  `data:text/javascript,
  export class ThemeIcon {}
  export const window = { createQuickPick: () => new FakePick() };`,
);
const { pickContext } = await import('../../../../src/editor/code/addContext.ts');
const { foundView } = await import('../../../../src/editor/code/foundContext.ts');

const row = (kind: 'file' | 'folder' | 'symbol', label: string): FoundContext => ({
  id: label,
  kind,
  label,
  detail: 'src',
  read: async () => ({ pieces: [] }),
});
const search: FoundContext = {
  id: 'search',
  kind: 'symbol',
  label: 'Symbols in Workspace…',
  detail: '',
  search: async () => [row('symbol', 'found')],
};
/** What is found by what was typed. */
const rows: Readonly<Record<string, readonly FoundContext[]>> = {
  '': [row('file', 'open.ts')],
  s: [row('folder', 'src/'), row('file', 's.ts'), search],
  x: [{ ...search, search: async () => [] }],
};

async function open() {
  const picking = pickContext(
    async (query) => rows[query] ?? [],
    (found) => foundView(found, [], 1),
  );
  await turn();
  const pick = FakePick.front;
  assert.ok(pick);
  const labels = () => pick.items.map(({ label }) => label);
  return { pick, picking, labels, picked: async () => (await picking).map(({ label }) => label) };
}

test('finds files, folders and symbols by what is typed, and keeps what was checked before', async () => {
  const { pick, labels, picked } = await open();
  assert.deepEqual(labels(), ['open.ts']);
  pick.check(pick.items);
  pick.type('s');
  await turn();
  assert.deepEqual(labels(), ['open.ts', 'src/', 's.ts', 'Symbols in Workspace…']);
  pick.check([...pick.selectedItems, ...pick.items.slice(1, 2)]);
  pick.accept();
  assert.deepEqual(await picked(), ['open.ts', 'src/']);
});

test('picks the active row where none is checked, and nothing when it is closed', async () => {
  const first = await open();
  first.pick.accept();
  assert.deepEqual(await first.picked(), ['open.ts']);
  const second = await open();
  second.pick.hide();
  assert.deepEqual(await second.picked(), []);
});

test('picks the first row for what was typed when Enter comes before it', async () => {
  const { pick, picked } = await open();
  pick.type('s');
  pick.accept();
  assert.deepEqual(await picked(), ['src/']);
});

test('searches the workspace when that row is checked or accepted, and then shows what it finds', async () => {
  for (const how of ['checked', 'accepted']) {
    const { pick, labels, picked } = await open();
    pick.type('s');
    await turn();
    const items = pick.items.slice(2);
    if (how === 'checked') {
      pick.check(items);
    } else {
      pick.activeItems = items;
      pick.accept();
    }
    await turn();
    assert.deepEqual([labels(), pick.selectedItems], [['found'], []]);
    pick.accept();
    assert.deepEqual(await picked(), ['found']);
  }
});

test('says when the workspace has no such symbol, until something else is typed', async () => {
  const { pick, labels } = await open();
  pick.type('x');
  await turn();
  pick.accept();
  await turn();
  assert.deepEqual([labels(), pick.title], [[], 'No symbols were found.']);
  pick.type('s');
  await turn();
  assert.deepEqual([labels().length, pick.title], [3, 'Add Context']);
});

test('says above an empty list that no file is open', async () => {
  void pickContext(
    async () => [],
    (found) => foundView(found, [], 1),
  );
  await turn();
  assert.deepEqual([FakePick.front?.items, FakePick.front?.title], [[], 'No file is open.']);
});
