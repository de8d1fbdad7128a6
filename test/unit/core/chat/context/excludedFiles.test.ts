import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excludedFiles, withoutBraces } from '../../../../../src/core/chat/context/excludedFiles.ts';

test('excludes what the patterns of the settings match, as VS Code does', () => {
  const isExcluded = excludedFiles(['**/node_modules', '**/*.{png,jpg}', 'out', '**/.env*', 'a/*.log'], []);
  const all = [
    'node_modules/x/index.js',
    'packages/a/node_modules/y.js',
    'logo.png',
    'img/photo.jpg',
    'out/main.js',
    '.env',
    'deep/.env.local',
    'a/x.log',
  ];
  assert.deepEqual(
    all.filter((path) => !isExcluded(path)),
    [],
  );
  const others = ['src/out/main.ts', 'node_modules.md', 'photo.jpeg', 'b/a/x.log', 'environment.ts'];
  assert.deepEqual(others.filter(isExcluded), []);
});

test('applies each .gitignore below its own folder, the innermost last', () => {
  const isExcluded = excludedFiles(
    [],
    [
      { folder: 'packages/app', text: '!keep.log\n/build\n' },
      { folder: '', text: '*.log\n# a comment\n\ndist/\n' },
    ],
  );
  for (const path of ['a.log', 'x/b.log', 'dist/a.js', 'packages/app/build/a.js', 'packages/app/other.log']) {
    assert.equal(isExcluded(path), true, path);
  }
  for (const path of ['packages/app/keep.log', 'build/a.js', 'src/dist.ts', 'packages/application/build/x']) {
    assert.equal(isExcluded(path), false, path);
  }
});

test('excludes nothing without patterns', () => {
  assert.equal(excludedFiles([], [])('src/a.ts'), false);
});

test('leaves out a pattern with more alternatives than anyone writes', () => {
  assert.deepEqual(withoutBraces('{a,b}.{c,{d,e}}'), ['a.c', 'a.d', 'a.c', 'a.e', 'b.c', 'b.d', 'b.c', 'b.e']);
  assert.deepEqual(withoutBraces('{a,b}'.repeat(60)), []);
});
