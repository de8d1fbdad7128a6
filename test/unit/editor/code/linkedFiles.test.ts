import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type * as vscode from 'vscode';
import type { ContextSources } from '../../../../src/editor/code/contextFinder.ts';
import type { IncludableContext } from '../../../../src/editor/code/foundContext.ts';
import { ignoredByGit } from '../../../../src/node/system/gitFiles.ts';
import { realPath } from '../../../../src/node/system/machine.ts';
import { makeTemporary, removeTemporary } from '../../../vscode/temporary.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const options = { skip: spawnSync('git', ['--version']).status !== 0 };
const folder = makeTemporary('links');
after(() => removeTemporary(folder));
const workspace = join(folder, 'parent');
/** The questions that a person was asked, and what they answer. */
const host = { root: workspace, asked: [] as unknown[], answer: undefined as string | undefined };
/** What VS Code's `stat` says: a link that leads nowhere has no type of its own. */
const typeOf = (path: string) =>
  (existsSync(path) ? (statSync(path).isDirectory() ? 2 : 1) : 0) | (lstatSync(path).isSymbolicLink() ? 64 : 0);
Object.assign(globalThis, {
  linkHost: host,
  linkDisk: {
    stat: async ({ path }: vscode.Uri) => ({ type: typeOf(path), size: statSync(path).size }),
    /** As VS Code's search, it leaves out what `files.exclude` has, and follows links. */
    files: (path: string) =>
      readdirSync(path, { recursive: true, encoding: 'utf8' })
        .map((name) => join(path, name))
        .filter((each) => !/\/\.git(?:\/|$)/.test(each) && (typeOf(each) & 2) === 0),
    readFile: async ({ path }: vscode.Uri) => readFileSync(path),
    text: (path: string) => readFileSync(path, 'utf8'),
    join,
  },
});
const fakeVscode = `data:text/javascript,
  const { linkHost: host, linkDisk: disk } = globalThis;
  export class Uri {
    constructor(path) { Object.assign(this, { scheme: 'file', authority: '', path, fsPath: path }); }
    static joinPath(uri, path) { return new Uri(disk.join(uri.path, path)); }
    static file(path) { return new Uri(path); }
    with({ path }) { return new Uri(path); }
    toString() { return 'file://' + this.path; }
  }
  export class CancellationTokenSource { token = {}; cancel() {} }
  export class RelativePattern { constructor(base) { this.base = base; } }
  export const FileType = { Unknown: 0, File: 1, Directory: 2 };
  const root = new Uri(host.root);
  export const commands = { executeCommand: async () => [] };
  export const extensions = { getExtension: () => ({}) };
  export const window = {
    tabGroups: { all: [] },
    visibleNotebookEditors: [],
    showWarningMessage: async (...words) => (host.asked.push(words), host.answer),
  };
  export const workspace = {
    isTrusted: true,
    textDocuments: [],
    workspaceFolders: [{ uri: root, name: 'parent', index: 0 }],
    getWorkspaceFolder: ({ path }) => path.startsWith(root.path + '/') ? { uri: root } : undefined,
    asRelativePath: ({ path }) => path.slice(root.path.length + 1),
    getConfiguration: () => ({ get: (name) => name === 'files.exclude' ? { '**/.git': true } : undefined, inspect: () => undefined }),
    openTextDocument: async (uri) => {
      const text = disk.text(uri.path);
      return { uri, languageId: 'typescript', lineCount: 2, getText: () => text };
    },
    decode: async (bytes) => new TextDecoder().decode(bytes),
    fs: disk,
    findFiles: async ({ base = root }) => disk.files(base.path).map((path) => new Uri(path)),
  };`.replaceAll('\n', ' ');
fakeVSCode(import.meta, fakeVscode);
const { findContext } = await import('../../../../src/editor/code/contextFinder.ts');
const { WorkspaceFiles } = await import('../../../../src/editor/code/workspaceFiles.ts');

/** Opens the workspace of the report, with more repositories and links in it. */
function openWorkspace(git: typeof ignoredByGit) {
  if (!existsSync(workspace)) {
    execFileSync('sh', [join(import.meta.dirname, '../../../fixtures/reports/submodules.sh')], { cwd: folder });
    execFileSync('git', ['init', '--quiet', 'nested'], { cwd: workspace });
    writeFileSync(join(workspace, 'nested', 'nestedHelpers.ts'), '');
    mkdirSync(join(workspace, 'data'));
    writeFileSync(join(workspace, 'data', 'own.ts'), 'own\n');
    writeFileSync(join(folder, 'outside', 'passwords.ts'), 'secret\n');
    symlinkSync('missing.ts', join(workspace, 'broken.ts'));
    symlinkSync('../../outside', join(workspace, 'data', 'linkedToo'));
    symlinkSync('../../outside/passwords.ts', join(workspace, 'data', 'leadsOut.ts'));
    symlinkSync('src/a.ts', join(workspace, 'leadsIn.ts'));
  }
  const files = new WorkspaceFiles(git, realPath);
  const find = async (query: string) => {
    const sources = { lastEditor: {}, files, terminals: { rows: () => [] }, changes: { rows: () => [] } };
    const rows = await findContext(query, sources as unknown as ContextSources);
    return rows.filter((row): row is IncludableContext => row.kind === 'file' || row.kind === 'folder');
  };
  return { find };
}

for (const [how, git] of [
  ['git', ignoredByGit],
  ['no git', async () => undefined],
] as const) {
  test(
    `finds files of submodules and other repositories with ${how}, and offers no link to a folder or to nothing as a file (claude-code#45601, nimbalyst#1449, cody#3098)`,
    options,
    async () => {
      const { find } = openWorkspace(git);
      const found = async (query: string) => (await find(query)).map(({ label, detail }) => `${detail}/${label}`);
      assert.deepEqual(await found('helpers'), ['third-party/lib/helpers.ts', 'nested/nestedHelpers.ts']);
      assert.deepEqual(await found('third-party/li'), ['third-party/lib/helpers.ts', 'third-party/lib/']);
      assert.deepEqual(await found('nested/'), ['/nested/', 'nested/nestedHelpers.ts']);
      const target = join(folder, 'outside', 'passwords.ts');
      assert.deepEqual(await found('linked/'), [
        '/linked/',
        'data/linkedToo/',
        `linked · link to ${target}/passwords.ts`,
        `data/linkedToo · link to ${target}/passwords.ts`,
      ]);
      assert.deepEqual(await found('broken'), []);
      assert.deepEqual(await found('leadsIn'), ['/leadsIn.ts']);
    },
  );
}

test('says where a link leads out of the workspace, and includes it only if the person agrees', options, async () => {
  const { find } = openWorkspace(ignoredByGit);
  const target = join(folder, 'outside', 'passwords.ts');
  const [row] = await find('leadsOut');
  assert.equal(row?.detail, `data · link to ${target}`);
  assert.deepEqual(await row?.read(), { pieces: [] });
  assert.deepEqual(host.asked, [
    [
      'data/leadsOut.ts is a link out of the workspace. Include the file that it leads to?',
      { modal: true, detail: target },
      'Include',
    ],
  ]);
  host.answer = 'Include';
  assert.deepEqual(
    (await row?.read())?.pieces.map(({ text }) => text),
    ['secret\n'],
  );
});

test('includes a folder without what links in it lead to outside of the workspace, and says so', options, async () => {
  const { find } = openWorkspace(ignoredByGit);
  const [row] = await find('data/');
  const { pieces, notes } = (await row?.read()) ?? {};
  assert.equal(row?.label, 'data/');
  assert.deepEqual(
    pieces?.map(({ text }) => text),
    ['=== data/own.ts ===\nown\n'],
  );
  assert.equal(
    notes?.[0],
    "Files of data that aren't included, because they're too large, no text files, or links out of the workspace: 2.",
  );
});
