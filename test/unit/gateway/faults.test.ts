import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask, askChat, chatBody, withGateway } from './askGateway.ts';

describe('the faults of the local gateway', () => {
  it('can be set by header, path, key and gateway, in this order of precedence', () =>
    withGateway(async (gateway, key) => {
      const byKey = gateway.createKey({ name: 'faulty', fault: 'string-error' }).value;
      const statusOf = async (path: string, value: string, headers = {}) =>
        (await ask(`${gateway.consoleUrl}${path}/v1/chat/completions`, value, chatBody(), headers)).status;
      gateway.setFault('html-502');
      assert.equal(await statusOf('', key), 502);
      assert.equal(await statusOf('', byKey), 401);
      assert.equal(await statusOf('/fault/empty-429', byKey), 429);
      assert.equal(await statusOf('/fault/empty-429', byKey, { 'x-fault': 'loading' }), 503);
      assert.equal(await statusOf('/fault/empty-429', byKey, { 'x-fault': 'none' }), 200);
      gateway.setFault('html-502@chat');
      assert.equal((await ask(`${gateway.baseUrl}/models`, key)).status, 200);
      assert.equal(await statusOf('', key, { 'x-fault': 'no-such' }), 400);
      assert.throws(() => gateway.createKey({ name: 'x', fault: 'no-such' }), /no fault/);
      assert.throws(() => gateway.setFault('no-done:3'), /takes no number/);
    }));

  it('charge the tokens produced before the stream broke, and nothing when no model was reached', () =>
    withGateway(async (gateway, key) => {
      for (const name of ['rate-limited', 'cut-mid-stream', 'empty-200', 'good-under-500', 'priced-per-call:1234']) {
        await askChat(gateway, key, chatBody(), { 'x-fault': name });
        await gateway.settled();
      }
      const [limited, cut, empty, good, fixed] = gateway.usageLog();
      assert.deepEqual([limited?.state, limited?.code, limited?.costMicroUsd], ['error', 'rate-limited', 0]);
      assert.deepEqual([cut?.state, cut?.code], ['error', 'cut-mid-stream']);
      assert.ok(cut && good && cut.costMicroUsd > 0 && cut.costMicroUsd < good.costMicroUsd);
      assert.deepEqual([empty?.state, empty?.costMicroUsd], ['error', good.costMicroUsd]);
      assert.deepEqual([good.state, fixed?.costMicroUsd], ['ok', 1234]);
      gateway.setDelayMs(100);
      const stopped = ask(
        `${gateway.baseUrl}/chat/completions`,
        key,
        chatBody(),
        { 'x-fault': 'runs-on' },
        AbortSignal.timeout(300),
      );
      await stopped;
      await gateway.settled();
      const all = gateway.usageLog().at(-1);
      assert.deepEqual([all?.state, all?.costMicroUsd], ['client_gone', good.costMicroUsd]);
    }));

  it('record what a client sends to another origin', () =>
    withGateway(async (gateway, key) => {
      const { headers } = await askChat(gateway, key, chatBody(), { 'x-fault': 'redirect-foreign' });
      assert.deepEqual(gateway.foreign.requests(), []);
      await fetch(headers.get('location') ?? '', { headers: { authorization: 'Bearer sk-leak' } });
      assert.equal(gateway.foreign.requests()[0]?.headers.authorization, 'Bearer sk-leak');
    }));
});
