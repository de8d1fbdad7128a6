import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import type { WorkspaceFilesDeps } from '../../../../src/editor/code/workspaceFiles.ts';
import { ManualClock } from '../../core/base/manualClock.ts';

/** The names in the folders of a workspace with 12,003 files, and the requests to VS Code. */
const host = {
  folders: {
    '/shop': { '.gitignore': 1, 'a.ts': 1, dist: 2, node_modules: 2, src: 2 },
    '/shop/src': { '.gitignore': 1, deep: 2, 'x.log': 1 },
    '/shop/src/deep': Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`item${index}.ts`, 1])),
  } as Record<string, Record<string, number>>,
  texts: { '/shop/.gitignore': '/*\n!/src/\n!/a.ts\n!.gitignore\n', '/shop/src/.gitignore': '*.log\n' } as Record<
    string,
    string
  >,
  searches: [] as unknown[],
  read: [] as string[],
};
Object.assign(globalThis, { largeWorkspace: host });
const fakeVscode = `data:text/javascript,
  const host = globalThis.largeWorkspace;
  export class Uri {
    constructor(path) { Object.assign(this, { scheme: 'file', authority: '', path, fsPath: path }); }
    static joinPath(uri, path) { return new Uri(uri.path + '/' + path); }
  }
  export class RelativePattern {
    constructor(base, pattern) { this.pattern = pattern; }
  }
  export const FileType = { File: 1, Directory: 2 };
  const root = new Uri('/shop');
  const settings = {
    'files.exclude': { '**/.git': true, '**/*.{a,b}': true, '**/shown': false },
    'search.exclude': { '**/node_modules': true },
  };
  export const workspace = {
    isTrusted: true,
    workspaceFolders: [{ uri: root, name: 'shop', index: 0 }],
    getWorkspaceFolder: () => ({ uri: root }),
    asRelativePath: ({ path }) => path.slice('/shop/'.length),
    getConfiguration: () => ({ get: (name) => settings[name] }),
    findFiles: async ({ pattern }, exclude, max) => {
      host.searches.push([pattern, exclude, max]);
      const found = pattern === '**/*'
        ? Object.keys(host.folders['/shop/src/deep']).map((name) => '/shop/src/deep/' + name)
        : Object.keys(host.texts);
      return found.slice(0, max).map((path) => new Uri(path));
    },
    fs: {
      readFile: async ({ path }) => new TextEncoder().encode(host.texts[path]),
      readDirectory: async ({ path }) => {
        host.read.push(path);
        return Object.entries(host.folders[path]);
      },
    },
  };`.replaceAll('\n', ' ');
registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: fakeVscode, shortCircuit: true } : next(name, context)),
});
const { WorkspaceFiles } = await import('../../../../src/editor/code/workspaceFiles.ts');

test('lists the first 10,000 files of a folder without git at once, then all, and reads no excluded folder', async () => {
  const deps: WorkspaceFilesDeps = {
    gitFiles: async () => undefined,
    ignoredByGit: async () => undefined,
    clock: new ManualClock(),
    log: { defect: (_what, error) => assert.fail(String(error)) },
  };
  const files = new WorkspaceFiles(deps);
  const counts: (number | undefined)[] = [];
  files.onDidChange(() => counts.push(files.findFolders('deep', 1)[0]?.files));
  await files.ready();
  assert.deepEqual(
    files.find('item9999', 10).map(({ path }) => path),
    ['src/deep/item9999.ts'],
  );
  await files.listed();
  assert.deepEqual(counts, [10_000, 12_000]);
  assert.deepEqual(
    ['a.ts', '.gitignore', '.log', 'item11999'].map((query) => files.find(query, 10).map(({ path }) => path)),
    [['a.ts'], ['.gitignore', 'src/.gitignore'], [], ['src/deep/item11999.ts']],
  );
  assert.deepEqual(host.searches, [
    ['**/*', '{**/.git,**/node_modules}', 10_000],
    ['**/.gitignore', '{**/.git,**/node_modules}', 10_000],
  ]);
  assert.deepEqual(host.read, ['/shop', '/shop/src', '/shop/src/deep']);
  files.dispose();
});
