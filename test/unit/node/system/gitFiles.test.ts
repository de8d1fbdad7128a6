import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ignoredByGit } from '../../../../src/node/system/gitFiles.ts';
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

test('finds the paths that are ignored, however they are named', { skip: !hasGit }, async () => {
  const folder = repository();
  spawnSync('git', ['add', '--force', 'a.log'], { cwd: folder });
  const names = [
    'a.log',
    'b.log',
    ':b.log',
    '[b].log',
    'ü.log',
    'a.ts',
    'missing/x.log',
    'src/local',
    'src/local/x.ts',
  ];
  assert.deepEqual(
    await ignoredByGit(folder, names),
    names.filter((name) => !['a.log', 'a.ts'].includes(name)),
  );
  assert.deepEqual(await ignoredByGit(folder, ['a.ts']), []);
  assert.deepEqual(await ignoredByGit(join(folder, 'src'), ['local/x.ts', 'x.ts']), ['local/x.ts']);
});

test('finds no ignored paths outside of a repository, and none in a folder that is ignored as a whole', async () => {
  assert.equal(await ignoredByGit(makeTemporary('plain'), ['a.ts']), undefined);
  assert.equal(await ignoredByGit(join(makeTemporary('plain'), 'missing'), ['a.ts']), undefined);
  if (hasGit) {
    assert.equal(await ignoredByGit(join(repository(), 'src/local'), ['x.ts']), undefined);
  }
});

test('runs no program that the repository configures', { skip: !hasGit }, async () => {
  const folder = repository();
  const mark = join(folder, 'ran');
  spawnSync('git', ['config', 'core.fsmonitor', `touch "${mark}"; echo`], { cwd: folder });
  assert.deepEqual(await ignoredByGit(folder, ['a.ts']), []);
  assert.equal(existsSync(mark), false);
});
