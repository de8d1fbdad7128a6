import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import { ask, askChat, chatBody } from './askGateway.ts';

interface RefusalBody {
  readonly error: { message: string; type: string; param: string | null; code: string };
}

describe('the refusals of the local gateway', () => {
  let gateway: Gateway;
  let good: string;

  before(async () => {
    gateway = await startGateway({ delayMs: 0 });
    good = gateway.createKey({ name: 'good' }).value;
  });
  after(() => gateway.close());

  function keyWith(options: object): string {
    return gateway.createKey({ name: 'special', ...options }).value;
  }

  const disabled = () => {
    const { id, value } = gateway.createKey({ name: 'disabled' });
    gateway.setKeyDisabled(id, true);
    return value;
  };
  const plain = (change: object) => chatBody({ stream: false, ...change });

  const cases: [title: string, key: () => string, body: unknown, status: number, code: string, words: RegExp][] = [
    ['no key', () => '', chatBody(), 401, 'missing_api_key', /Authorization: Bearer/],
    ['an unknown key', () => 'sk-unknown', chatBody(), 401, 'invalid_api_key', /Invalid API key/],
    ['an expired key', () => keyWith({ expiresAt: 1 }), chatBody(), 401, 'expired_api_key', /expired/],
    ['a disabled key', disabled, chatBody(), 401, 'disabled_api_key', /disabled/],
    ['a used-up quota', () => keyWith({ quotaMicroUsd: 0 }), chatBody(), 403, 'token_quota_exhausted', /quota/],
    ['an unknown model', () => good, chatBody({ model: 'nope' }), 404, 'model_not_found', /'nope' does not exist/],
    ['a title instead of an id', () => good, chatBody({ model: 'GPT 5 mini' }), 404, 'model_not_found', /'gpt-5-mini'/],
    [
      'a model of another group',
      () => keyWith({ groups: ['default'] }),
      chatBody({ model: 'gpt-5.1' }),
      403,
      'model_not_allowed',
      /no access to model/,
    ],
    [
      'a model that can’t chat',
      () => good,
      chatBody({ model: 'text-embedding-3-small' }),
      400,
      'model_not_chat',
      /not for chat/,
    ],
    ['broken JSON', () => good, '{"model":', 400, 'invalid_json', /not valid JSON/],
    ['a JSON array', () => good, '[]', 400, 'invalid_value', /JSON object/],
    ['a model that is a number', () => good, plain({ model: 7 }), 400, 'invalid_value', /'model'/],
    ['no messages', () => good, plain({ messages: [] }), 400, 'invalid_value', /'messages'/],
    [
      'a wrong role',
      () => good,
      plain({ messages: [{ role: 'bot', content: 'x' }] }),
      400,
      'invalid_value',
      /'messages\[0\]\.role'/,
    ],
    [
      'content that is a number',
      () => good,
      plain({ messages: [{ role: 'user', content: 5 }] }),
      400,
      'invalid_value',
      /'messages\[0\]\.content'/,
    ],
    [
      'a body over 10 MB',
      () => good,
      chatBody({ messages: [{ role: 'user', content: 'x'.repeat(10 * 1024 * 1024) }] }),
      413,
      'request_too_large',
      /10 MB/,
    ],
  ];

  for (const [title, key, body, status, code, words] of cases) {
    it(`refuses ${title} with ${status} and charges nothing`, async () => {
      const value = key();
      const wallet = gateway.walletMicroUsd();
      const lines = gateway.usageLog().length;
      for (const as200 of [false, true]) {
        const answer = await askChat(gateway, value, body, as200 ? { 'x-errors-as-200': '1' } : {});
        assert.equal(answer.status, as200 ? 200 : status);
        const { error } = JSON.parse(answer.text) as RefusalBody;
        assert.equal(error.code, code);
        assert.match(error.message, words);
        assert.ok(error.message.includes(answer.headers.get('x-request-id') ?? 'no id'));
        assert.deepEqual(Object.keys(error), ['message', 'type', 'param', 'code']);
      }
      await gateway.settled();
      assert.equal(gateway.walletMicroUsd(), wallet);
      const written = gateway.usageLog().slice(lines);
      assert.deepEqual(
        written.map((entry) => [entry.state, entry.code, entry.costMicroUsd]),
        [
          ['error', code, 0],
          ['error', code, 0],
        ],
      );
    });
  }

  it('refuses an empty wallet with 402', async () => {
    const wallet = gateway.walletMicroUsd();
    gateway.setWallet(0);
    try {
      const answer = await askChat(gateway, good);
      assert.equal(answer.status, 402);
      assert.match(answer.text, /"insufficient_quota"/);
      assert.equal(gateway.walletMicroUsd(), 0);
    } finally {
      gateway.setWallet(wallet);
    }
  });

  it('counts every POST, including refused ones', async () => {
    const posts = gateway.postCount();
    await askChat(gateway, '');
    await askChat(gateway, good);
    await gateway.settled();
    assert.equal(gateway.postCount(), posts + 2);
    assert.equal(gateway.usageLog().length, gateway.postCount());
  });

  it('answers an unknown path with 404 and a wrong method with 405', async () => {
    const unknown = await ask(`${gateway.baseUrl}/embeddings`, good, { body: {} });
    assert.equal(unknown.status, 404);
    assert.match(unknown.text, /Invalid URL \(POST \/v1\/embeddings\)/);
    const wrong = await ask(`${gateway.baseUrl}/chat/completions`, good);
    assert.equal(wrong.status, 405);
    assert.equal(wrong.headers.get('allow'), 'POST');
  });

  it('requires a key for the model list too', async () => {
    assert.equal((await ask(`${gateway.baseUrl}/models`, '')).status, 401);
    assert.equal((await ask(`${gateway.baseUrl}/models`, 'sk-unknown')).status, 401);
  });

  it('sends every error with status 200 if the key or the gateway is set to', async () => {
    const soft = keyWith({ errorsAs200: true });
    assert.equal((await askChat(gateway, soft, chatBody({ model: 'nope' }))).status, 200);
    gateway.setErrorsAs200(true);
    try {
      const answer = await askChat(gateway, 'sk-unknown');
      assert.equal(answer.status, 200);
      assert.match(answer.text, /"error"/);
    } finally {
      gateway.setErrorsAs200(false);
    }
  });

  it('refuses an unknown fault and names it', async () => {
    const answer = await askChat(gateway, good, chatBody(), { 'x-fault': 'no-such' });
    assert.equal(answer.status, 400);
    assert.match(answer.text, /no fault 'no-such'/);
    assert.throws(() => gateway.setFault('crlf:3'), /takes no number/);
  });
});
