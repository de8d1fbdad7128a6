import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from '../../../../../src/core/chat/conversation/conversation.ts';
import { replyFacts } from '../../../../../src/core/chat/conversation/replyFacts.ts';

function aReply(facts: Partial<Reply>): Reply {
  return { id: 'r1', model: 'm', host: 'h', state: 'complete', text: '', reasoning: '', startedAt: 0, ...facts };
}

const usage = { promptTokens: 1_204, cachedTokens: 812, completionTokens: 356, reasoningTokens: 40 };

test('says first what an answer cost, then its tokens, its time and how the cost is known, and details exactly', () => {
  const cost = { amount: 0.000421, unit: 'USD', source: 'vendor' } as const;
  const facts = { usage, cost, firstTokenMs: 600, totalMs: 6_240, finishReason: 'stop', requestId: 'q-1' };
  assert.deepEqual(replyFacts(aReply(facts)), {
    line: ['under $0.001', '1,204 in', '356 out', '6.2 s', "vendor's list price"],
    details: [
      "cost ≈ $0.00042 (vendor's list price)",
      '1,204 in (812 cached)',
      '356 out (40 reasoning)',
      '6.2 s',
      'first token 0.6 s',
      '63 tok/s',
      'finish reason stop',
      'request q-1',
    ],
  });
});

test('says what is unknown of an answer, and nothing of the figures of a call that was refused or failed', () => {
  assert.deepEqual(replyFacts(aReply({ state: 'stopped', totalMs: 900 })).line, [
    'cost unknown',
    'usage not reported',
    '0.9 s',
  ]);
  const failed = {
    state: 'failed',
    problem: { kind: 'rateLimited', status: 429 },
    totalMs: 40,
    requestId: 'q-1',
  } as const;
  assert.deepEqual(replyFacts(aReply(failed)), { line: [], details: ['40 ms', 'request q-1'] });
  const { line } = replyFacts(aReply({ ...failed, usage }));
  assert.deepEqual(line, ['cost unknown', '1,204 in', '356 out', '40 ms']);
});
