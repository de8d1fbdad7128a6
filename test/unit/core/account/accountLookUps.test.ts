import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { type AccountFacts, accountWords } from '../../../../src/core/account/accountFacts.ts';
import type { Transport } from '../../../../src/core/http/transport.ts';
import { until } from '../../../until.ts';
import { httpServer, key, type LoopbackServer } from '../../node/network/gatewayServer.ts';
import { ManualClock } from '../base/manualClock.ts';
import { connectionTo } from '../connections/connectionTo.ts';
import { plainTransport, responseWith } from '../http/plainTransport.ts';
import { AccountsOfKey } from './accountsFixture.ts';

const now = Date.UTC(2026, 10, 21);
const day = 24 * 60 * 60;

type Answer = unknown | ((response: ServerResponse, authorization: string | undefined) => void);

/** A gateway with only these paths; every other path returns a web page, as routers of the new-api family do. */
function gatewayWith(paths: Readonly<Record<string, Answer>>): Promise<LoopbackServer> {
  return httpServer(({ path, headers }, response) => {
    const answer = Object.hasOwn(paths, path) ? paths[path] : undefined;
    if (typeof answer === 'function') {
      answer(response, headers.authorization);
    } else if (answer === undefined) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Console</title>');
    } else {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    }
  });
}

function accountsOfKey(transport = plainTransport(), clock = new ManualClock(now)): AccountsOfKey {
  return new AccountsOfKey(transport, clock, key);
}

function open(transport?: Transport, clock?: ManualClock): AccountsOfKey['accounts'] {
  return accountsOfKey(transport, clock).accounts;
}

/** Queries a gateway with these paths. @returns the facts and the requested paths; `-` marks one without the key. */
async function readAccount(paths: Readonly<Record<string, Answer>>, prefix = '/v1') {
  await using server = await gatewayWith(paths);
  const facts = await open().read(connectionTo(server.origin + prefix));
  assert.ok(server.requests.every(({ method, body }) => method === 'GET' && body === ''));
  assert.ok(
    server.requests.every(({ path }) => !path.includes('?')),
    'a key is never part of an address',
  );
  const asked = server.requests.map(({ path, headers }) => `${headers.authorization ? '' : '-'}${path}`);
  return { facts, asked };
}

const site = (data: object) => ({ success: true, data: { system_name: 'A site', version: 'v1', ...data } });
const usage = (data: object) => ({
  code: true,
  message: 'ok',
  data: {
    object: 'token_usage',
    name: 'dev',
    total_granted: 5_000_000,
    total_used: 1_000_000,
    total_available: 4_000_000,
    unlimited_quota: false,
    model_limits: {},
    model_limits_enabled: false,
    expires_at: 0,
    ...data,
  },
});
const newApi = (data: object, unit: object = { quota_per_unit: 500_000, quota_display_type: 'USD' }) => ({
  '/api/status': site(unit),
  '/api/usage/token/': usage(data),
});

test('reads new-api with two requests, the first of them without the key', async () => {
  const { facts, asked } = await readAccount(newApi({}));
  assert.deepEqual(asked, ['-/api/status', '/api/usage/token/']);
  assert.deepEqual(facts, {
    remaining: { amount: 8, unit: 'USD' },
    used: { amount: 2, unit: 'USD' },
    name: 'dev',
    credit: { dollars: 8, factor: 1, unit: 'USD' },
    consoleKind: 'classic',
  });
});

test('reports what is left in dollars of the site, and the kind of its console', async () => {
  const read = async (unit: object) => {
    const { facts } = await readAccount(newApi({}, { quota_per_unit: 500_000, ...unit }));
    return [facts?.credit, facts?.consoleKind];
  };
  const cny = { quota_display_type: 'CNY', usd_exchange_rate: 7.3 };
  assert.deepEqual(await read(cny), [{ dollars: 8, factor: 7.3, unit: 'CNY' }, 'classic']);
  const site = { dollars: 8, factor: 1, unit: 'site' };
  assert.deepEqual(await read({ quota_display_type: 'TOKENS', theme: 'default' }), [site, 'default']);
  assert.deepEqual(await read({ theme: 'classic' }), [site, 'classic']);
  assert.equal((await readAccount(newApi({}, {}))).facts?.credit, undefined);
  assert.equal((await readAccount(newApi({ unlimited_quota: true }))).facts?.credit, undefined);
});

test('reports expired and used up keys of new-api', async () => {
  const readKey = async (data: object) => (await readAccount(newApi(data))).facts;
  const past = await readKey({ expires_at: now / 1_000 - day });
  assert.equal(past?.expiresAt, now - day * 1_000);
  assert.equal((await readKey({ total_available: 0 }))?.remaining?.amount, 0);
  const over = await readKey({ total_available: -250_000 });
  assert.deepEqual(over?.remaining, { amount: -0.5, unit: 'USD' });
  const future = await readKey({ expires_at: now / 1_000 + day });
  assert.equal(future?.expiresAt, now + day * 1_000);
  const open = await readKey({ unlimited_quota: true, total_available: -1_000_000 });
  assert.deepEqual([open?.unlimited, open?.remaining], [true, undefined]);
});

test('reports a unit only when the site states it', async () => {
  const left = async (unit: object) => (await readAccount(newApi({}, unit))).facts?.remaining;
  const perUnit = { quota_per_unit: 500_000 };
  assert.deepEqual(await left(perUnit), { amount: 8, unit: 'USD' });
  assert.deepEqual(await left({ ...perUnit, display_in_currency: true }), { amount: 8, unit: 'USD' });
  assert.deepEqual(await left({ ...perUnit, display_in_currency: false }), { amount: 4_000_000, unit: 'tokens' });
  assert.deepEqual(await left({ ...perUnit, quota_display_type: 'TOKENS' }), { amount: 4_000_000, unit: 'tokens' });
  assert.deepEqual(await left({ ...perUnit, quota_display_type: 'CNY', usd_exchange_rate: '7.3' }), {
    amount: 58.4,
    unit: 'CNY',
  });
  const custom = { quota_display_type: 'CUSTOM', custom_currency_symbol: '⭐', custom_currency_exchange_rate: 10 };
  assert.deepEqual(await left({ ...perUnit, ...custom }), { amount: 80, unit: '⭐' });
  for (const unknown of [
    {},
    { quota_per_unit: 0 },
    { quota_per_unit: -5 },
    { quota_per_unit: 'many' },
    { ...perUnit, quota_display_type: 'CNY' },
    { ...perUnit, quota_display_type: 'BTC' },
    { ...perUnit, quota_display_type: 'CUSTOM', custom_currency_exchange_rate: 10 },
    { ...perUnit, quota_display_type: 'CUSTOM', custom_currency_symbol: 'x', custom_currency_exchange_rate: 1e300 },
  ]) {
    assert.deepEqual(await left(unknown), { amount: 4_000_000 }, JSON.stringify(unknown));
  }
});

const subscription = { object: 'billing_subscription', has_payment_method: true, hard_limit_usd: 10, access_until: 0 };

test('reads one-api by its billing endpoints, because it has none for a key', async () => {
  const { facts, asked } = await readAccount({
    '/api/status': site({ quota_per_unit: 500_000, display_in_currency: true }),
    '/v1/dashboard/billing/subscription': { ...subscription, access_until: now / 1_000 + day },
    '/v1/dashboard/billing/usage': { object: 'list', total_usage: 990.0001 },
  });
  assert.deepEqual(asked, [
    '-/api/status',
    '/api/usage/token/',
    '/v1/dashboard/billing/subscription',
    '/v1/dashboard/billing/usage',
  ]);
  assert.deepEqual(facts, {
    remaining: { amount: 0.099999, unit: 'USD' },
    used: { amount: 9.900001, unit: 'USD' },
    expiresAt: now + day * 1_000,
    credit: { dollars: 0.099999, factor: 1, unit: 'USD' },
  });
});

test('reads billing in the unit of the site, without a currency when the unit is unknown', async () => {
  const bill = async (status: Answer, limit: object, used: Answer) =>
    (
      await readAccount({
        '/api/status': status,
        '/v1/dashboard/billing/subscription': { ...subscription, ...limit },
        '/v1/dashboard/billing/usage': used,
      })
    ).facts;
  assert.deepEqual(await bill(undefined, {}, { total_usage: 250 }), {
    remaining: { amount: 7.5 },
    used: { amount: 2.5 },
  });
  const tokens = site({ quota_per_unit: 500_000, display_in_currency: false });
  assert.deepEqual((await bill(tokens, {}, { total_usage: 250 }))?.remaining, { amount: 7.5, unit: 'tokens' });
  const open = await bill(undefined, { hard_limit_usd: 100_000_000 }, { total_usage: 250 });
  assert.deepEqual([open?.unlimited, open?.remaining, open?.used], [true, undefined, { amount: 2.5 }]);
  const usedUp = await bill(undefined, {}, { total_usage: 1_000 });
  assert.deepEqual(usedUp?.remaining, { amount: 0 });
  assert.equal(await bill(undefined, {}, { error: { message: 'no' } }), undefined, 'a limit alone is no balance');
});

test('recognizes errors of one-api, which come with status 200', async () => {
  const error = { error: { message: '无效的令牌', type: 'one_api_error' } };
  const { facts, asked } = await readAccount({
    '/api/status': site({ quota_per_unit: 500_000 }),
    '/api/usage/token/': { success: false, message: 'token not found' },
    '/v1/dashboard/billing/subscription': error,
    '/v1/dashboard/billing/usage': { total_usage: 5 },
  });
  assert.equal(facts, undefined);
  assert.deepEqual(asked, ['-/api/status', '/api/usage/token/', '/v1/dashboard/billing/subscription']);
});

test('reads LiteLLM, whose budgets are in US dollars', async () => {
  const info = async (data: object) =>
    (await readAccount({ '/key/info': { key: 'a hash', info: { spend: 1.5, ...data } } })).facts;
  assert.deepEqual(await info({ max_budget: 10, expires: '2027-01-01T00:00:00Z', key_alias: 'team', models: [] }), {
    remaining: { amount: 8.5, unit: 'USD' },
    used: { amount: 1.5, unit: 'USD' },
    expiresAt: Date.UTC(2027, 0, 1),
    name: 'team',
  });
  assert.equal((await info({ max_budget: 1.5 }))?.remaining?.amount, 0);
  assert.equal((await info({ max_budget: -7 }))?.remaining?.amount, -8.5, 'BerriAI/litellm#18554');
  assert.equal((await info({ max_budget: 10, blocked: true }))?.isDisabled, true);
  assert.equal((await info({ max_budget: 10, expires: '2026-01-01T00:00:00Z' }))?.expiresAt, Date.UTC(2026, 0, 1));
  const open = await info({ max_budget: null, expires: null });
  assert.deepEqual([open?.unlimited, open?.remaining], [true, undefined]);
});

/** A transport for a vendor's own host name, which no loopback server can have. */
function vendor(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const transport: Transport = async ({ url, headers }) => {
    asked.push(`${headers.authorization ? '' : '-'}${url}`);
    const answer = answers[url];
    return responseWith(JSON.stringify(answer ?? {}), answer === undefined ? 404 : 200);
  };
  return { asked, transport };
}

test('sends one request to OpenRouter, which is known by its host name', async () => {
  const url = 'https://openrouter.ai/api/v1/key';
  const read = async (answers: Readonly<Record<string, unknown>>) => {
    const { asked, transport } = vendor(answers);
    const facts = await open(transport).read(connectionTo('https://openrouter.ai/api/v1'));
    assert.deepEqual(asked, [url]);
    return facts;
  };
  // A label that shows a part of the key is left out.
  const limited = { label: 'sk-or-v1-au7...890', limit: 100, limit_remaining: 74.5, usage: 25.5, is_free_tier: false };
  assert.deepEqual(await read({ [url]: { data: limited } }), {
    remaining: { amount: 74.5, unit: 'USD' },
    used: { amount: 25.5, unit: 'USD' },
  });
  const unlimited = { label: 'dev', limit: null, limit_remaining: null, usage: 3, expires_at: '2026-11-20T00:00:00Z' };
  assert.deepEqual(await read({ [url]: { data: unlimited } }), {
    used: { amount: 3, unit: 'USD' },
    unlimited: true,
    expiresAt: Date.UTC(2026, 10, 20),
    name: 'dev',
  });
  assert.equal(await read({}), undefined);
});

test('uses the path prefix of the gateway', async () => {
  const { facts, asked } = await readAccount(
    { '/team/api/status': site({ quota_per_unit: 500_000 }), '/team/api/usage/token/': usage({}) },
    '/team/v1',
  );
  assert.deepEqual([facts?.name, asked], ['dev', ['-/team/api/status', '/team/api/usage/token/']]);
});

test('sends the connection’s extra headers, and the key in one header only', async () => {
  await using server = await gatewayWith(newApi({}));
  const headers = { 'X-Tenant': 'acme', Authorization: 'Bearer other' };
  await open().read(connectionTo(server.origin, { headers }));
  assert.deepEqual(
    server.requests.map(({ headers: sent }) => [sent.authorization, sent['x-tenant'], sent['user-agent']]),
    [
      [undefined, 'acme', 'ask-model/1.0'],
      [`Bearer ${key}`, 'acme', 'ask-model/1.0'],
    ],
  );
  assert.doesNotMatch(JSON.stringify(server.requests[0]), new RegExp(key));
});

test('follows no redirect, so that another origin receives nothing', async () => {
  await using foreign = await gatewayWith(newApi({}));
  const redirectTo = (path: string) => (response: ServerResponse) =>
    response.writeHead(307, { location: foreign.origin + path }).end();
  const paths = [
    '/api/status',
    '/api/usage/token/',
    '/key/info',
    '/v1/dashboard/billing/subscription',
    '/user/balance',
  ];
  const { facts } = await readAccount(Object.fromEntries(paths.map((path) => [path, redirectTo(path)])));
  assert.equal(facts, undefined);
  assert.deepEqual(foreign.requests, []);
  const partial = await readAccount({
    '/api/status': site({ quota_per_unit: 1 }),
    '/api/usage/token/': redirectTo('/api/usage/token/'),
  });
  assert.equal(partial.facts, undefined);
  assert.deepEqual([foreign.requests, foreign.connections], [[], 0]);
});

test('ignores answers of another shape', async () => {
  const hostile: Record<string, Answer> = {
    null: null,
    list: [],
    'data of another type': { success: true, data: 'no' },
    'a prototype for data': JSON.parse('{"__proto__":{"data":{"total_available":5}}}'),
    'a sum of another type': usage({ total_available: { amount: 5 } }),
    'a sum that is a word': usage({ total_available: 'plenty' }),
    'a failure': { ...usage({}), success: false },
    'an error beside data': { ...usage({}), error: { message: 'no' } },
  };
  for (const [name, answer] of Object.entries(hostile)) {
    const { facts } = await readAccount({
      '/api/status': site({ quota_per_unit: 500_000 }),
      '/api/usage/token/': answer,
    });
    assert.equal(facts, undefined, name);
  }
  for (const path of ['/key/info', '/v1/dashboard/billing/subscription', '/v1/users/me/balance', '/user/balance']) {
    for (const [name, answer] of Object.entries(hostile)) {
      assert.equal((await readAccount({ [path]: answer })).facts, undefined, `${path}: ${name}`);
    }
  }
});

test('reads numbers given as text, and ignores implausible values', async () => {
  const factsFrom = async (data: object) => (await readAccount(newApi(data))).facts;
  assert.deepEqual((await factsFrom({ total_available: '4000000', total_used: '1000000' }))?.remaining, {
    amount: 8,
    unit: 'USD',
  });
  assert.equal((await factsFrom({ total_used: -5 }))?.used, undefined);
  assert.equal((await factsFrom({ total_used: '1e999' }))?.used, undefined);
  assert.equal((await factsFrom({ total_available: 1e300 }))?.remaining, undefined);
  for (const expiresAt of [-1, 0, 1e15, 'tomorrow', null, {}, '-1']) {
    assert.equal((await factsFrom({ expires_at: expiresAt }))?.expiresAt, undefined, JSON.stringify(expiresAt));
  }
  assert.equal((await factsFrom({ name: 7 }))?.name, undefined);
  assert.equal((await factsFrom({ name: ` a\n\u202eb${'c'.repeat(100)}` }))?.name, `a b${'c'.repeat(57)}`);
  assert.equal((await factsFrom({ name: `my ${key}` }))?.name, undefined);
});

test('waits five seconds for an answer that does not end, and then sends no more in this session', async () => {
  await using server = await gatewayWith({
    '/api/status': (response: ServerResponse) => response.writeHead(200).write('{"success":true,'),
  });
  const clock = new ManualClock(now);
  const accounts = open(plainTransport(), clock);
  const connection = connectionTo(server.origin);
  let result: unknown = 'nothing';
  const reading = accounts.read(connection).then((facts) => (result = facts));
  await until(() => server.requests.length === 1);
  clock.pass(4_999);
  assert.equal(result, 'nothing');
  clock.pass(1);
  await reading;
  assert.deepEqual([result, server.requests.length, clock.pending], [undefined, 1, 0]);
  await until(() => server.disconnects === 1);
  await accounts.read(connection);
  assert.equal(server.requests.length, 1);
});

test('sends no more in this session when the gateway limits the rate or cannot be reached', async () => {
  await using server = await gatewayWith({
    ...newApi({}),
    '/api/usage/token/': (response: ServerResponse) => response.writeHead(429).end('{}'),
  });
  const accounts = open();
  const connection = connectionTo(server.origin);
  for (let turn = 0; turn < 2; turn++) {
    assert.equal(await accounts.read(connection), undefined);
    assert.equal(server.requests.length, 2);
  }

  let sent = 0;
  const broken = open(async () => {
    sent++;
    throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  });
  for (let turn = 0; turn < 2; turn++) {
    assert.equal(await broken.read(connection), undefined);
    assert.equal(sent, 1);
  }
});

test('describes the known facts and their source in one line', () => {
  const from = ' · From an undocumented endpoint';
  const scenes: [AccountFacts, string][] = [
    [
      { remaining: { amount: 8, unit: 'USD' }, used: { amount: 1234.567, unit: 'USD' }, name: 'dev' },
      'Key "dev" · $8.00 left · $1,234.57 used',
    ],
    [{ remaining: { amount: 0.01234, unit: 'CNY' } }, 'CN¥0.012 left'],
    [{ remaining: { amount: 4_000_000 } }, '4,000,000 left · Unit unknown'],
    [{ remaining: { amount: 4_000_000, unit: 'tokens' } }, '4,000,000 tokens left'],
    [{ remaining: { amount: -0.5, unit: 'USD' } }, 'Quota used up · -$0.50 left'],
    [{ expiresAt: Date.UTC(2026, 10, 20) }, 'Key expired on Nov 20, 2026'],
    [{ isDisabled: true, unlimited: true }, 'Key disabled · No limit on the key'],
    [{ unlimited: true, expiresAt: now + 1 }, 'No limit on the key · Valid until Nov 21, 2026'],
  ];
  for (const [facts, words] of scenes) {
    assert.equal(accountWords(facts, now), words + from);
  }
});
