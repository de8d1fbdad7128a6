import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { fakeVSCode } from '../fakeVSCode.ts';

const host = {
  isTrusted: true,
  own: {} as Record<string, boolean>,
  settings: { 'files.exclude': { '**/*.{map,log}': true, '**/kept': false }, 'search.exclude': { '**/vendor': true } },
  found: ['b.ts', 'dist/main.ts', 'a.ts'],
  exclude: '',
};
Object.assign(globalThis, { exclusionHost: host });
const fakeVscode = `data:text/javascript,
  const host = globalThis.exclusionHost;
  export class Uri {
    constructor(path) { Object.assign(this, { scheme: 'file', authority: '', path, fsPath: path }); }
  }
  export class RelativePattern {}
  const root = { uri: new Uri('/shop'), name: 'shop', index: 0 };
  export const workspace = {
    get isTrusted() { return host.isTrusted; },
    getWorkspaceFolder: () => root,
    getConfiguration: () => ({ get: (name) => host.settings[name], inspect: () => ({ globalValue: host.own }) }),
    findFiles: async (_, exclude) => {
      host.exclude = exclude;
      return host.found.map((path) => new Uri('/shop/' + path));
    },
  };`.replaceAll('\n', ' ');
fakeVSCode(import.meta, fakeVscode);
const { Uri } = (await import('vscode')) as unknown as { Uri: new (path: string) => vscode.Uri };
const { WorkspaceFiles, withoutBraces } = await import('../../../../src/editor/code/workspaceFiles.ts');

async function filesBy(ignored: readonly string[] | undefined, asked: unknown[] = []): Promise<readonly string[]> {
  const ignoredByGit = async (...args: unknown[]) => {
    asked.push(args);
    return ignored;
  };
  const found = await new WorkspaceFiles(ignoredByGit, async (path) => path).filesIn(new Uri('/shop'));
  return found.map(({ path }) => path.slice('/shop/'.length));
}

test('leaves out what git ignores, and asks it once, only in a trusted workspace', async () => {
  const asked: unknown[] = [];
  assert.deepEqual(await filesBy(['dist/main.ts'], asked), ['a.ts', 'b.ts']);
  assert.deepEqual(asked, [['/shop', host.found]]);
  assert.deepEqual(await filesBy(undefined), ['a.ts', 'b.ts', 'dist/main.ts']);
  host.isTrusted = false;
  assert.deepEqual(await filesBy(['dist/main.ts'], asked), ['a.ts', 'b.ts', 'dist/main.ts']);
  assert.equal(asked.length, 1);
});

test('excludes what the settings exclude, also where a workspace sets a pattern of the person to false', async () => {
  Object.assign(host.settings, { 'askModel.context.exclude': { '**/a.ts': false } });
  host.own = { '**/a.ts': true };
  await filesBy([]);
  assert.equal(host.exclude, '{**/*.map,**/*.log,**/vendor,**/a.ts}');
});

test('writes braces in braces as patterns without any, unless there are too many', () => {
  assert.deepEqual(withoutBraces('{a,b}.{c,{d,e}}'), ['a.c', 'a.d', 'a.c', 'a.e', 'b.c', 'b.d', 'b.c', 'b.e']);
  assert.deepEqual(withoutBraces('{a,b}'.repeat(60)), []);
});
