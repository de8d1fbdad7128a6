import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Masks } from '../../../../src/core/chat/masking/masks.ts';
import { DeltaJoiner } from '../../../../src/editor/panel/panelUpdates.ts';
import { ManualClock } from '../../core/base/manualClock.ts';

function joiner() {
  const clock = new ManualClock();
  const passed: string[] = [];
  const joined = new DeltaJoiner(clock, new Masks('abcdefghijkl'), (replyId, { text, reasoning }) =>
    passed.push(`${replyId}:${text}|${reasoning}`),
  );
  return { clock, passed, joined };
}

test('passes on the first delta at once and joins the following ones until the next frame', () => {
  const { clock, passed, joined } = joiner();
  joined.push('r', { text: 'a', reasoning: '' });
  joined.push('r', { text: 'b', reasoning: '' });
  joined.push('r', { text: '', reasoning: 'c' });
  assert.deepEqual(passed, ['r:a|']);
  clock.pass(33);
  assert.deepEqual(passed, ['r:a|', 'r:b|c']);
  joined.push('r', { text: 'd', reasoning: '' });
  assert.equal(passed.length, 2, 'still within the pause that the joined delta started');
  clock.pass(33);
  clock.pass(33);
  joined.push('r', { text: 'e', reasoning: '' });
  assert.deepEqual(passed.slice(2), ['r:d|', 'r:e|']);
});

test('makes deltas of very fast text larger and the pauses longer, up to a limit', () => {
  const { clock, passed, joined } = joiner();
  /** Pushes text at a steady speed for a second. @returns the lengths of the deltas that were passed on. */
  const pieces = (charactersPerMs: number) => {
    passed.length = 0;
    for (let ms = 0; ms < 1_000; ms++) {
      joined.push('r', { text: 'x'.repeat(charactersPerMs), reasoning: '' });
      clock.pass(1);
    }
    return passed.map((each) => each.length - 'r:|'.length);
  };
  assert.equal(pieces(2).length, 31, 'at a normal speed');
  clock.pass(1_000);
  assert.equal(pieces(5).length, 13, 'more than twice as fast');
  clock.pass(1_000);
  const [first, ...rest] = pieces(10);
  assert.equal(first, 10, 'the first one at once');
  // Rounded: a delta has one push more or less when push and timer are due in the same millisecond.
  assert.deepEqual(
    rest.map((length) => Math.round(length / 100)),
    Array(6).fill(15),
  );
});

test('flushes all held text in order before another message', () => {
  const { passed, joined } = joiner();
  joined.push('r', { text: 'a', reasoning: '' });
  joined.push('r', { text: 'b', reasoning: '' });
  joined.flush();
  assert.deepEqual(passed, ['r:a|', 'r:b|']);
  joined.flush();
  assert.equal(passed.length, 2);
});

test('joins the text of two simultaneous replies separately', () => {
  const { clock, passed, joined } = joiner();
  joined.push('r', { text: 'a', reasoning: '' });
  joined.push('r', { text: 'b', reasoning: '' });
  joined.push('s', { text: 'c', reasoning: '' });
  joined.push('r', { text: 'd', reasoning: '' });
  joined.push('s', { text: 'e', reasoning: '' });
  clock.pass(33);
  assert.deepEqual(passed, ['r:a|', 'r:bd|', 's:ce|']);
});

test('leaves no timer behind', () => {
  const { clock, passed, joined } = joiner();
  joined.push('r', { text: 'a', reasoning: '' });
  joined.push('r', { text: 'b', reasoning: '' });
  joined.dispose();
  clock.pass(100);
  assert.deepEqual(passed, ['r:a|']);
});
