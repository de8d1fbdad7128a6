import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { textsByKey, translationsOf } from '../../../../src/core/base/translations.ts';
import { projectRoot } from '../../../vscode/paths.ts';

test('finds the translation of every key', () => {
  const chinese = JSON.parse(readFileSync(join(projectRoot, 'l10n', 'bundle.l10n.zh-cn.json'), 'utf8'));
  const found = textsByKey(translationsOf(chinese));
  for (const [key, text] of Object.entries(chinese)) {
    assert.equal(found[key], text);
  }
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.string()), (bundle) => {
      const found = textsByKey(JSON.parse(JSON.stringify(translationsOf(bundle))));
      assert.ok(Object.entries(bundle).every(([key, text]) => found[key] === text));
    }),
  );
});

test('takes another hash where two keys would have the same', () => {
  const bundle = { 'Find all Answer': '1', 'Remove all Find': '2' };
  const translations = translationsOf(bundle);
  assert.equal(translations.seed, 2);
  const found = textsByKey(translations);
  assert.deepEqual(
    Object.keys(bundle).map((key) => found[key]),
    ['1', '2'],
  );
});
