import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gitFiles } from '../../../../src/node/system/gitFiles.ts';
import { makeTemporary } from '../../../vscode/temporary.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;

function repository(): string {
  const folder = makeTemporary('git');
  spawnSync('git', ['init', '--quiet'], { cwd: folder });
  for (const [path, text] of [
    ['.gitignore', '*.log\n'],
    ['a.ts', ''],
    ['a.log', ''],
    ['src/ümlaut and space.ts', ''],
    ['src/.gitignore', '/local\n'],
    ['src/local/x.ts', ''],
  ] as const) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  spawnSync('git', ['add', 'a.ts'], { cwd: folder });
  return folder;
}

test('lists tracked and other files without those that are ignored', { skip: !hasGit }, async () => {
  const folder = repository();
  const all = ['.gitignore', 'a.ts', 'src/.gitignore', 'src/ümlaut and space.ts'];
  assert.deepEqual((await gitFiles(folder))?.toSorted(), all.toSorted());
  assert.deepEqual((await gitFiles(join(folder, 'src')))?.toSorted(), ['.gitignore', 'ümlaut and space.ts']);
});

test('runs no program that the repository configures', { skip: !hasGit }, async () => {
  const folder = repository();
  const mark = join(folder, 'ran');
  spawnSync('git', ['config', 'core.fsmonitor', `touch "${mark}"; echo`], { cwd: folder });
  assert.ok(await gitFiles(folder));
  assert.equal((await gitFiles(folder))?.includes('ran'), false);
});

test('has no list for a folder outside of a repository, an empty one, and one that does not exist', async () => {
  const folder = makeTemporary('plain');
  writeFileSync(join(folder, 'a.ts'), '');
  assert.equal(await gitFiles(folder), undefined);
  assert.equal(await gitFiles(join(folder, 'missing')), undefined);
});
