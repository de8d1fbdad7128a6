import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import { askChat, chatBody } from './askGateway.ts';

describe('the console', () => {
  let gateway: Gateway;

  before(async () => {
    gateway = await startGateway({ delayMs: 0 });
  });
  after(() => gateway.close());

  function get(path: string): Promise<string> {
    return fetch(gateway.consoleUrl + path).then((response) => response.text());
  }

  function post(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(gateway.consoleUrl + path, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { origin: gateway.consoleUrl, ...headers },
      redirect: 'manual',
    });
  }

  /** Sends a request with the given Host and Sec-Fetch headers, which Node's `fetch` doesn't let a caller set. */
  function raw(method: string, path: string, headers: Record<string, string>): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = request(gateway.consoleUrl + path, { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  async function createByForm(form: Record<string, string>): Promise<{ path: string; page: string }> {
    const response = await post('/keys', form);
    assert.equal(response.status, 303);
    const created = response.headers.get('location') ?? '';
    return { path: created.replace('/created', ''), page: await get(created) };
  }

  it('shows a new key once', async () => {
    const { path, page } = await createByForm({ name: 'once', groups: 'default' });
    const value = /sk-[0-9A-Za-z]{48}/.exec(page)?.[0] ?? '';
    assert.equal((await askChat(gateway, value)).status, 200);
    for (const again of [`${path}/created`, path, '/keys', '/usage', '/']) {
      assert.ok(!(await get(again)).includes(value), again);
    }
    assert.match(await get(`${path}/created`), /shown once/);
  });

  it('creates a key in JSON for a start script', async () => {
    const response = await fetch(`${gateway.consoleUrl}/keys`, {
      method: 'POST',
      headers: { 'x-console': '1', 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ name: 'script', groups: ['premium'], quotaMicroUsd: 5 }),
    });
    assert.equal(response.status, 201);
    const { name, value, groups, quotaMicroUsd } = (await response.json()) as Record<string, unknown>;
    assert.deepEqual([name, groups, quotaMicroUsd], ['script', ['premium'], 5]);
    assert.match(String(value), /^sk-/);
  });

  it('changes, disables, enables and deletes a key', async () => {
    const { path, page } = await createByForm({ name: 'changing', groups: 'default' });
    const value = /sk-[0-9A-Za-z]{48}/.exec(page)?.[0] ?? '';
    const statusOf = async (body?: Record<string, unknown>) => (await askChat(gateway, value, chatBody(body))).status;
    assert.equal(await statusOf({ model: 'gpt-5.1' }), 403);
    await post(path, { groups: 'premium' });
    assert.equal(await statusOf({ model: 'gpt-5.1' }), 200);
    await post(path, { groups: 'premium', quotaUsd: '0' });
    assert.equal(await statusOf(), 403);
    await post(path, { groups: 'premium', expiresOn: '2020-01-01' });
    assert.equal(await statusOf(), 401);
    await post(path, { groups: 'premium', fault: 'html-502' });
    assert.equal(await statusOf(), 502);
    await post(path, { groups: 'premium', errorsAs200: 'on' });
    await post(`${path}/disable`, {});
    assert.match((await askChat(gateway, value)).text, /disabled_api_key/);
    assert.equal(await statusOf(), 200);
    await post(`${path}/enable`, {});
    assert.match((await askChat(gateway, value)).text, /\[DONE\]/);
    await post(`${path}/delete`, {});
    assert.equal(await statusOf(), 401);
    assert.equal((await fetch(gateway.consoleUrl + path)).status, 404);
  });

  it('tops up the wallet and refuses invalid amounts', async () => {
    const before = gateway.walletMicroUsd();
    assert.equal((await post('/wallet', { amountUsd: '2.50' })).status, 303);
    assert.equal(gateway.walletMicroUsd(), before + 2_500_000);
    for (const amountUsd of ['-1', 'much', '', '1e9']) {
      assert.equal((await post('/wallet', { amountUsd })).status, 400);
    }
  });

  it('lists prices in the catalogue and calls in the usage log', async () => {
    assert.match(await get('/catalogue'), /meta-llama\/llama-3\.1-8b-instruct:free/);
    const { value } = gateway.createKey({ name: 'logged' });
    const answer = await askChat(gateway, value);
    await gateway.settled();
    const page = await get('/usage');
    assert.ok(page.includes(answer.headers.get('x-request-id') ?? 'no id'));
    assert.match(page, /logged/);
  });

  it('escapes what people type, in text and in attributes', async () => {
    const name = `<script>alert(1)</script>"'&`;
    const { path, page } = await createByForm({ name, groups: 'default' });
    await askChat(gateway, '', chatBody());
    gateway.createKey({ name });
    for (const text of [page, await get(path), await get('/keys'), await get('/usage')]) {
      assert.doesNotMatch(text, /<script/);
    }
    assert.match(await get('/keys'), /&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;&amp;/);
  });

  it('refuses an invalid form and names the field', async () => {
    const response = await post('/keys', { name: 'x', groups: 'root' });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /groups/);
    assert.match(await (await post('/keys', { name: 'x', fault: 'no-such' })).text(), /no fault 'no-such'/);
    assert.equal((await post('/keys', { name: ' ' })).status, 400);
    assert.equal((await post('/keys', { name: 'x', quotaUsd: '-3' })).status, 400);
    assert.equal((await post('/keys', { name: 'x', expiresOn: 'soon' })).status, 400);
  });

  it('refuses a POST from another site, whichever header shows it', async () => {
    const own = new URL(gateway.consoleUrl).host;
    assert.equal(await raw('POST', '/wallet', { origin: 'https://evil.example' }), 403);
    assert.equal(await raw('POST', '/wallet', { origin: 'null' }), 403);
    assert.equal(await raw('POST', '/wallet', { 'sec-fetch-site': 'cross-site' }), 403);
    assert.equal(await raw('POST', '/wallet', { 'sec-fetch-site': 'same-site', origin: `http://${own}` }), 403);
    assert.equal(await raw('POST', '/wallet', { 'x-console': '1', origin: 'http://127.0.0.1:1' }), 403);
    assert.equal(await raw('POST', '/wallet', {}), 403);
    assert.equal(await raw('POST', '/wallet', { 'x-console': '1' }), 400);
    assert.equal(await raw('POST', '/wallet', { 'sec-fetch-site': 'same-origin' }), 400);
  });

  it('answers only for loopback host names', async () => {
    const { port } = new URL(gateway.consoleUrl);
    assert.equal(await raw('GET', '/keys', { host: 'evil.example' }), 403);
    assert.equal(await raw('GET', '/keys', { host: `evil.example:${port}` }), 403);
    assert.equal(await raw('GET', '/keys', { host: `localhost:${port}` }), 200);
  });

  it('forbids scripts and frames', async () => {
    const response = await fetch(gateway.consoleUrl);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /script-src|unsafe/);
  });

  it('says that /v1 is missing in the base URL of a client', async () => {
    const response = await fetch(`${gateway.consoleUrl}/models`);
    assert.equal(response.status, 404);
    assert.match(await response.text(), /API paths start with \/v1/);
  });
});
