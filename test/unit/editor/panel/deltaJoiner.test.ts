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
