import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedLines, diffFiles, isDerived } from '../../../../../src/core/chat/context/diffFiles.ts';

const diff = [
  '* Unmerged path both.ts',
  'diff --git a/a b.txt b/a b.txt',
  'index 1..2 100644',
  '--- a/a b.txt',
  '+++ b/a b.txt',
  '@@ -3,3 +3,3 @@ function a() {',
  ' same',
  '-diff --git a/no b/no',
  '+diff --git a/yes b/yes\r',
  ' same',
  '@@ -20 +20,0 @@',
  '-gone',
  '\\ No newline at end of file',
  'diff --git a/old.ts b/new name.ts',
  'similarity index 100%',
  'rename from old.ts',
  'rename to new name.ts',
  'diff --git "a/q\\"uote.txt" "b/q\\"uote.txt"',
  'new file mode 100644',
  'diff --cc merged.ts',
  '@@@ -1,1 -1,1 +1,2 @@@',
  '- one',
  '',
].join('\n');

test('splits a diff into its files without losing a byte, whatever their lines look like', () => {
  const files = diffFiles(diff);
  assert.deepEqual(
    files.map(({ path }) => path),
    ['a b.txt', 'new name.ts', 'q\\"uote.txt', 'merged.ts'],
  );
  assert.equal(files.map(({ text }) => text).join(''), diff);
  assert.deepEqual(diffFiles(''), []);
});

test('finds the changed lines of a file with their numbers after the change', () => {
  const [first, second] = diffFiles(diff);
  assert.deepEqual(first && changedLines(first), [
    { line: 4, text: 'diff --git a/no b/no' },
    { line: 4, text: 'diff --git a/yes b/yes\r' },
    { line: 20, text: 'gone' },
  ]);
  assert.deepEqual(second && changedLines(second), []);
});

test('knows lock files, minified files and source maps by their names, and no file that somebody writes', () => {
  for (const path of [
    'package-lock.json',
    'web/yarn.lock',
    'pnpm-lock.yaml',
    'Cargo.lock',
    'bun.lockb',
    'gradle.lockfile',
    'go.sum',
    'packages.lock.json',
    'npm-shrinkwrap.json',
    'dist/app.min.js',
    'dist/app.js.map',
  ]) {
    assert.ok(isDerived(path), path);
  }
  for (const path of [
    'src/lock.ts',
    'padlock.json',
    'src/locks/block.yaml',
    'go.mod',
    'map.js',
    'min.css',
    'a.lock/b',
  ]) {
    assert.ok(!isDerived(path), path);
  }
});
