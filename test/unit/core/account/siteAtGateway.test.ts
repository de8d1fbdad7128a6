import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TokenLogAnswer } from '../../../../src/core/account/accounts.ts';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import type { Transport } from '../../../../src/core/http/transport.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../../gateway/gateway.ts';
import { askChat, chatBody } from '../../gateway/askGateway.ts';
import { httpServer } from '../../node/network/gatewayServer.ts';
import { ManualClock } from '../base/manualClock.ts';
import { connectionTo } from '../connections/connectionTo.ts';
import { plainTransport } from '../http/plainTransport.ts';
import { AccountsOfKey } from './accountsFixture.ts';

const start = Date.UTC(2026, 10, 21);
type Scene = {
  readonly gateway: Gateway;
  readonly key: string;
  readonly clock: ManualClock;
  readonly site: AccountsOfKey;
  readonly connection: Connection;
  readLog(): Promise<TokenLogAnswer | undefined>;
};

/** Runs a test at a local gateway. Afterwards no request to the site may have had the key anywhere but in its header. */
async function atSite(run: (scene: Scene) => Promise<void>, options: GatewayOptions = {}): Promise<void> {
  const clock = new ManualClock(start);
  const gateway = await startGateway({ delayMs: 0, now: () => clock.now(), ...options });
  try {
    const { value: key } = gateway.createKey({ name: 'dev', groups: ['premium'] });
    const site = new AccountsOfKey(plainTransport(), clock, key);
    const connection = connectionTo(gateway.baseUrl);
    await run({ gateway, key, clock, site, connection, readLog: () => site.log(connection) });
    for (const { method, path, headers, body } of gateway.requests().filter(({ path }) => path.startsWith('/api/'))) {
      const isOfKey = path === '/api/log/token' || path === '/api/usage/token/';
      assert.ok(isOfKey || path === '/api/status' || path === '/api/pricing', path);
      const { authorization, ...others } = headers;
      assert.equal(authorization, isOfKey ? `Bearer ${key}` : undefined, path);
      assert.deepEqual([method, body, JSON.stringify(others).includes(key)], ['GET', '', false]);
    }
  } finally {
    await gateway.close();
  }
}

const pathsOf = (gateway: Gateway) => gateway.requests().map(({ path }) => path);

test('prices and the log agree with what the gateway charged', () =>
  atSite(
    async ({ gateway, key, site, connection, readLog }) => {
      const answer = await askChat(gateway, key, chatBody({ model: 'claude-opus-4-5' }));
      await askChat(gateway, key, chatBody({ model: 'no-such-model' }));
      const log = await readLog();
      assert.ok(log?.status === 'read');
      assert.deepEqual(
        log.entries.map(({ kind, model }) => [kind, model]),
        [
          ['error', 'no-such-model'],
          ['charge', 'claude-opus-4-5'],
        ],
      );
      const [, entry] = log.entries;
      const charged = gateway.usageLog()[0];
      assert.ok(entry && charged && charged.costMicroUsd > 0);
      assert.equal(entry.requestId, answer.headers.get('x-request-id'));
      assert.deepEqual([entry.at, entry.groupRatio], [start, 1.5]);
      assert.equal(entry.charged.unit, 'USD');
      assert.ok(Math.abs(entry.charged.amount - charged.costMicroUsd / 1e6) <= 1e-6);

      const prices = (await site.prices(connection, entry.groupRatio))?.('claude-opus-4-5');
      assert.deepEqual(prices, { input: 7.5, output: 37.5, cachedInput: 7.5, unit: 'USD' });
      const pricesOfAll = await site.prices(connection);
      assert.deepEqual(pricesOfAll?.('claude-opus-4-5'), prices, 'the model is in one group only');
      assert.equal(pricesOfAll?.('qwen3-8b'), undefined, 'the ratios of its groups differ');
      const cost = (charged.promptTokens * 7.5 + charged.completionTokens * 37.5) / 1e6;
      assert.ok(Math.abs(cost - charged.costMicroUsd / 1e6) <= 1e-6);
      assert.equal((await site.accounts.read(connection))?.name, 'dev');
    },
    { groupRatios: { premium: 1.5 } },
  ));

test('a site is asked for its prices once per session, and for its log each time', () =>
  atSite(async ({ gateway, site, connection, readLog }) => {
    assert.ok((await Promise.all([site.prices(connection), site.prices(connection)])).every(Boolean));
    assert.ok(await site.prices(connection));
    await readLog();
    await readLog();
    assert.deepEqual(pathsOf(gateway), ['/api/status', '/api/pricing', '/api/log/token', '/api/log/token']);
    const off = { ...connection, id: 'two', probes: false };
    assert.equal(await site.prices(off), undefined);
    assert.equal(gateway.requests().length, 4);
  }));

test('a site that limits the rate is asked again later', () =>
  atSite(async ({ clock, connection, key, readLog }) => {
    for (let count = 0; count < 20; count++) {
      await new AccountsOfKey(plainTransport(), clock, key).log(connection);
    }
    assert.deepEqual(await readLog(), {
      status: 'failed',
      problem: { kind: 'rateLimited', retryAfterMs: 20 * 60_000 },
    });
    clock.pass(20 * 60_000);
    assert.equal((await readLog())?.status, 'read');
  }));

test('each other answer of a site has its own result, and none throws', async () => {
  const list = JSON.stringify({ success: true, data: [{ model_name: 'm', model_ratio: 1 }] });
  for (const [status, body, log] of [
    [404, '', 'notOffered'],
    [401, '{"success":false}', 'notOffered'],
    [429, '{}', 'failed'],
    [200, '<!doctype html><title>Console</title>', 'notOffered'],
    [200, list.slice(0, 40), 'notOffered'],
    [200, `{"padding":"${'x'.repeat(9 * 1024 * 1024)}",${list.slice(1)}`, 'notOffered'],
  ] as const) {
    await using site = await httpServer(({ path }, response) =>
      path === '/api/status'
        ? response.end(JSON.stringify({ success: true, data: { quota_per_unit: 500_000 } }))
        : response.writeHead(status).end(body),
    );
    const accounts = new AccountsOfKey(plainTransport(), new ManualClock(start), 'sk-Loopback0123456789key');
    const connection = connectionTo(site.origin);
    assert.deepEqual(
      [await accounts.prices(connection, 1), (await accounts.log(connection))?.status],
      [undefined, log],
    );
  }
});

test('the key goes to no other origin, and is removed from what the log repeats', async () => {
  await using foreign = await httpServer((_, response) => response.end('{}'));
  await using site = await httpServer(({ path, headers }, response) => {
    if (path === '/api/status') {
      response.end(JSON.stringify({ success: true, data: { system_name: 'A', quota_per_unit: 500_000 } }));
    } else if (headers['x-tenant'] === 'redirect') {
      response.writeHead(307, { location: `${foreign.origin}${path}` }).end();
    } else {
      const key = headers.authorization?.slice('Bearer '.length) ?? '';
      const line = { type: 2, created_at: 1_790_000_000, quota: 5, request_id: `r-${key}` };
      response.end(
        JSON.stringify({
          success: true,
          data: [
            { ...line, model_name: 'm' },
            { ...line, model_name: key },
          ],
        }),
      );
    }
  });
  const secret = 'Private.0123456789.key';
  const accounts = new AccountsOfKey(plainTransport(), new ManualClock(start), secret);
  const redirected = connectionTo(site.origin, { headers: { 'X-Tenant': 'redirect' } });
  assert.deepEqual(await accounts.log(redirected), { status: 'notOffered' });
  assert.equal(await accounts.prices(redirected), undefined);
  assert.deepEqual([foreign.requests, foreign.connections], [[], 0]);
  const log = await accounts.log(connectionTo(site.origin));
  assert.ok(log?.status === 'read');
  assert.deepEqual([log.entries.length, log.unreadable], [1, 1]);
  assert.ok(!JSON.stringify(log).includes(secret));
  assert.ok(site.requests.every(({ path }) => !path.includes(secret)));
});

test('failures of the network and of the gateway are problems, and are tried again', async () => {
  let isBroken = true;
  const clock = new ManualClock(start);
  await using site = await httpServer(({ path }, response) => {
    if (path === '/api/log/token') {
      response.writeHead(502).end('bad gateway');
    } else {
      const data = path === '/api/status' ? { quota_per_unit: 500_000 } : [];
      response.end(JSON.stringify({ success: true, data, group_ratio: {} }));
    }
  });
  const send = plainTransport();
  const transport: Transport = (request, signal) => {
    if (isBroken) {
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    }
    return send(request, signal);
  };
  const accounts = new AccountsOfKey(transport, clock, 'sk-Loopback0123456789key');
  const connection = connectionTo(site.origin);
  const kindOf = async () => {
    const answer = await accounts.log(connection);
    return answer?.status === 'failed' ? answer.problem.kind : answer?.status;
  };
  assert.equal(await kindOf(), 'unreachable');
  assert.equal(await accounts.prices(connection), undefined);
  isBroken = false;
  assert.equal(await kindOf(), 'gatewayDown');
  accounts.accounts.forget(connection);
  assert.ok(await accounts.prices(connection));
  isBroken = true;
  accounts.accounts.forget(connection);
  assert.ok(await accounts.prices(connection), 'prices that are known stay');
  const stop = AbortSignal.abort(new Error('stopped'));
  await assert.rejects(accounts.log(connection, stop), /stopped/);
});
