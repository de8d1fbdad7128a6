import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TextEditor } from 'vscode';
import type { ContextSources } from '../../../../src/editor/code/contextFinder.ts';
import type { WorkspaceFiles } from '../../../../src/editor/code/workspaceFiles.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const host: {
  symbols: Promise<unknown>;
  git: { installed: boolean; enabled: boolean };
  isTrusted: boolean;
  hasFolder: boolean;
  notebooks: object[];
} = {
  symbols: Promise.resolve([]),
  git: { installed: true, enabled: true },
  isTrusted: true,
  hasFolder: false,
  notebooks: [],
};
Object.assign(globalThis, { hostByTest: host });
// The part of VS Code's API that is asked for context while one file is open.
const vscode = `data:text/javascript,
  const host = globalThis.hostByTest;
  export class DocumentSymbol {
    constructor(name, detail, kind, range) { Object.assign(this, { name, kind, range, children: [] }); }
  }
  export const SymbolKind = { Function: 11 };
  export class SymbolInformation {}
  export class Range {
    constructor(line, character, endLine, endCharacter) {
      this.start = { line, character };
      this.end = { line: endLine, character: endCharacter };
    }
  }
  export class ThemeIcon {}
  export const Uri = { joinPath: (uri, path) => ({ path: uri.path + '/' + path, toString: () => 'file://' + uri.path + '/' + path }) };
  export const commands = { executeCommand: async () => host.symbols };
  export const extensions = { getExtension: () => (host.git.installed ? { exports: undefined } : undefined) };
  export const languages = { getDiagnostics: () => [] };
  export const window = { tabGroups: { all: [] }, get visibleNotebookEditors() { return host.notebooks; } };
  export const workspace = {
    get isTrusted() { return host.isTrusted; },
    textDocuments: [],
    get workspaceFolders() { return host.hasFolder ? [{ uri: { path: '' } }] : undefined; },
    fs: { stat: async () => ({ size: 9 }) },
    openTextDocument: async (uri) => ({ uri, languageId: 'markdown', lineCount: 1, getText: () => 'Use tabs.' }),
    getConfiguration: () => ({ get: () => host.git.enabled }),
    getWorkspaceFolder: () => ({}),
    asRelativePath: ({ path }) => path.slice(1),
  };`;
fakeVSCode(import.meta, vscode);
const { findContext } = await import('../../../../src/editor/code/contextFinder.ts');
const { GitChanges } = await import('../../../../src/editor/code/gitChanges.ts');
const { DocumentSymbol, Range, SymbolKind } = await import('vscode');

const uri = { scheme: 'file', path: '/src/cart.ts', toString: () => 'file:///src/cart.ts' };
const document = {
  uri,
  languageId: 'typescript',
  lineAt: () => ({ firstNonWhitespaceCharacterIndex: 0 }),
  getText: () => 'function total() {}',
};
const lastEditor = { current: { document, selections: [] } as unknown as TextEditor };
const files = {
  find: async () => ({ files: [], folders: [] }),
  follow: async () => ({ isFile: true }),
} as unknown as WorkspaceFiles;
const git = new GitChanges(async () => '');
const find = (query: string, others: object = {}) =>
  findContext(query, {
    lastEditor,
    files,
    terminals: { rows: () => [] },
    changes: git,
    ...others,
  } as unknown as ContextSources);
const range = new Range(0, 0, 0, 8);
const total = new DocumentSymbol('total', '', SymbolKind.Function, range, range);

test('lists the symbols of a file that come in time', async () => {
  host.symbols = Promise.resolve([total]);
  const rows = await find('tot');
  assert.deepEqual(
    rows.map(({ label }) => label),
    ['total', 'Symbols in Workspace…'],
  );
});

test('lists the instructions for models of a trusted workspace near the start, and marks them as such', async () => {
  const listed = async () => (await find('')).map(({ kind, label }) => [kind, label]);
  const all = [
    ['file', 'cart.ts'],
    ['instructions', 'AGENTS.md'],
    ['instructions', 'copilot-instructions.md'],
  ];
  Object.assign(host, { symbols: Promise.resolve([]), hasFolder: true });
  assert.deepEqual(await listed(), all);
  const [, instructions] = await find('');
  assert.ok(instructions && 'read' in instructions);
  assert.deepEqual(
    (await instructions.read()).pieces.map(({ kind, text }) => [kind, text]),
    [['instructions', 'Use tabs.']],
  );
  host.isTrusted = false;
  assert.ok(!(await listed()).flat().includes('AGENTS.md'));
  Object.assign(host, { isTrusted: true, hasFolder: false });
});

test('says why uncommitted changes are not available, if they can’t be', () => {
  assert.deepEqual(git.rows(), []);
  host.git.enabled = false;
  assert.equal(git.rows()[0]?.detail, 'The setting git.enabled is off.');
  host.git.installed = false;
  assert.equal(
    git.rows()[0]?.detail,
    "VS Code's Git extension is disabled, or runs on another computer than Ask Model.",
  );
  host.isTrusted = false;
  assert.equal(git.rows()[0]?.detail, "VS Code's Git extension is off in Restricted Mode.");
});

test('lists what other sources have when one of them fails', async () => {
  const terminals = {
    rows: () => {
      throw new RangeError('Invalid string length');
    },
  };
  // A cell without a document.
  host.notebooks = [{ notebook: { getCells: () => [{}] }, selections: [] }];
  host.symbols = Promise.resolve([total]);
  const failing: WorkspaceFiles = Object.assign(Object.create(files), {
    find: () => Promise.reject(new Error('ripgrep could not be started')),
  });
  const rows = await find('total', { terminals, files: failing });
  assert.ok(rows.some(({ label }) => label === 'total'));
  host.notebooks = [];
  let deep = new DocumentSymbol('inner', '', SymbolKind.Function, range, range);
  for (let depth = 0; depth < 50_000; depth++) {
    const outer = new DocumentSymbol(`outer${depth}`, '', SymbolKind.Function, range, range);
    outer.children.push(deep);
    deep = outer;
  }
  host.symbols = Promise.resolve([deep]);
  const others = await find('total');
  assert.deepEqual(
    others.map(({ id }) => id),
    ['workspaceSymbols'],
  );
});
