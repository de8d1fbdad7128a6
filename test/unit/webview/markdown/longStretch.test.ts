import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakable } from '../../../../src/webview/markdown/longStretch.ts';

const pieces = (text: string) =>
  breakable(text).map((node) => {
    if (typeof node === 'string') {
      return node;
    }
    assert.deepEqual(node, { kind: 'element', tag: 'wbr', children: [] });
    return '|';
  });

test('does not change text with spaces, or in scripts where finding line breaks is fast', () => {
  for (const text of [
    '',
    'b'.repeat(5_000),
    '語'.repeat(5_000),
    `${'ب'.repeat(400)} `.repeat(20),
    '\u{1F600}'.repeat(5_000),
  ]) {
    assert.deepEqual(breakable(text), [text]);
  }
});

test('adds line break opportunities to a run without a space that is longer than any sentence', () => {
  assert.deepEqual(pieces(`a ${'ب'.repeat(900)} c`), [
    `a ${'ب'.repeat(400)}`,
    '|',
    'ب'.repeat(400),
    '|',
    `${'ب'.repeat(100)} c`,
  ]);
  assert.deepEqual(pieces('ก'.repeat(400)), ['ก'.repeat(400)]);
});

test('never separates a letter from its marks', () => {
  const text = `${'ก'.repeat(399)}ก\u0E34\u0E48${'ก'.repeat(10)}`;
  assert.deepEqual(pieces(text), [`${'ก'.repeat(400)}\u0E34\u0E48`, '|', 'ก'.repeat(10)]);
  const onlyMarks = `ก${'\u0E34'.repeat(2_000)}`;
  assert.deepEqual(breakable(onlyMarks), [onlyMarks]);
});
