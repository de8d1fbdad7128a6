import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Conversation } from '../../../../../src/core/chat/conversation/conversation.ts';
import { emptyConversation } from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { openQuestionCosts } from '../../../../../src/core/chat/sending/questionCosts.ts';
import type { Usage } from '../../../../../src/core/reply/usage.ts';
import { systemClock } from '../../../../../src/node/system/machine.ts';
import { until } from '../../../../until.ts';
import { targetOf } from '../../../wire/wireCall.ts';
import { ManualClock } from '../../base/manualClock.ts';
import { anEnd, aStart, noon, openLedger } from '../../usage/memoryLedger.ts';

const answered: Conversation = {
  ...emptyConversation('c1', 5),
  turns: [
    {
      id: 't1',
      question: 'Why?',
      contexts: [],
      replies: [
        {
          id: 'r1',
          model: 'a',
          host: 'h',
          state: 'complete',
          text: 'Because.',
          reasoning: '',
          startedAt: noon,
          totalMs: 2_000,
        },
      ],
    },
  ],
};

/** Costs after a question to model `a`, whose gateway reported this usage. */
async function costsAfter(usage: Usage, clock = new ManualClock(noon + 60_000)) {
  const { ledger } = openLedger({ clock: systemClock });
  const call = await ledger.begin(aStart('r1', { connection: 'g', model: 'a', estimate: 10_000 }));
  await call.end(anEnd({ usage }));
  const changes: string[] = [];
  const costs = openQuestionCosts(
    () => ledger,
    {
      active: { id: 'g', name: 'work', url: targetOf('http://localhost/v1', 'k').url, headers: {}, probes: false },
    },
    (_, model) =>
      model === 'unpriced'
        ? undefined
        : {
            input: model === 'a' ? 1 : 2,
            cachedInput: 0.1,
            output: 4,
            unit: model === 'other' ? 'CNY' : 'USD',
            source: 'listed',
          },
    clock,
    (error) => assert.fail(String(error)),
  );
  costs.onDidChange(() => changes.push('read'));
  costs.price(answered, 'a');
  await until(() => assert.deepEqual(changes, ['read']));
  return { costs, clock, ledger };
}

const cachedUsage = { promptTokens: 10_000, completionTokens: 10, cachedTokens: 8_000 };

test('counts the last request as perhaps cached where the vendor caches', async () => {
  const { costs } = await costsAfter(cachedUsage);
  const range = costs.range(answered, 'a', 10_000);
  // All 10,000 tokens of the last request may be cached, or none, and the estimate may be 15 % too high or 20 % too low.
  assert.deepEqual([range?.low.toFixed(6), range?.assumed?.toFixed(6)], ['0.000850', '0.028384']);
  const { costs: uncached } = await costsAfter({ promptTokens: 10_000, completionTokens: 10, cachedTokens: 0 });
  assert.equal(uncached.range(answered, 'a', 10_000)?.low.toFixed(6), '0.008500');
});

test('counts calls that began since, and no price where none is known', async () => {
  const { costs, ledger } = await costsAfter(cachedUsage);
  assert.equal(costs.range(answered, 'unpriced', 10_000), undefined);
  assert.equal(costs.first({ text: 'Why not?', contexts: [] }, 'a')?.high, undefined);
  for (let number = 2; number <= 5; number++) {
    const call = await ledger.begin(aStart(`r${number}`, { connection: 'g', model: 'a', at: noon + number }));
    costs.price(answered, 'a');
    await call.end(anEnd({ usage: { promptTokens: 10, completionTokens: 100 } }));
  }
  await until(() => assert.equal(costs.price(answered, 'a')?.answers, 5));
  assert.ok(costs.first({ text: 'Why not?', contexts: [] }, 'a')?.high);
});
