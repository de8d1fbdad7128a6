import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkspaceFilesDeps } from '../../../../src/editor/code/workspaceFiles.ts';
import { ManualClock } from '../../core/base/manualClock.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

/** The files of a file system that VS Code can't search. */
const disk: Record<string, string> = {
  '/shop/a.ts': '',
  '/shop/.gitignore': '*.log\n',
  '/shop/x.log': '',
  '/shop/src/b.ts': '',
  '/shop/src/deep/c.ts': '',
  '/shop/node_modules/lib/index.js': '',
};
Object.assign(globalThis, { virtualDisk: disk });
const fakeVscode = `data:text/javascript,
  const disk = globalThis.virtualDisk;
  export class Uri {
    constructor(path) { Object.assign(this, { scheme: 'memfs', authority: '', path }); }
    static joinPath(uri, path) { return new Uri(uri.path + '/' + path); }
    with({ path }) { return new Uri(path); }
    toString() { return 'memfs:' + this.path; }
  }
  export const FileType = { File: 1, Directory: 2 };
  const root = new Uri('/shop');
  const settings = { 'search.exclude': { '**/node_modules': true } };
  export const workspace = {
    isTrusted: true,
    workspaceFolders: [{ uri: root, name: 'shop', index: 0 }],
    getWorkspaceFolder: () => ({ uri: root }),
    asRelativePath: ({ path }) => path.slice('/shop/'.length),
    getConfiguration: () => ({ get: (name) => settings[name], inspect: () => undefined }),
    fs: {
      stat: async () => ({ type: 1 }),
      readFile: async ({ path }) => new TextEncoder().encode(disk[path]),
      readDirectory: async ({ path: folder }) => {
        if (folder.includes('node_modules')) { throw new Error('not needed'); }
        const below = Object.keys(disk).filter((path) => path.startsWith(folder + '/'));
        const names = below.map((path) => path.slice(folder.length + 1));
        const found = new Map(names.map((name) => [name.split('/')[0], name.includes('/') ? 2 : 1]));
        if (found.size === 0) { throw new Error('no permission'); }
        return [...found, ['loop', 64 + 2], ...(folder === '/shop' ? [['locked', 2]] : [])];
      },
    },
  };`.replaceAll('\n', ' ');
fakeVSCode(import.meta, fakeVscode);
const { WorkspaceFiles } = await import('../../../../src/editor/code/workspaceFiles.ts');

test('lists the files of a virtual workspace that VS Code can’t search, without git', async () => {
  const fail = async () => assert.fail('git can’t read it');
  const deps: WorkspaceFilesDeps = {
    gitFiles: fail,
    ignoredByGit: fail,
    realPath: fail,
    clock: new ManualClock(),
    log: { defect: (_what, error) => assert.fail(String(error)) },
  };
  const files = new WorkspaceFiles(deps);
  await files.listed();
  assert.deepEqual(
    files.find('', 10).map(({ path }) => path),
    ['a.ts', '.gitignore', 'src/b.ts', 'src/deep/c.ts'],
  );
  assert.deepEqual(
    files.findFolders('src', 10).map(({ path, files: count }) => [path, count]),
    [
      ['src', 2],
      ['src/deep', 1],
    ],
  );
  const [listed] = files.find('a.ts', 1);
  assert.ok(listed);
  const log = listed.uri.with({ path: '/shop/x.log' });
  const elsewhere = listed.uri.with({ path: '/shop/../x.log' });
  assert.deepEqual([...(await files.excluded([listed.uri, log, elsewhere]))], [log]);
  files.dispose();
});
