import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startGateway } from '../../gateway/gateway.ts';
import { forwardTo } from '../../gateway/network/upstream.ts';
import { ask, askChat, chatBody, chunksOf, withGateway } from './askGateway.ts';

describe('a gateway in front of a real service', () => {
  it('forwards lists and replies with the key of the service, and charges by reported usage', () =>
    withGateway(async (service, serviceKey) => {
      const front = await startGateway({ upstream: forwardTo(`${service.baseUrl}/`, serviceKey) });
      try {
        const { value } = front.createKey({ name: 'front' });
        const list = await ask(`${front.baseUrl}/models`, value);
        assert.match(list.text, /"object":"list"/);
        const stream = await askChat(front, value);
        const plain = await askChat(front, value, chatBody({ stream: false }));
        await front.settled();
        const usage = chunksOf(stream.text).at(-1)?.usage;
        assert.equal(plain.status, 200);
        for (const entry of front.usageLog()) {
          assert.equal(entry.state, 'ok');
          assert.equal(entry.promptTokens, usage?.prompt_tokens);
          assert.equal(entry.completionTokens, usage?.completion_tokens);
          assert.ok(entry.costMicroUsd > 0);
        }
        assert.equal(service.postCount(), 2);
        assert.ok(service.requests().every((request) => request.headers.authorization === `Bearer ${serviceKey}`));
      } finally {
        await front.close();
      }
    }));

  it('forwards an error and charges nothing for it', () =>
    withGateway(async (service) => {
      const front = await startGateway({ upstream: forwardTo(service.baseUrl, 'sk-wrong') });
      try {
        const { value } = front.createKey({ name: 'front' });
        const answer = await askChat(front, value);
        assert.equal(answer.status, 401);
        assert.match(answer.text, /invalid_api_key/);
        await front.settled();
        assert.deepEqual(
          front.usageLog().map((entry) => [entry.state, entry.code, entry.costMicroUsd]),
          [['error', 'upstream_failed', 0]],
        );
      } finally {
        await front.close();
      }
    }));

  it('says that the service can’t be reached', async () => {
    const front = await startGateway({ upstream: forwardTo('http://127.0.0.1:1/v1', '') });
    try {
      const answer = await askChat(front, front.createKey({ name: 'front' }).value);
      assert.equal(answer.status, 502);
      assert.match(answer.text, /upstream_unreachable/);
    } finally {
      await front.close();
    }
  });
});
