import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeltaJoiner } from '../../../../src/editor/panel/panelUpdates.ts';
import { ManualClock } from '../../core/base/manualClock.ts';

function joiner() {
  const clock = new ManualClock();
  const passed: string[] = [];
  const replies = new Map<string, { text: string; reasoning: string }>();
  const joined = new DeltaJoiner(
    clock,
    (id) => replies.get(id),
    (id, { text, reasoning }) => passed.push(`${id}:${text}|${reasoning}`),
  );
  const push = (id: string, text: string, more = '') => {
    const before = replies.get(id);
    replies.set(id, { text: (before?.text ?? '') + text, reasoning: (before?.reasoning ?? '') + more });
    joined.push(id);
  };
  return { clock, passed, joined, push };
}

test('passes on the first delta at once and joins the following ones until the next frame', () => {
  const { clock, passed, push } = joiner();
  push('r', 'a');
  push('r', 'b');
  push('r', '', 'c');
  assert.deepEqual(passed, ['r:a|']);
  clock.pass(33);
  assert.deepEqual(passed, ['r:a|', 'r:b|c']);
  push('r', 'd');
  assert.equal(passed.length, 2, 'still within the pause that the joined delta started');
  clock.pass(33);
  clock.pass(33);
  push('r', 'e');
  assert.deepEqual(passed.slice(2), ['r:d|', 'r:e|']);
});

test('flushes all waiting text in order before another message', () => {
  const { passed, joined, push } = joiner();
  push('r', 'a');
  push('r', 'b');
  joined.flush();
  assert.deepEqual(passed, ['r:a|', 'r:b|']);
  joined.flush();
  assert.equal(passed.length, 2);
});

test('joins the text of two simultaneous replies separately', () => {
  const { clock, passed, push } = joiner();
  push('r', 'a');
  push('r', 'b');
  push('s', 'c');
  push('r', 'd');
  push('s', 'e');
  clock.pass(33);
  assert.deepEqual(passed, ['r:a|', 'r:bd|', 's:ce|']);
});

test('leaves no timer behind', () => {
  const { clock, passed, joined, push } = joiner();
  push('r', 'a');
  push('r', 'b');
  joined.dispose();
  clock.pass(100);
  assert.deepEqual(passed, ['r:a|']);
});

test('posts nothing again that the page got in another message', () => {
  const { clock, passed, joined, push } = joiner();
  push('r', 'a');
  push('r', 'b');
  joined.restart(['r']);
  push('r', 'c');
  clock.pass(33);
  assert.deepEqual(passed, ['r:a|', 'r:c|']);
});
