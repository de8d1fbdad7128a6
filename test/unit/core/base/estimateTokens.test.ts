import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { estimateTokens } from '../../../../src/core/base/estimateTokens.ts';
import { anyCharacter } from '../../propertyRuns.ts';
import { leastCpuMs } from './cpuMs.ts';

/** Counts of o200k_base. */
const counted: { readonly [text: string]: number } = {
  'Hello, world! This is a test.': 9,
  'The ferry left the harbor a little after six, when the first light was already lying on the water.': 21,
  '免疫系统依靠淋巴细胞表面的受体来区分自身分子与外来分子。': 21,
  'const x = (a: string) => `${a}`;\n    return 12345;\n': 18,
};

/** Texts of several scripts, with words, code, blanks and halves of surrogate pairs. */
const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(...'abcXYZ059 \n\t-=(é你は한жا，—', ' ', 'word', 'CamelCase', '    ', '😀', '\ud83d', '\ude00'),
    )
    .map((parts) => parts.join('')),
);

test('estimates about as many tokens as a tokenizer counts', () => {
  for (const [text, tokens] of Object.entries(counted)) {
    const estimate = estimateTokens(text);
    assert.ok(Math.abs(estimate / tokens - 1) <= 0.25, `${estimate} instead of ${tokens}: ${text}`);
  }
});

test('estimates no token for no text, and at least one for any other', () => {
  assert.equal(estimateTokens(''), 0);
  for (const text of [' ', '\n', '.', 'a', '我', '\ud83d', '\0']) {
    assert.ok(estimateTokens(text) >= 1, JSON.stringify(text));
  }
  fc.assert(fc.property(anyText, (text) => estimateTokens(text) >= (text === '' ? 0 : 1)));
});

test('estimates for two texts together no less than for the first, and at most one more than for both', () => {
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      const both = estimateTokens(one + other);
      assert.ok(both <= estimateTokens(one) + estimateTokens(other) + 1, `${both}`);
      assert.ok(both >= estimateTokens(one), `${both}`);
    }),
  );
});

test('counts the halves of a surrogate pair alike, together or apart', () => {
  const pair = estimateTokens('😀'.repeat(100));
  assert.equal(estimateTokens('\ud83d'.repeat(200)), pair);
  assert.ok(pair >= 100);
});

test('counts indentation once, and long words in pieces', () => {
  const line = estimateTokens('    return value;\n'.repeat(100));
  assert.ok(Math.abs(estimateTokens('            return value;\n'.repeat(100)) / line - 1) < 0.1);
  assert.ok(estimateTokens('x'.repeat(10_000)) > 2_000);
  assert.ok(estimateTokens('getUserNameById') > estimateTokens('get user'));
});

test('estimates a megabyte of any kind of text in a few milliseconds', () => {
  for (const piece of ['word ', 'x', ' ', '\n', '你好，', '😀', '});\n    const a0 = "é";', '-', 'aB', '7']) {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    estimateTokens(text);
    const ms = leastCpuMs(200, () => estimateTokens(text));
    assert.ok(ms < 200, `${JSON.stringify(piece)}: ${ms} ms`);
  }
});
