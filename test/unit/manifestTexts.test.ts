import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../vscode/paths.ts';

/** Checks the texts of the manifest in all languages. */

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const manifest = read('package.json');
const english: Record<string, string> = JSON.parse(read('package.nls.json'));
const translations = globSync('package.nls.*.json', { cwd: projectRoot }).map((path) => ({
  path,
  texts: JSON.parse(read(path)) as Record<string, string>,
}));

/** Names of the product, which are the same in all languages. */
const names = new Set(['Ask Model']);

/** All texts of a part of the manifest, other than names; `key` is the field that holds it. */
function textsOf(value: unknown, key = ''): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((each) => textsOf(each, key));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, each]) => textsOf(each, name));
  }
  const isText =
    /^(?:title|category|name|label|altText|contents|contextualTitle|displayName|\w*[dD]escriptions?)$/.test(key);
  return isText && !names.has(String(value)) ? [String(value)] : [];
}

test('every text of the manifest is in package.nls.json, which has no others', () => {
  const { name: _, ...rest } = JSON.parse(manifest);
  assert.deepEqual(
    [...new Set(textsOf(rest))].sort(),
    Object.keys(english)
      .map((key) => `%${key}%`)
      .sort(),
  );
});

test('every translation of the manifest is complete, with the same links, settings and ellipses', () => {
  const linksOf = (text = '') => [...text.matchAll(/\(command:[^)]+\)|`#[\w.]+#`/g)].map(([link]) => link);
  const labelsOf = (text = '') => [text, ...[...text.matchAll(/\[([^\]]+)\]/g)].map(([, label = '']) => label)];
  assert.deepEqual(
    translations.map(({ path }) => path),
    ['package.nls.zh-cn.json'],
  );
  for (const { texts } of translations) {
    assert.deepEqual(Object.keys(texts), Object.keys(english));
    for (const [key, text] of Object.entries(english)) {
      assert.deepEqual(linksOf(texts[key]), linksOf(text), key);
      const endsIn = (all: string | undefined) => labelsOf(all).map((each) => each.endsWith('…'));
      assert.deepEqual(endsIn(texts[key]), endsIn(text), key);
      assert.notEqual(texts[key], text, key);
    }
  }
});
