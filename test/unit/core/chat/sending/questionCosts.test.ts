import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CostRange, costRange } from '../../../../../src/core/base/costRange.ts';
import { estimateTokens } from '../../../../../src/core/base/estimateTokens.ts';
import type { CodeContext } from '../../../../../src/core/chat/context/prompt.ts';
import { emptyConversation } from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { CallGate, openSenders } from '../../../../../src/core/chat/sending/callGate.ts';
import { Chat } from '../../../../../src/core/chat/sending/chat.ts';
import { openQuestionCosts } from '../../../../../src/core/chat/sending/questionCosts.ts';
import { defaultLimits, GatewayClient } from '../../../../../src/core/client/gatewayClient.ts';
import type { Usage } from '../../../../../src/core/reply/usage.ts';
import { composerView } from '../../../../../src/editor/panel/panelView.ts';
import { systemClock } from '../../../../../src/node/system/machine.ts';
import { catalogue } from '../../../../gateway/catalogue.ts';
import { randomNumbers } from '../../../../randomNumbers.ts';
import { until } from '../../../../until.ts';
import { withGateway } from '../../../gateway/askGateway.ts';
import { send } from '../../../node/network/standardNetwork.ts';
import { targetOf } from '../../../wire/wireCall.ts';
import { ManualClock } from '../../base/manualClock.ts';
import { openLimiter } from '../../usage/limiterFixture.ts';
import { anEnd, aStart, noon, openLedger } from '../../usage/memoryLedger.ts';
import { conversationOf, replyOf } from '../conversation/storedFixture.ts';
import { calmPorts } from './chatScene.ts';

const models = ['gpt-5-mini', 'claude-sonnet-4-5', 'deepseek-reasoner', 'qwen3-8b'];
const english =
  'Why does the cart round the amount of each line before it adds the tax, and where is that tested?'.split(' ');
const chinese = '购物车为什么在加税之前对每一行的金额进行四舍五入，这在哪里经过测试？'.split('');

/** The file of a question, with some lines of code. */
function codeOf(id: string, lines: number): CodeContext {
  const text = Array.from({ length: lines }, (_, at) => `  const total${at} = roundCents(cart.lines[${at}].amount);\n`);
  const path = `src/${id}.ts`;
  return { kind: 'file', id, path, languageId: 'typescript', startLine: 1, endLine: lines, text: text.join('') };
}

test('the range shown before a question contains what the gateway charges for it, in at least 90 % of 60 turns', () =>
  withGateway(
    async (gateway, key) => {
      const clock = systemClock;
      const random = randomNumbers(11);
      const below = (end: number) => Math.floor(random() * end);
      const { ledger } = openLedger({ clock });
      const client = new GatewayClient({ transport: send, clock, limits: { ...defaultLimits }, userAgent: 'test/1' });
      const gate = new CallGate({
        client,
        limiter: openLimiter(ledger, clock),
        clock,
        priceNow: () => undefined,
        log: { info() {} },
      });
      const { url } = targetOf(gateway.baseUrl, key);
      const connection = { id: 'g', name: 'work', url, headers: {}, probes: false };
      const destination = {
        findDestination: async () => ({ status: 'ready', connection, key }) as const,
        readKeys: async () => undefined,
      };
      const costs = openQuestionCosts(
        () => ledger,
        { active: connection },
        (_, id) => {
          const { inputNanoUsd = 0, outputNanoUsd = 0 } = catalogue.find((each) => each.id === id) ?? {};
          return { input: inputNanoUsd / 1_000, output: outputNanoUsd / 1_000, unit: 'USD', source: 'listed' };
        },
        clock,
        (error) => assert.fail(String(error)),
      );
      const turns: { range: CostRange; charged: number }[] = [];
      let chat: Chat | undefined;
      for (let number = 1; number <= 60; number++) {
        if (chat === undefined || random() < 0.12) {
          chat = new Chat(emptyConversation(`c${number}`, 5), false, {
            ...calmPorts,
            findSender: openSenders(destination, gate, 'test/1', { read: () => false, write: async () => undefined })
              .find,
            clock,
          });
        }
        const model = models[below(models.length)] ?? '';
        const isChinese = random() < 0.3;
        const words = isChinese ? chinese : english;
        const length = 5 + Math.floor(random() ** 2 * 200);
        const question = Array.from({ length }, () => words[below(words.length)]).join(isChinese ? '' : ' ');
        const contexts = random() < 0.3 ? [codeOf(`f${number}`, 5 + below(150))] : [];
        gateway.setFault(['usage-deepseek', 'usage-moonshot'][below(4)]);
        chat.live.setDraft({ text: '', contexts });
        // As the panel computes it from what the host sends.
        const { tokens } = composerView(chat.live.conversation, model, 'h', ledger.tokenFactor(model));
        const price = costs.price(chat.live.conversation, model) ?? assert.fail('no price');
        const range = costRange(price, tokens + estimateTokens(question));
        const calls = gateway.postCount();
        assert.ok((await chat.send({ id: `a${number}`, question, contexts, models: [model] })).ok);
        await until(() => assert.equal(chat?.isBusy, false));
        await gateway.settled();
        assert.equal(gateway.postCount(), calls + 1);
        const charged = (gateway.usageLog().at(-1)?.costMicroUsd ?? 0) / 1_000_000;
        turns.push({ range, charged });
        await gate.settled();
      }
      const right = turns.filter(
        ({ range: { low, high = Number.POSITIVE_INFINITY }, charged }) => low <= charged && charged <= high,
      );
      assert.ok(right.length >= 54, `${right.length} of 60`);
      // Ranges that say nothing would also contain it.
      const widths = turns.flatMap(({ range: { low, high } }) => (high === undefined ? [] : [high / low]));
      const median = widths.toSorted((one, other) => one - other)[Math.floor(widths.length / 2)] ?? 0;
      assert.ok(widths.length >= 30, `${widths.length} ranges have an upper end`);
      assert.ok(median < 2.5, `the upper end is usually ${median} times the lower one`);
    },
    { walletMicroUsd: 100_000_000 },
  ));

const replies = [replyOf({ id: 'r1', model: 'a', startedAt: noon, totalMs: 2_000 })];
const answered = conversationOf({ turns: [{ id: 't1', question: 'Why?', contexts: [], replies }] });

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
