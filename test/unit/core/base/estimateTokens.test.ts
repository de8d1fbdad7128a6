import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateTokens } from '../../../../src/core/base/estimateTokens.ts';
import { leastCpuMs } from './cpuMs.ts';

/** Counts of o200k_base. */
const counted: { readonly [text: string]: number } = {
  'Hello, world! This is a test.': 9,
  'The ferry left the harbor a little after six, when the first light was already lying on the water.': 21,
  '免疫系统依靠淋巴细胞表面的受体来区分自身分子与外来分子。': 21,
  'const x = (a: string) => `${a}`;\n    return 12345;\n': 18,
};

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
