import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withoutLongClusters } from '../../../../src/webview/page/longCluster.ts';

const marks = (length: number) => '\u0301'.repeat(length);

test('does not change text that occurs in any language', () => {
  for (const text of [
    '',
    'e\u0301',
    `a${marks(30)}b${marks(30)}`,
    '\u{1F44D}\u{1F3FB}',
    'ก็',
    '\u0F40\u0FB3\u0F71\u0F7C',
  ]) {
    assert.equal(withoutLongClusters(text), text);
  }
});

test('limits the marks on one letter to thirty, whatever their kind', () => {
  assert.equal(withoutLongClusters(`a${marks(31)}b${marks(2)}`), `a${marks(30)}b${marks(2)}`);
  assert.equal(withoutLongClusters(marks(1_000_000)), marks(30));
  assert.equal(withoutLongClusters('\u{1F3FB}'.repeat(31)), '\u{1F3FB}'.repeat(30));
  assert.equal(withoutLongClusters(`a${'\u{1D165}'.repeat(40)}`), `a${'\u{1D165}'.repeat(30)}`);
});

test('gives the same result for a text in pieces as for the whole text, wherever it is cut', () => {
  const part = fc.oneof(
    fc.constantFrom('a', ' ', '\n', '\u{1F600}', '\u{1F3FB}', '\u0301', '\u{1D165}'),
    fc.integer({ min: 1, max: 80 }).map(marks),
    fc.integer({ min: 1, max: 80 }).map((length) => '\u{1F3FC}'.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(fc.array(part, { maxLength: 6 })), (pieces) => {
      let before = '';
      let drawn = '';
      for (const piece of pieces.map((parts) => parts.join(''))) {
        drawn += withoutLongClusters(piece, before);
        before += piece;
      }
      assert.equal(drawn, withoutLongClusters(before));
    }),
  );
});
