import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { contextTokens } from '../../../../src/core/chat/context/prompt.ts';
import { conversationOf } from '../../core/chat/conversation/storedFixture.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

type Cell = { readonly index: number; readonly document: object; readonly outputs: object[]; notebook: Notebook };
type Notebook = { readonly uri: { readonly path: string }; getCells(range?: { start: number; end: number }): Cell[] };
type Editor = { readonly notebook: Notebook; readonly selections: readonly { start: number; end: number }[] };
const host: { active?: Editor; visible: Editor[] } = { visible: [] };
Object.assign(globalThis, { notebookHost: host });
// The part of VS Code's API that tells of notebooks.
const vscode = `data:text/javascript,
  export const window = {
    get activeNotebookEditor() { return globalThis.notebookHost.active; },
    get visibleNotebookEditors() { return globalThis.notebookHost.visible; },
  };
  export const workspace = { getWorkspaceFolder: () => ({}), asRelativePath: ({ path }) => path.slice(1) };
  export class DocumentSymbol {}
  export class SymbolInformation {}`;
fakeVSCode(import.meta, vscode);
const { foundView } = await import('../../../../src/editor/code/foundContext.ts');
const { composerView } = await import('../../../../src/editor/panel/panelView.ts');
const { cellRows } = await import('../../../../src/editor/code/notebookCells.ts');

function notebook(path: string, sources: readonly string[]): Notebook {
  const uri = { path, toString: () => `file://${path}` };
  const one: Notebook = { uri, getCells: (range) => cells.slice(range?.start, range?.end) };
  const cells: Cell[] = sources.map((source, index) => ({
    index,
    document: {
      uri: `cell${index}`,
      languageId: 'python',
      lineCount: source.split('\n').length,
      getText: () => source,
    },
    outputs: index === 1 ? [{ items: [{ mime: 'text/plain', data: new TextEncoder().encode('7') }] }] : [],
    notebook: one,
  }));
  return one;
}
const editor = (of: Notebook, ...selections: { start: number; end: number }[]): Editor => ({
  notebook: of,
  selections,
});
const shown = (query = '') =>
  cellRows(query).map((row) => `${row.label}: ${row.detail} · ${foundView(row, [], 1).size}`);

beforeEach(() => {
  delete host.active;
  host.visible = [];
});

test('lists the selected cells of the visible notebook, and then its other cells', async () => {
  assert.deepEqual(shown(), []);
  const prices = notebook('/lib/prices.ipynb', ['import a\nb()', 'a / b', '']);
  host.visible = [editor(notebook('/other.ipynb', ['x']), { start: 0, end: 1 }), editor(prices, { start: 1, end: 2 })];
  assert.deepEqual(shown(), [
    'Selected Cell: lib/prices.ipynb · cell 2 · ≈ 27 tokens',
    'import a…: lib/prices.ipynb · cell 1 · ≈ 23 tokens',
    'Cell 3: lib/prices.ipynb · cell 3 · ≈ 16 tokens',
  ]);
  host.active = editor(prices, { start: 0, end: 2 });
  assert.match(shown()[0] ?? '', /^2 Selected Cells: lib\/prices\.ipynb · cells 1, 2 · /);
  const { pieces } = (await cellRows('')[0]?.read()) ?? assert.fail();
  assert.deepEqual(
    pieces.map(({ kind, path, cell, languageId, text }) => [kind, path, cell, languageId, text]),
    [
      ['cell', 'lib/prices.ipynb', 1, 'python', 'import a\nb()'],
      ['cell', 'lib/prices.ipynb', 2, 'python', 'a / b\n\n--- Output ---\n7'],
    ],
  );
});

test('gives a cell the tokens of its chip, and says that it is included until it changes', async () => {
  host.visible = [editor(notebook('/own.ipynb', ['one = 1']), { start: 0, end: 1 })];
  const row = () => cellRows('')[0] ?? assert.fail();
  const included = (await row().read()).pieces;
  const draft = { text: '', contexts: included };
  const [chip] = composerView({ ...conversationOf({ turns: [] }), draft }, 'm', 'h', 1.5).chips;
  const tokens = / (\d+) tok$/.exec(chip?.detail ?? '')?.[1];
  assert.ok(included[0]);
  assert.equal(tokens, String(Math.round(contextTokens(included[0]) * 1.5)), 'as in what can be left out');
  assert.equal(foundView(row(), [], 1.5).size, `≈ ${tokens} tokens`);
  assert.equal(foundView(row(), included, 1.5).size, `≈ ${tokens} tokens · already included`);
  host.visible = [editor(notebook('/own.ipynb', ['two = 2']), { start: 0, end: 1 })];
  assert.doesNotMatch(foundView(row(), included, 1.5).size ?? '', /already included/);
});

test('finds a cell by its number or its first line, and lists only some of many', () => {
  const sources = Array.from({ length: 500 }, (_, index) => `value_${index} = a / b`);
  host.active = editor(notebook('/a.ipynb', sources), { start: 0, end: 1 });
  assert.match(shown('cell321')[0] ?? '', /^value_320 = .* cell 321 /);
  assert.match(shown('value_42')[0] ?? '', /^value_42 = .* cell 43 /);
  assert.equal(shown().length, 9);
  assert.equal(shown('value').length, 8);
  assert.deepEqual(shown('vab'), [], 'scattered letters are in nearly every line');
  assert.deepEqual(shown('nothing'), []);
});

test('reads no more of ten thousand selected cells than can be included', () => {
  const cells = notebook(
    '/a.ipynb',
    Array.from({ length: 10_000 }, () => 'y'.repeat(9_999)),
  );
  host.active = editor(cells, { start: 0, end: 10_000 });
  const [row] = cellRows('');
  assert.equal(row?.pieces?.length, 41);
  assert.equal(row?.detail, 'a.ipynb · cells 1, 2, 3, 4, 5, 6, 7, 8, …');
});

test('does not include a cell that is too large', async () => {
  host.active = editor(notebook('/a.ipynb', ['x'.repeat(400_001)]), { start: 0, end: 1 });
  const read = await cellRows('')[0]?.read();
  assert.deepEqual(read?.pieces, []);
  assert.match(read?.notes?.[0] ?? '', /^Selected Cell is too large to include: it has 400,001 characters/);
});
