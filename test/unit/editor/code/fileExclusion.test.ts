import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { fakeVSCode } from '../fakeVSCode.ts';

const host = {
  isTrusted: true,
  own: {} as Record<string, boolean>,
  settings: { 'files.exclude': { '**/*.map': true, '**/kept': false }, 'search.exclude': { '**/vendor': true } },
  disk: new Map([
    ['/shop/.gitignore', '*.log\ndist/\n'],
    ['/shop/src/.gitignore', '!keep.log\n'],
  ]),
};
Object.assign(globalThis, { exclusionHost: host });
const fakeVscode = `data:text/javascript,
  const host = globalThis.exclusionHost;
  export class Uri {
    constructor(path) { Object.assign(this, { scheme: 'file', authority: '', path, fsPath: path }); }
    static joinPath(uri, path) { return new Uri(uri.path + '/' + path); }
  }
  export const FileType = { File: 1, Directory: 2 };
  const root = { uri: new Uri('/shop'), name: 'shop', index: 0 };
  export const workspace = {
    get isTrusted() { return host.isTrusted; },
    getWorkspaceFolder: ({ path }) => path.startsWith('/shop/') ? root : undefined,
    getConfiguration: () => ({ get: (name) => host.settings[name], inspect: () => ({ globalValue: host.own }) }),
    asRelativePath: ({ path }) => path.slice('/shop/'.length),
    fs: {
      stat: async ({ path }) => ({ type: /[.]\\w+$/.test(path) ? 1 : 2 }),
      readFile: async ({ path }) => {
        if (!host.disk.has(path)) { throw new Error('no such file'); }
        return new TextEncoder().encode(host.disk.get(path));
      },
    },
  };`.replaceAll('\n', ' ');
fakeVSCode(import.meta, fakeVscode);
const { Uri } = (await import('vscode')) as unknown as { Uri: new (path: string) => vscode.Uri };
const { WorkspaceFiles } = await import('../../../../src/editor/code/workspaceFiles.ts');

const all = [
  'a.ts',
  'a.log',
  'a.map',
  'kept',
  'dist',
  'dist/main.ts',
  'src/keep.log',
  'src/other.log',
  'vendor',
  'vendor/x.ts',
];
const excludedOf = async (ignored: readonly string[] | undefined, asked: unknown[] = []) => {
  const uris = [...all.map((path) => new Uri(`/shop/${path}`)), new Uri('/home/a.log')];
  const ignoredByGit = async (...args: unknown[]) => {
    asked.push(args);
    return ignored;
  };
  const found = await new WorkspaceFiles(ignoredByGit, async (path) => path).excluded(uris);
  return [...found].map(({ path }) => path.slice('/shop/'.length));
};

test('asks git once, and applies the settings', async () => {
  const asked: unknown[] = [];
  assert.deepEqual(await excludedOf(['a.log', 'dist'], asked), ['a.log', 'a.map', 'dist', 'vendor', 'vendor/x.ts']);
  assert.deepEqual(asked, [['/shop', all]]);
});

test('reads the .gitignore files above each path where git can’t tell, or may not run', async () => {
  const expected = ['a.log', 'a.map', 'dist', 'dist/main.ts', 'src/other.log', 'vendor', 'vendor/x.ts'];
  assert.deepEqual(await excludedOf(undefined), expected);
  host.isTrusted = false;
  const asked: unknown[] = [];
  assert.deepEqual(await excludedOf([], asked), expected);
  assert.deepEqual(asked, []);
});

test('excludes what the person excludes, also where a workspace sets the same pattern to false', async () => {
  Object.assign(host.settings, { 'askModel.context.exclude': { '**/a.ts': false } });
  host.own = { '**/a.ts': true };
  assert.ok((await excludedOf([])).includes('a.ts'));
});
