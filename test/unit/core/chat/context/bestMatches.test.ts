import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestMatches } from '../../../../../src/core/chat/context/bestMatches.ts';

const paths = [
  'README.md',
  'src/cart/cart.ts',
  'src/cart/discount.ts',
  'src/context/finder.ts',
  'src/chat/contextFinder.ts',
  'test/cart.test.ts',
  'docs/购物车折扣.md',
  'src/naïve/größe.ts',
];
const search = (all: readonly string[], query: string, limit = 10) => bestMatches(all, (path) => path, query, limit);
const find = (query: string, limit?: number) => search(paths, query, limit);

test('finds files by letters of their names in order, in any case and script', () => {
  assert.deepEqual(find('ctxf'), ['src/chat/contextFinder.ts', 'src/context/finder.ts']);
  assert.equal(find('DISC')[0], 'src/cart/discount.ts');
  assert.deepEqual(find('折扣'), ['docs/购物车折扣.md']);
  assert.deepEqual(find('größe'), ['src/naïve/größe.ts']);
  assert.deepEqual(find('.md').toSorted(), ['README.md', 'docs/购物车折扣.md']);
  assert.deepEqual(find('nothing like it'), []);
});

test('ranks matches of the file name before those of the folder, and finds both by a path', () => {
  assert.deepEqual(find('cart').slice(0, 2), ['src/cart/cart.ts', 'test/cart.test.ts']);
  assert.ok(find('cart').includes('src/cart/discount.ts'));
  assert.equal(find('cart/disc')[0], 'src/cart/discount.ts');
});

test('returns the first files without letters, and never more than the limit', () => {
  assert.deepEqual(find('', 2), ['README.md', 'src/cart/cart.ts']);
  assert.equal(find('t', 3).length, 3);
});

test('takes any text as a query', () => {
  for (const query of ['(', '[a-', '\\', '*', '/', '//', '.', "'", '"x', '-a', '😀', 'a'.repeat(500)]) {
    assert.ok(find(query).length <= paths.length, query);
  }
});

test('finds a name among 50,000, also when nearly all match', () => {
  const many = Array.from({ length: 50_000 }, (_, index) => `src/part${index % 97}/file${index}.ts`);
  assert.equal(search(many, 'file49999', 30)[0], 'src/part44/file49999.ts');
  assert.equal(search(many, 'file', 30).length, 30);
  assert.deepEqual(search([], 'x', 30), []);
});
