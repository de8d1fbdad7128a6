import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffFiles, isDerived, quotedLine } from '../../../../../src/core/chat/context/diffFiles.ts';

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

test('finds the changed line that a finding quotes, with its number after the change, nearest to the one it names', () => {
  const lineOf = (quote: string, line = 1, path = 'a b.txt') => quotedLine(['', diff], path, line, quote);
  assert.equal(lineOf('diff --git a/yes b/yes'), 4);
  assert.equal(lineOf('+diff --git a/yes b/yes '), 4);
  assert.equal(lineOf('- gone', 9, './a b.txt'), 20);
  const twice = 'diff --git a/a.ts b/a.ts\n@@ -1,2 +1,3 @@\n+same\n x\n+same\n';
  assert.deepEqual([quotedLine([twice], 'a.ts', 1, 'same'), quotedLine([twice], 'a.ts', 9, 'same')], [1, 3]);
  for (const [quote, path] of [
    ['same', 'a b.txt'],
    ['', 'a b.txt'],
    ['gone', 'merged.ts'],
    ['+++ b/a b.txt', 'a b.txt'],
  ] as const) {
    assert.equal(lineOf(quote, 4, path), undefined);
  }
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
    'App.xcworkspace/xcshareddata/swiftpm/Package.resolved',
    'infra/.terraform.lock.hcl',
    'pylock.toml',
    '.pnp.cjs',
    'dist/app.min.mjs',
    'dist/app.d.ts.map',
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
