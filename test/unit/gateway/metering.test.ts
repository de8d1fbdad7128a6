import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { costMicroUsd, estimatePromptTokens, estimateTokens, formatUsd } from '../../gateway/chat/metering.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { ask, askChat, chatBody, chunksOf, streamedText, withGateway } from './askGateway.ts';

function charged(gateway: Gateway): number {
  return gateway.usageLog().reduce((sum, entry) => sum + entry.costMicroUsd, 0);
}

describe('metering', () => {
  it('counts a token for every four characters, and four for each message', () => {
    assert.equal(estimateTokens(''), 0);
    assert.equal(estimateTokens('12345'), 2);
    assert.equal(estimatePromptTokens([{ role: 'user', text: '12345678' }]), 6);
  });

  it('rounds the cost up once, with integers', () => {
    assert.equal(costMicroUsd({ inputNanoUsd: 35, outputNanoUsd: 138 }, 1, 1), 1);
    assert.equal(costMicroUsd({ inputNanoUsd: 100, outputNanoUsd: 400 }, 50, 0), 5);
    assert.equal(costMicroUsd({ inputNanoUsd: 0, outputNanoUsd: 0 }, 9999, 9999), 0);
  });

  it('formats amounts as dollars', () => {
    assert.deepEqual([0, 1, 1_500_000, -20].map(formatUsd), ['$0.00', '$0.000001', '$1.50', '-$0.00002']);
  });

  it('charges the reported usage for streams and for single bodies, and the log adds up to the wallet', () =>
    withGateway(async (gateway, key) => {
      const before = gateway.walletMicroUsd();
      const stream = await askChat(gateway, key);
      const plain = await askChat(gateway, key, chatBody({ stream: false }));
      await gateway.settled();
      const usage = chunksOf(stream.text).at(-1)?.usage;
      assert.deepEqual((JSON.parse(plain.text) as { usage: unknown }).usage, usage);
      for (const [index, entry] of gateway.usageLog().entries()) {
        assert.equal(entry.promptTokens, usage?.prompt_tokens);
        assert.equal(entry.completionTokens, usage?.completion_tokens);
        assert.equal(entry.completionTokens, estimateTokens(streamedText(stream.text)));
        assert.equal(entry.isStream, index === 0);
        assert.deepEqual([entry.state, entry.code, entry.keyName], ['ok', null, 'test']);
      }
      assert.equal(gateway.usageLog()[0]?.requestId, stream.headers.get('x-request-id'));
      assert.ok(charged(gateway) > 0);
      assert.equal(before - gateway.walletMicroUsd(), charged(gateway));
    }));

  it('charges a client that disconnects for the tokens produced so far, and logs the call once', () =>
    withGateway(async (gateway, key) => {
      const before = gateway.walletMicroUsd();
      for (const stream of [true, false]) {
        const answer = await ask(`${gateway.baseUrl}/chat/completions`, key, {
          body: chatBody({ model: 'qwen3-8b-slow', stream }),
          timeoutMs: 500,
        }).catch(() => undefined);
        assert.notEqual(answer?.end, 'clean');
      }
      for (let turn = 0; gateway.usageLog().length < 2 && turn < 100; turn += 1) {
        await sleep(10);
      }
      await gateway.settled();
      const log = gateway.usageLog();
      assert.deepEqual(
        log.map((entry) => [entry.state, entry.isStream]),
        [
          ['client_gone', true],
          ['client_gone', false],
        ],
      );
      assert.ok(log.every((entry) => entry.completionTokens > 0 && entry.completionTokens < 30));
      assert.equal(gateway.postCount(), 2);
      assert.equal(before - gateway.walletMicroUsd(), charged(gateway));
    }));

  it('stops a key at its quota, but not the other keys', () =>
    withGateway(async (gateway, key) => {
      const { value } = gateway.createKey({ name: 'small', quotaMicroUsd: 1 });
      assert.equal((await askChat(gateway, value)).status, 200);
      await gateway.settled();
      assert.equal((await askChat(gateway, value)).status, 403);
      assert.equal((await askChat(gateway, key)).status, 200);
    }));

  it('charges exactly for three hundred concurrent calls, a third of them broken', () =>
    withGateway(async (gateway, key) => {
      const before = gateway.walletMicroUsd();
      const faults = ['none', 'cut-mid-stream', 'rate-limited'];
      await Promise.all(
        Array.from({ length: 300 }, (_, index) =>
          askChat(gateway, key, chatBody(), { 'x-fault': faults[index % 3] ?? 'none' }),
        ),
      );
      await gateway.settled();
      assert.equal(gateway.postCount(), 300);
      assert.equal(gateway.usageLog().length, 300);
      assert.equal(new Set(gateway.usageLog().map((entry) => entry.requestId)).size, 300);
      assert.equal(gateway.usageLog().filter((entry) => entry.state === 'ok').length, 100);
      assert.equal(before - gateway.walletMicroUsd(), charged(gateway));
    }));
});
