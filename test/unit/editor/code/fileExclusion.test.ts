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
  searches: 0,
  isFound: (_pattern: string, _path: string) => true,
  /** Resolves when the search goes on. */
  searching: Promise.resolve(),
  folder: { uri: { scheme: 'file' } },
};
Object.assign(globalThis, { exclusionHost: host });
const fakeVscode = `data:text/javascript,
  const host = globalThis.exclusionHost;
  export class Uri {
    constructor(path) { Object.assign(this, { scheme: 'file', authority: '', path, fsPath: path }); }
    with({ path }) { return new Uri(path); }
    toString() { return 'file://' + this.path; }
  }
  export class RelativePattern {}
  export class CancellationTokenSource {
    ended = Promise.withResolvers();
    token = { ended: this.ended.promise };
    cancel() { this.token.isCancellationRequested = true; this.ended.resolve(); }
  }
  const root = { uri: new Uri('/shop'), name: 'shop', index: 0 };
  export const workspace = {
    get isTrusted() { return host.isTrusted; },
    getWorkspaceFolder: () => root,
    asRelativePath: ({ path }) => path.slice('/shop/'.length),
    getConfiguration: () => ({ get: (name) => host.settings[name], inspect: () => ({ globalValue: host.own }) }),
    get workspaceFolders() { return [host.folder]; },
    findFiles: async (pattern, exclude, most, token) => {
      host.exclude = exclude;
      host.searches++;
      await Promise.race([host.searching, token?.ended ?? host.searching]);
      const found = host.found.filter((path) => host.isFound(pattern, path)).slice(0, most);
      return found.map((path) => new Uri('/shop/' + path));
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

test('finds a name with the typed letters among thousands of paths that have them apart', async () => {
  const files = new WorkspaceFiles(
    async () => [],
    async (path) => path,
  );
  const few = host.found;
  host.found = [...Array.from({ length: 5_000 }, (_, index) => `common/data/${index}.ts`), 'src/Cart.ts'];
  host.isFound = (pattern, path) => !pattern.includes('*[cC][aA]*') || path === 'src/Cart.ts';
  const found = await files.find('ca', 30, 4);
  assert.equal(found.files[0]?.path, '/shop/src/Cart.ts');
  assert.equal(found.files.length, 30, 'the others are listed below it');
  Object.assign(host, { found: few, isFound: () => true });
});

test('searches once for letters that are typed one after the other, if all files of the first ones were found', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const files = new WorkspaceFiles(
    async () => [],
    async (path) => path,
  );
  const find = async (query: string) => {
    host.searches = 0;
    const found = await files.find(query, 30, 4);
    return [found.files.map(({ path }) => path.slice('/shop/'.length)), host.searches];
  };
  assert.deepEqual(await find(''), [['b.ts', 'dist/main.ts', 'a.ts'], 1]);
  assert.deepEqual(await find('m'), [['dist/main.ts'], 0]);
  assert.deepEqual(await find('main'), [['dist/main.ts'], 0]);
  assert.deepEqual(await find('mx'), [[], 0]);
  // A list that opens, and letters that are typed much later, when there may be other files.
  assert.deepEqual(await find(''), [['b.ts', 'dist/main.ts', 'a.ts'], 1]);
  now = 10_000;
  assert.deepEqual(await find('a'), [['a.ts', 'dist/main.ts'], 2]);
  assert.deepEqual(await find('a.'), [['a.ts', 'dist/main.ts'], 0]);
  const few = host.found;
  host.found = Array.from({ length: 3_000 }, (_, index) => `b${index}.ts`);
  assert.equal((await find('b'))[1], 1);
  assert.equal((await find('b1'))[1], 1);
  host.found = few;
  // A search that another one ended may have found a part.
  const [first] = await Promise.all([files.find('c', 30, 4), files.find('d', 30, 4)]);
  assert.deepEqual(first.files, []);
  assert.equal((await find('da'))[1], 0);
});

test('goes on without files while the search of a virtual workspace does not end (microsoft/vscode#314285)', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(host, { searching: promise, found: ['cart.ts'], isFound: () => true, searches: 0 });
  host.folder.uri.scheme = 'memfs';
  const files = new WorkspaceFiles(
    async () => [],
    async (path) => path,
  );
  const first = files.find('cart', 5, 0);
  context.mock.timers.tick(3_000);
  assert.deepEqual((await first).files, []);
  assert.deepEqual((await files.find('car', 5, 0)).files, []);
  await new Promise(setImmediate);
  assert.deepEqual(await files.filesIn(new Uri('/shop')), []);
  assert.equal(host.searches, 1, 'a search that would wait too is not begun');
  resolve();
  await promise;
  await new Promise(setImmediate);
  assert.equal((await files.find('cart', 5, 0)).files.length, 1);
});
