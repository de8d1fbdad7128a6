import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { WorkspaceFilesDeps } from '../../../../src/editor/code/workspaceFiles.ts';
import { ManualClock } from '../../core/base/manualClock.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

/** The names in the folders of a workspace, the texts of its files, and the folders that were read. */
const host = {
  folders: {} as Record<string, Record<string, number>>,
  texts: {} as Record<string, string>,
  read: [] as string[],
  /** Called before a folder is read. */
  onRead: (_path: string): void => undefined,
};
Object.assign(globalThis, { largeWorkspace: host });
const fakeVscode = `data:text/javascript,
  const host = globalThis.largeWorkspace;
  export class Uri {
    constructor(path) { Object.assign(this, { scheme: 'file', authority: '', path, fsPath: path }); }
    static joinPath(uri, path) { return new Uri(uri.path + '/' + path); }
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
    getConfiguration: () => ({ get: (name) => settings[name], inspect: () => undefined }),
    fs: {
      readFile: async ({ path }) => new TextEncoder().encode(host.texts[path]),
      readDirectory: async ({ path }) => {
        host.read.push(path);
        host.onRead(path);
        return Object.entries(host.folders[path]);
      },
    },
  };`.replaceAll('\n', ' ');
fakeVSCode(import.meta, fakeVscode);
const { WorkspaceFiles } = await import('../../../../src/editor/code/workspaceFiles.ts');

function openFiles(): InstanceType<typeof WorkspaceFiles> {
  const deps: WorkspaceFilesDeps = {
    gitFiles: async () => undefined,
    ignoredByGit: async () => undefined,
    realPath: async (path) => path,
    clock: new ManualClock(),
    log: { defect: (_what, error) => assert.fail(String(error)) },
  };
  return new WorkspaceFiles(deps);
}

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`item${index}.ts`, 1]));

beforeEach(() => {
  host.read = [];
  host.onRead = () => undefined;
});

test('lists the first 10,000 files of a folder without git at once, then all, and reads no excluded folder', async () => {
  host.folders = {
    '/shop': { '.gitignore': 1, 'a.ts': 1, dist: 2, node_modules: 2, src: 2 },
    '/shop/src': { '.gitignore': 1, deep: 2, 'x.log': 1 },
    '/shop/src/deep': { ...many(12_000), last: 2 },
    '/shop/src/deep/last': { 'end.md': 1 },
  };
  host.texts = { '/shop/.gitignore': '/*\n!/src/\n!/a.ts\n!.gitignore\n', '/shop/src/.gitignore': '*.log\n' };
  const files = openFiles();
  const counts: (number | undefined)[] = [];
  files.onDidChange(() => counts.push(files.findFolders('deep', 1)[0]?.files));
  let readBefore: number | undefined;
  host.onRead = (path) => {
    readBefore = path.endsWith('/last') ? counts.length : readBefore;
  };
  await files.ready();
  assert.deepEqual(
    files.find('item9996', 10).map(({ path }) => path),
    ['src/deep/item9996.ts'],
  );
  await files.listed();
  assert.deepEqual(counts, [9_997, 12_001], 'the first 10,000 with the three files above the folder');
  assert.equal(readBefore, 1, 'before the remaining folders are read');
  assert.deepEqual(
    ['a.ts', '.gitignore', '.log', 'item11999'].map((query) => files.find(query, 10).map(({ path }) => path)),
    [['a.ts'], ['.gitignore', 'src/.gitignore'], [], ['src/deep/item11999.ts']],
  );
  assert.deepEqual(host.read, ['/shop', '/shop/src', '/shop/src/deep', '/shop/src/deep/last']);
  files.dispose();
});

test('applies a nested .gitignore to the files and folders below it only, after the rules above', async () => {
  host.folders = {
    '/shop': { '.gitignore': 1, app: 2, build: 2, 'server.log': 1, tool: 2 },
    '/shop/app': { '.gitignore': 1, build: 2, cache: 2, 'keep.log': 1, 'other.log': 1, src: 2 },
    '/shop/app/src': { cache: 2, 'keep.log': 1, 'm.ts': 1, 'n.map': 1 },
    '/shop/tool': { cache: 2, 'keep.log': 1, 'n.map': 1 },
    '/shop/tool/cache': { 'x.ts': 1 },
  };
  host.texts = { '/shop/.gitignore': '*.log\n/build/\n', '/shop/app/.gitignore': '!keep.log\ncache/\n/build\n*.map\n' };
  const files = openFiles();
  await files.listed();
  assert.deepEqual(
    files.find('', 20).map(({ path }) => path),
    [
      '.gitignore',
      'app/.gitignore',
      'app/keep.log',
      'tool/n.map',
      'app/src/keep.log',
      'app/src/m.ts',
      'tool/cache/x.ts',
    ],
  );
  assert.deepEqual(host.read, ['/shop', '/shop/app', '/shop/tool', '/shop/app/src', '/shop/tool/cache']);
  files.dispose();
});
