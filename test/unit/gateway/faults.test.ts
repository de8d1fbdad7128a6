import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { coverQuirks, quirkCount } from '../../gateway/chat/quirks.ts';
import { faults, listFaults } from '../../gateway/faultTable.ts';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import { type Answer, ask, chatBody } from './askGateway.ts';
import { faultChecks, requestFault, testEveryFault } from './checks/everyFault.ts';

describe('the faults of the local gateway over HTTP/1.1', () => {
  testEveryFault({}, () => ask);
});

describe('the faults of the local gateway', () => {
  let gateway: Gateway;
  let key: string;

  before(async () => {
    gateway = await startGateway({ delayMs: 0 });
    key = gateway.createKey({ name: 'test' }).value;
  });
  after(() => gateway.close());

  function request(name: string): Promise<Answer> {
    return requestFault(ask, gateway, key, name, 'chat');
  }

  it('each have a unique name, a check and a line in the list', () => {
    const names = faults.map((fault) => fault.name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(Object.keys(faultChecks).toSorted(), names.toSorted());
    assert.equal(listFaults().split('\n').length, names.length);
  });

  it('charge the tokens produced before the stream broke, and nothing when no model was reached', async () => {
    const start = gateway.usageLog().length;
    for (const name of ['rate-limited', 'cut-mid-stream', 'empty-200', 'good-under-500']) {
      await request(name);
      await gateway.settled();
    }
    const [limited, cut, empty, good] = gateway.usageLog().slice(start);
    assert.deepEqual([limited?.state, limited?.code, limited?.costMicroUsd], ['error', 'rate-limited', 0]);
    assert.deepEqual([cut?.state, cut?.code], ['error', 'cut-mid-stream']);
    assert.ok(cut !== undefined && good !== undefined && cut.costMicroUsd > 0 && cut.costMicroUsd < good.costMicroUsd);
    assert.deepEqual([empty?.state, empty?.costMicroUsd], ['error', good?.costMicroUsd]);
    assert.equal(good?.state, 'ok');
  });

  it('can be set by header, path, key and gateway, in this order of precedence', async () => {
    const body = chatBody();
    const byKey = gateway.createKey({ name: 'faulty', fault: 'string-error' }).value;
    gateway.setFault('html-502');
    try {
      const at = (url: string, value: string, headers = {}) => ask(`${url}/chat/completions`, value, { body, headers });
      assert.equal((await at(gateway.baseUrl, key)).status, 502);
      assert.match((await at(gateway.baseUrl, byKey)).text, /Unauthorized/);
      const byPath = gateway.baseUrl.replace('/v1', '/fault/empty-429/v1');
      assert.equal((await at(byPath, byKey)).status, 429);
      assert.equal((await at(byPath, byKey, { 'x-fault': 'loading' })).status, 503);
      assert.equal((await at(byPath, byKey, { 'x-fault': 'none' })).status, 200);
      gateway.setFault('html-502@chat');
      assert.equal((await ask(`${gateway.baseUrl}/models`, key)).status, 200);
    } finally {
      gateway.setFault(undefined);
    }
    assert.throws(() => gateway.createKey({ name: 'x', fault: 'no-such' }), /no fault/);
  });

  it('record what a client sends to another origin', async () => {
    await request('redirect-foreign');
    assert.deepEqual(gateway.foreign.requests(), []);
    await fetch(`${gateway.foreign.origin}/v1/models`, { headers: { authorization: 'Bearer sk-leak' } });
    const [leak] = gateway.foreign.requests();
    assert.deepEqual([leak?.method, leak?.path, leak?.headers.authorization], ['GET', '/v1/models', 'Bearer sk-leak']);
  });

  it('show every quirk, or say why no server can', () => {
    const covers = coverQuirks();
    const names = new Set(faults.map((fault) => fault.name));
    assert.deepEqual(
      covers.map((cover) => cover.quirk),
      Array.from({ length: quirkCount }, (_, index) => `Q${index + 1}`),
    );
    assert.equal(quirkCount, 93);
    for (const { quirk, faults: shownBy, reason } of covers) {
      assert.equal(shownBy.length > 0, reason === undefined, `${quirk} needs either a fault or a reason`);
      assert.ok(
        shownBy.every((name) => names.has(name)),
        `${quirk} names an unknown fault`,
      );
      assert.equal(new Set(shownBy).size, shownBy.length, `${quirk} names a fault twice`);
    }
    for (const { name, quirk } of faults) {
      assert.match(quirk, /^(Q([1-9]|[1-8]\d|9[0-3])|1\.[1-6]|3\.3|A)$/, name);
    }
  });

  it('that depend on the request leave other requests alone', async () => {
    const good = chatBody({ stream_options: undefined });
    for (const name of ['stream-options-rejected', 'extra-parameters-rejected', 'stream-required', 'agent-blocked']) {
      const answer = await ask(`${gateway.baseUrl}/chat/completions`, key, {
        body: good,
        headers: { 'x-fault': name, 'user-agent': 'ask-model/0.1.0' },
      });
      assert.deepEqual([name, answer.status, answer.text.includes('[DONE]')], [name, 200, true]);
    }
    const whole = await ask(`${gateway.baseUrl}/chat/completions`, key, {
      body: chatBody(),
      headers: { 'x-fault': 'finish-needs-usage' },
    });
    assert.match(whole.text, /"finish_reason":"stop"/);
  });

  it('can return the model list for any key', async () => {
    const headers = { 'x-fault': 'models-any-key' };
    assert.equal((await ask(`${gateway.baseUrl}/models`, 'sk-unknown', { headers })).status, 200);
    assert.equal((await ask(`${gateway.baseUrl}/models`, '', { headers })).status, 200);
    assert.equal((await ask(`${gateway.baseUrl}/chat/completions`, '', { headers, body: chatBody() })).status, 401);
  });

  it('can charge all of a reply that was stopped, or a fixed price per call', async () => {
    const whole = await request('runs-on');
    await gateway.settled();
    const price = gateway.usageLog().at(-1)?.costMicroUsd;
    gateway.setDelayMs(100);
    try {
      for (const [name, cost] of [
        ['runs-on', price],
        ['priced-per-call:1234', 1234],
      ] as const) {
        const answer = await ask(`${gateway.baseUrl}/chat/completions`, key, {
          body: chatBody(),
          headers: { 'x-fault': name },
          openAfter: /data: /,
        });
        assert.ok(answer.end === 'open' && answer.bytes.length < whole.bytes.length);
        await gateway.settled();
        const entry = gateway.usageLog().at(-1);
        assert.deepEqual([entry?.state, entry?.costMicroUsd], ['client_gone', cost]);
      }
    } finally {
      gateway.setDelayMs(0);
    }
  });
});
