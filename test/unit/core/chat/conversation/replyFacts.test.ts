import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from '../../../../../src/core/chat/conversation/conversation.ts';
import { replyFacts } from '../../../../../src/core/chat/conversation/replyFacts.ts';
import { withCharges } from '../../../../../src/core/chat/conversation/withSecrets.ts';
import type { Charge } from '../../../../../src/core/reply/cost.ts';
import { conversationTotals } from '../../../../../src/editor/panel/panelView.ts';

function aReply(facts: Partial<Reply>): Reply {
  return { id: 'r', model: 'm1', host: 'h', state: 'complete', text: '', reasoning: '', startedAt: 0, ...facts };
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

const aTurn = (...replies: readonly Reply[]) => ({ id: 't', question: 'Why?', contexts: [], replies });

/** What is shown of the sums of a conversation, by model. */
function callsOf(conversation: Parameters<typeof conversationTotals>[0]) {
  return [...conversationTotals(conversation).byModel].map(([model, { calls, tokens, costs, unpriced }]) => {
    return [model, { calls, tokens, costs, unpriced }] as const;
  });
}

test('adds up the calls of all branches by model, without those that were not sent', () => {
  const usage = { promptTokens: 10, completionTokens: 5, totalTokens: 19 };
  const turns = [
    aTurn(aReply({ usage }), aReply({ model: 'm2', usage: { totalTokens: 7 } }), aReply({ state: 'waiting' })),
    { ...aTurn(aReply({ state: 'failed', problem: { kind: 'cut' }, usage: { promptTokens: 3 } })), after: null },
    aTurn(
      aReply({ state: 'stopped', isUnsent: true }),
      aReply({ state: 'failed', problem: { kind: 'secretStore' } }),
      aReply({
        state: 'failed',
        problem: { kind: 'limitReached', limit: 'calls', max: 1, used: 1, needed: 1 },
      }),
    ),
  ];
  assert.deepEqual(callsOf({ turns }), [
    ['m1', { calls: 3, tokens: 22, costs: new Map(), unpriced: 2 }],
    ['m2', { calls: 1, tokens: 7, costs: new Map(), unpriced: 1 }],
  ]);
  assert.deepEqual(callsOf({ turns: [] }), []);
});

test('adds up the costs of each unit, and counts the calls that may have cost something else', () => {
  const refused = { state: 'failed', problem: { kind: 'balanceEmpty' } } as const;
  const replies = [
    aReply({ usage: { cost: 0.25 } }),
    aReply({ usage: { cost: 0.5 } }),
    aReply({ cost: { amount: 2, unit: 'CNY', source: 'stated' } }),
    aReply({ state: 'stopped' }),
    aReply(refused),
  ];
  const [[, sums] = []] = callsOf({ turns: [aTurn(...replies)] });
  const costs = new Map([
    ['USD', 0.75],
    ['CNY', 2],
  ]);
  assert.deepEqual(sums, { calls: 5, tokens: 0, costs, unpriced: 1 });
});

test('what was charged replaces what was reported or calculated, and other replies stay as they are', () => {
  const replies = [
    aReply({ id: 'a', usage: { cost: 0.25 } }),
    aReply({ id: 'b', cost: { amount: 2, unit: 'CNY', source: 'stated' } }),
    aReply({ id: 'c' }),
    aReply({ id: 'old', usage: { cost: 0.5 } }),
  ];
  const usage = { promptTokens: 120, completionTokens: 4 };
  const charges = new Map<string, Charge>([
    ['a', { cost: { amount: 1, unit: 'USD', source: 'charged' }, usage }],
    ['b', { cost: { amount: 2.5, unit: 'USD', source: 'likely' }, usage }],
    ['other', { cost: { amount: 99, unit: 'USD', source: 'charged' } }],
  ]);
  const stored = { id: '', createdAt: 0, turns: [aTurn(...replies)], draft: { text: '', contexts: [] } };
  const shown = withCharges(stored, (id) => charges.get(id));
  const [[, sums] = []] = callsOf(shown);
  assert.deepEqual(sums, { calls: 4, tokens: 124, costs: new Map([['USD', 4]]), unpriced: 1 });
  assert.deepEqual(shown.turns[0]?.replies[0]?.usage, { cost: 0.25 }, 'reported tokens stay');
  assert.deepEqual(
    shown.turns[0]?.replies.map((reply) => replyFacts(reply).details[0]),
    ["cost $1.00 (gateway's log)", "cost $2.50 (gateway's log, likely)", 'cost unknown', 'cost $0.50 (reported)'],
  );
  assert.deepEqual(stored.turns[0]?.replies, replies);
});

test('the credit of two sites that a conversation went to is not added up', () => {
  const credit = (host: string) => aReply({ host, cost: { amount: 1, unit: 'site', source: 'stated' } });
  const costsOf = (...replies: readonly Reply[]) => [...conversationTotals({ turns: [aTurn(...replies)] }).costs];
  assert.deepEqual(costsOf(credit('a.example'), credit('a.example')), [['site', 2]]);
  assert.deepEqual(costsOf(credit('a.example'), credit('b.example'), aReply({ usage: { cost: 3 } })), [
    ['site units of a.example', 1],
    ['site units of b.example', 1],
    ['USD', 3],
  ]);
});
