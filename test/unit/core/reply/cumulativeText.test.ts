import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CumulativeText } from '../../../../src/core/reply/replyContent.ts';
import { cpuMs } from '../base/cpuMs.ts';

function read(deltas: readonly string[]): string {
  const text = new CumulativeText();
  return deltas.map((delta) => text.push(delta)).join('') + text.end();
}

test('Q36 reads cumulative deltas as the text, once', () => {
  const words = 'The answer is a longer one, in many pieces.'.split(/(?<= )/);
  const repeated = words.map((_, index) => words.slice(0, index + 1).join(''));
  assert.equal(read(repeated), words.join(''));
});

test('Q36 reads a short reply in cumulative deltas once', () => {
  const growing = ['Yes', 'Yes, it', 'Yes, it is', 'Yes, it is.'];
  assert.equal(read(growing), 'Yes, it is.');
  assert.equal(read([...growing, 'Yes, it is.']), 'Yes, it is.');
  assert.equal(read([...growing, 'Yes, it is.', 'Yes, it is.', '']), 'Yes, it is.');
  assert.equal(read(['1', '12', '123', '1234']), '1234');
  // With fewer deltas, or other text after them, they are not proven to be cumulative.
  for (const deltas of [
    ['a', 'ab', 'abc'],
    ['a', 'ab', 'abc', 'abc'],
    ['a', 'ab', 'abc', 'abcd', 'x'],
  ]) {
    assert.equal(read(deltas), deltas.join(''));
  }
});

test('reads text that repeats one sequence as ordinary deltas', () => {
  const growing = (piece: string, times: number) =>
    Array.from({ length: times }, (_, index) => piece.repeat(index + 1));
  for (const piece of ['-', '=', ' ', '\t', 'ha', '| --- ', '0123456789', '------ ']) {
    for (const times of [3, 4, 5, 12, 40]) {
      const deltas = growing(piece, times);
      assert.equal(read(deltas), deltas.join(''), `${piece} ${times}`);
      assert.equal(read([...deltas, '\n', 'text']), `${deltas.join('')}\ntext`);
    }
  }
  const doubled = Array.from({ length: 13 }, (_, index) => '-'.repeat(2 ** index));
  assert.equal(read(doubled), doubled.join(''));
  for (const deltas of [
    ['-', '--', '---', '---\n'],
    ['ha', 'haha', 'hahaha', 'hahaha', '!'],
  ]) {
    assert.equal(read(deltas), deltas.join(''));
  }
});

test('stops holding back text after a limit', () => {
  const text = new CumulativeText();
  let shown = 0;
  let sent = 0;
  for (let times = 1; times < 2_000; times++) {
    sent += times * 4;
    shown += text.push('abab'.repeat(times)).length;
  }
  assert.equal(shown, sent);
});

test('reads a long text that looks like a repetition in linear time', () => {
  const long = `${'ab'.repeat(2_000_000)}c`;
  const ms = cpuMs(() => assert.equal(read(['a', 'ab', 'aba', long]).length, 6 + long.length));
  assert.ok(ms < 2_000, `${ms} ms`);
});

test('leaves ordinary deltas unchanged, even when one repeats the start of another', () => {
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
