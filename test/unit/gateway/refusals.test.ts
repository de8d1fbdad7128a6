import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask, askChat, chatBody, withGateway } from './askGateway.ts';

describe('the local gateway refuses', () => {
  const said = (content: unknown, role = 'user') => chatBody({ messages: [{ role, content }] });
  const cases: [what: string, key: object, body: unknown, status: number, code: string, words: RegExp][] = [
    ['an expired key', { expiresAt: 1 }, chatBody(), 401, 'expired_api_key', /expired/],
    ['a used-up quota', { quotaMicroUsd: 0 }, chatBody(), 403, 'token_quota_exhausted', /quota/],
    ['an unknown model', {}, chatBody({ model: 'nope' }), 404, 'model_not_found', /'nope' does not exist/],
    ['another group', { groups: ['default'] }, chatBody({ model: 'gpt-5.1' }), 403, 'model_not_allowed', /no access/],
    ['a model that can’t chat', {}, chatBody({ model: 'tts-1-hd' }), 400, 'model_not_chat', /not for chat/],
    ['broken JSON', {}, '{"model":', 400, 'invalid_json', /not valid JSON/],
    ['a JSON array', {}, '[]', 400, 'invalid_value', /Invalid value/],
    ['no messages', {}, chatBody({ messages: [] }), 400, 'invalid_value', /'messages'/],
    ['a wrong role', {}, said('x', 'bot'), 400, 'invalid_value', /'messages\.0\.role'/],
    ['content that is a number', {}, said(5), 400, 'invalid_value', /'messages\.0\.content'/],
    ['a body over 10 MB', {}, said('x'.repeat(10 * 1024 * 1024)), 413, 'request_too_large', /10 MB/],
  ];
  for (const [what, options, body, status, code, words] of cases) {
    it(`${what} with ${status}, logs it and charges nothing`, () =>
      withGateway(async (gateway) => {
        const { value } = gateway.createKey({ name: 'special', ...options });
        const answer = await askChat(gateway, value, body);
        assert.equal(answer.status, status);
        const { error } = JSON.parse(answer.text);
        assert.equal(error.code, code);
        assert.match(error.message, words);
        assert.ok(error.message.includes(answer.headers.get('x-request-id') ?? 'no id'));
        await gateway.settled();
        const [entry] = gateway.usageLog();
        assert.deepEqual([entry?.state, entry?.code, entry?.costMicroUsd], ['error', code, 0]);
        assert.equal(gateway.postCount(), 1);
      }));
  }

  it('a missing, unknown or disabled key, an empty wallet, an unknown path and a wrong method', () =>
    withGateway(async (gateway, key) => {
      const statusOf = async (path: string, value: string, body?: unknown) =>
        (await ask(`${gateway.baseUrl}${path}`, value, body)).status;
      for (const value of ['', 'sk-unknown']) {
        assert.equal(await statusOf('/models', value), 401);
        assert.equal(await statusOf('/chat/completions', value, chatBody()), 401);
      }
      assert.equal(await statusOf('/embeddings', key, {}), 404);
      assert.equal(await statusOf('/chat/completions', key), 405);
      gateway.setWallet(0);
      assert.equal(await statusOf('/chat/completions', key, chatBody()), 402);
      const { id, value } = gateway.createKey({ name: 'disabled' });
      gateway.setKeyDisabled(id, true);
      assert.equal(await statusOf('/models', value), 401);
      gateway.setErrorsAs200(true);
      const answer = await ask(`${gateway.baseUrl}/models`, value);
      assert.deepEqual([answer.status, JSON.parse(answer.text).error.code], [200, 'disabled_api_key']);
    }));

  it('a call after the one that used up the quota of its key, but not those of other keys', () =>
    withGateway(async (gateway, key) => {
      const { value } = gateway.createKey({ name: 'small', quotaMicroUsd: 1 });
      assert.equal((await askChat(gateway, value)).status, 200);
      await gateway.settled();
      assert.equal((await askChat(gateway, value)).status, 403);
      assert.equal((await askChat(gateway, key)).status, 200);
    }));
});
