import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeltaJoiner } from '../../../../src/core/chat/deltaJoiner.ts';
import { ManualClock } from '../manualClock.ts';

function joiner() {
  const clock = new ManualClock();
  const passed: string[] = [];
  const joined = new DeltaJoiner(clock, (replyId, { text, reasoning }) =>
    passed.push(`${replyId}:${text}|${reasoning}`),
  );
  return { clock, passed, joined };
}

test('passes the first piece at once and joins what follows until the next drawing', () => {
  const { clock, passed, joined } = joiner();
  joined.push('r', { text: 'a', reasoning: '' });
  joined.push('r', { text: 'b', reasoning: '' });
  joined.push('r', { text: '', reasoning: 'c' });
  assert.deepEqual(passed, ['r:a|']);
  clock.pass(33);
  assert.deepEqual(passed, ['r:a|', 'r:b|c']);
  joined.push('r', { text: 'd', reasoning: '' });
  assert.equal(passed.length, 2, 'still within the pause that the joined piece opened');
  clock.pass(33);
  clock.pass(33);
  joined.push('r', { text: 'e', reasoning: '' });
  assert.deepEqual(passed.slice(2), ['r:d|', 'r:e|']);
});

test('gives up nothing and keeps the order when something else has to be said', () => {
  const { passed, joined } = joiner();
  joined.push('r', { text: 'a', reasoning: '' });
  joined.push('r', { text: 'b', reasoning: '' });
  joined.flush();
  assert.deepEqual(passed, ['r:a|', 'r:b|']);
  joined.flush();
  assert.equal(passed.length, 2);
});

test('does not mix two replies that arrive at once, and joins the text of each', () => {
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
