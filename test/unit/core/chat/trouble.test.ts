import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from '../../../../src/core/chat/conversation.ts';
import { retriesOf, troubleOf } from '../../../../src/core/chat/trouble.ts';

const ended = (part: Partial<Reply>): Reply => ({
  id: 'r',
  model: 'm',
  host: 'h',
  state: 'complete',
  text: 'Half',
  reasoning: '',
  startedAt: 5,
  ...part,
});

test('offers to continue what ended at its length limit, as the paid call it is, and nothing else', () => {
  for (const finishReason of ['length', 'MAX_TOKENS']) {
    assert.deepEqual(troubleOf(ended({ finishReason }))?.actions, [
      { action: 'continue', label: 'Continue (a new paid call)' },
    ]);
  }
  for (const part of [{}, { finishReason: 'stop' }, { finishReason: 'length', state: 'stopped' as const }]) {
    const actions = troubleOf(ended(part))?.actions ?? [];
    assert.ok(!actions.some(({ action }) => action === 'continue'), JSON.stringify(part));
  }
});

test('offers each way to another reply once, none while it runs or arrives elsewhere', () => {
  assert.deepEqual(retriesOf(ended({})), ['sendAgain', 'askOther']);
  assert.deepEqual(retriesOf(ended({ finishReason: 'length' })), ['sendAgain', 'askOther']);
  assert.deepEqual(retriesOf(ended({ state: 'stopped' })), ['askOther'], 'its card has the other');
  assert.deepEqual(retriesOf(ended({ state: 'failed', problem: { kind: 'cut' } })), ['askOther']);
  assert.deepEqual(retriesOf(ended({ state: 'incomplete', problem: { kind: 'elsewhere' } })), []);
  for (const state of ['waiting', 'streaming'] as const) {
    assert.deepEqual(retriesOf(ended({ state })), []);
  }
});

test('counts the wait a gateway asks for from the end of its answer, and believes no more than a day', () => {
  const until = (problem: Reply['problem'], totalMs?: number) =>
    troubleOf(ended({ state: 'failed', ...(problem && { problem }), ...(totalMs !== undefined && { totalMs }) }))
      ?.waitUntil;
  assert.equal(until({ kind: 'rateLimited', retryAfterMs: 7_000 }, 400), 5 + 400 + 7_000);
  assert.equal(until({ kind: 'rateLimited', retryAfterMs: 1e15 }), 5 + 86_400_000);
  assert.equal(until({ kind: 'rateLimited', retryAfterMs: -5 }), undefined);
  assert.equal(until({ kind: 'rateLimited', retryAfterMs: Number.NaN }), undefined);
  assert.equal(until({ kind: 'rateLimited' }), undefined);
  assert.equal(until({ kind: 'gatewayDown' }), undefined);
});
