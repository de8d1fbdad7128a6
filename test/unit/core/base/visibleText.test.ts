import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { visibleName, visibleText } from '../../../../src/core/base/visibleText.ts';

test('escapes characters that are invisible or reverse the order of others', () => {
  assert.equal(visibleName('a\u202Egnp.exe'), 'a\\u{202e}gnp.exe');
  assert.equal(visibleName('gpt\u200B-5\u00AD.1'), 'gpt\\u{200b}-5\\u{ad}.1');
  assert.equal(visibleName('a\nb\tc\u2028\u0000'), 'a\\u{a}b\\u{9}c\\u{2028}\\u{0}');
  assert.equal(visibleName('\u3164\u2800\u115F\uFE0F\u034F'), '\\u{3164}\\u{2800}\\u{115f}\\u{fe0f}\\u{34f}');
  assert.equal(visibleName('a\u{E0041}b'), 'a\\u{e0041}b', 'tag characters, which only a model reads');
  assert.equal(visibleName('gpt\u200D-5'), 'gpt\\u{200d}-5', 'a joiner that joins nothing');
  assert.equal(visibleText('one\r\n\ttwo\u2066'), 'one\r\n\ttwo\\u{2066}');
});

test('leaves ordinary text of any script as it is', () => {
  for (const text of [
    'deepseek/deepseek-v3.2 (free)',
    'Größe — “naïve” 42 °C\u00A0…',
    '通义千问-Max，额度',
    'می‌خواهم',
    'क्‍ष',
    'שלום עולם',
    '👩‍💻 👍🏽‍🦱 ❤️ 1️⃣ 🏳️‍🌈',
  ]) {
    assert.equal(visibleName(text), text);
    assert.equal(visibleText(text), text);
  }
});

test('leaves no invisible character in any text, and is idempotent', () => {
  const pieces = ['\u200B', '\u202E', '\u200D', '\uFE0F', '$', ']', '(', 'a', '👩', '\u0627', '\n', '\u{E0020}'];
  const text = fc.oneof(
    fc.array(fc.integer({ min: 0, max: 0x10ffff })).map((all) => String.fromCodePoint(...all)),
    fc.array(fc.constantFrom(...pieces)).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, (any) => {
      const shown = visibleName(any);
      assert.equal(visibleName(shown), shown);
      assert.doesNotMatch(shown, /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2060-\u206F\u00AD\uFEFF]/u);
      assert.equal(
        visibleText(any).replaceAll('\n', '\\u{a}').replaceAll('\r', '\\u{d}').replaceAll('\t', '\\u{9}'),
        shown,
      );
    }),
  );
});
