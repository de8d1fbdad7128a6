import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CumulativeText } from '../../../../src/core/gateway/cumulativeText.ts';

function read(deltas: readonly string[]): string {
  const text = new CumulativeText();
  return deltas.map((delta) => text.push(delta)).join('') + text.end();
}

test('Q36 reads deltas that repeat all of the text as the text, once', () => {
  const words = 'The answer is a longer one, in many pieces.'.split(/(?<= )/);
  const repeated = words.map((_, index) => words.slice(0, index + 1).join(''));
  assert.equal(read(repeated), words.join(''));
});

test('leaves ordinary deltas as they are, also when two of them look alike at the start', () => {
  assert.equal(read(['a', 'ab', 'abc', 'x']), 'aababcx');
  assert.equal(read(['\n', '\n\n', 'text']), '\n\n\ntext');
  assert.equal(read(['He', 'Hello']), 'HeHello');
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 4 })), (deltas) => {
      const isPlain = deltas.every((delta, index) => index === 0 || !delta.startsWith(deltas[index - 1] ?? ''));
      fc.pre(isPlain);
      assert.equal(read(deltas), deltas.join(''));
    }),
  );
});
