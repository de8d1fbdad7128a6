import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkConnection } from '../../../../src/core/check/checkConnection.ts';
import { systemClock } from '../../../../src/node/system/machine.ts';
import { type Gateway, startGateway } from '../../../gateway/gateway.ts';
import { httpServer } from '../../node/network/gatewayServer.ts';
import { newClient } from '../../wire/wireCall.ts';
import { urlOf } from '../connections/connectionTo.ts';
import { plainTransport } from '../http/plainTransport.ts';
import { defaultNetworkSettings } from '../network/defaultNetworkSettings.ts';

type Checked = { readonly statuses: string; detail(name: string): string };

async function check(
  address: string,
  key: string | undefined,
  {
    signal = new AbortController().signal,
    headers = {},
  }: { signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Checked> {
  const url = urlOf(address);
  const client = newClient({ transport: plainTransport() });
  const connection = { url, headers };
  const steps = await checkConnection(client, systemClock, defaultNetworkSettings, {}, connection, key, signal);
  assert.deepEqual(
    steps.map(({ name }) => name),
    ['Network route', 'Model list', 'Key'],
  );
  return {
    statuses: steps.map(({ status }) => status).join(' '),
    detail: (name) => steps.find((step) => step.name === name)?.detail ?? '',
  };
}

async function withGateway(run: (gateway: Gateway) => Promise<void>): Promise<void> {
  const gateway = await startGateway({ delayMs: 0 });
  try {
    await run(gateway);
    assert.equal(gateway.postCount(), 0, 'a check never sends a chat request');
  } finally {
    await gateway.close();
  }
}

test('checks a good connection with two GETs, the second of them without the key', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    const headers = { 'X-Tenant': 'blue', Authorization: `Bearer ${key}` };
    const { statuses, detail } = await check(gateway.baseUrl, key, { headers });
    assert.equal(statuses, 'ok ok ok');
    const { origin } = new URL(gateway.baseUrl);
    assert.equal(
      detail('Network route'),
      `Direct connection. Models are read from ${origin}/v1/models, and questions are sent to ${origin}/v1/chat/completions.`,
    );
    assert.match(detail('Model list'), /^Models: \d+\.$/);
    assert.equal(detail('Key'), 'The gateway refuses its model list without the key, so it checked the key.');
    assert.deepEqual(
      gateway.requests().map(({ method, path, headers }) => [method, path, headers.authorization, headers['x-tenant']]),
      [
        ['GET', '/v1/models', `Bearer ${key}`, 'blue'],
        ['GET', '/v1/models', undefined, 'blue'],
      ],
    );
  });
});

test('says why a key is rejected, with what a support request needs, and sends no further request', async () => {
  await withGateway(async (gateway) => {
    const key = 'sk-0123456789012345678901234567890123456789';
    const { statuses, detail } = await check(gateway.baseUrl, key);
    assert.equal(statuses, 'ok failed failed');
    assert.match(detail('Key'), /^The gateway rejected this key\. .*HTTP 401.*Request ID: /);
    assert.ok(!detail('Key').includes(key) && !detail('Model list').includes(key));
    assert.equal(gateway.requests().length, 1);
  });
});

test('takes a list that anyone can read for no proof of the key, and a different list for one', async () => {
  const list = (...ids: string[]) => JSON.stringify({ data: ids.map((id) => ({ id })) });
  for (const [without, status, words] of [
    [list('a', 'b'), 'warning', /^This gateway returns its model list without a key too/],
    [list('a'), 'ok', /^The gateway returns a different model list without the key/],
    ['<html><title>Bad gateway</title></html>', 'warning', /^The model list couldn't be requested without the key/],
  ] as const) {
    await using server = await httpServer(({ headers }, response) =>
      response.end(headers.authorization ? list('a', 'b') : without),
    );
    const { statuses, detail } = await check(server.origin, 'sk-0123456789');
    assert.equal(statuses, `ok ok ${status}`);
    assert.match(detail('Key'), words);
  }
});

test('reads the list without a key when none is stored', async () => {
  await withGateway(async (gateway) => {
    const { statuses, detail } = await check(gateway.baseUrl, undefined);
    assert.equal(statuses, 'ok ok warning');
    assert.equal(detail('Model list'), 'The gateway responds and requires a key.');
    assert.equal(detail('Key'), 'This connection has no key.');
    assert.deepEqual(
      gateway.requests().map(({ headers }) => headers.authorization),
      [undefined],
    );
  });
});

test('says what a wrong address and a gateway without a list need, in the words of other errors', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    for (const [fault, words] of [
      ['html-200', /web page/],
      ['models-404', /HTTP 404.*Add models by ID\.$/],
      ['html-502', /^The gateway or the model's vendor has a problem/],
    ] as const) {
      gateway.setFault(fault);
      const { statuses, detail } = await check(gateway.baseUrl, key);
      assert.equal(statuses, 'ok failed skipped', fault);
      assert.match(detail('Model list'), words);
    }
  });
});

test('says which way requests take, and warns when others can read the key on it', async () => {
  await using server = await httpServer((_, response) => response.writeHead(401).end());
  const far = 'http://10.9.8.7:9';
  const proxy = 'http://me:secret@127.0.0.1:1';
  for (const [address, settings, environment, status, words] of [
    [server.origin, { proxy }, {}, 'ok', /^Direct connection\. Models/],
    [server.origin, { transport: 'host' }, {}, 'ok', /^VS Code's own network stack sends the requests/],
    [far, { proxy }, {}, 'warning', /^Through the proxy 127\.0\.0\.1:1, which is set in http\.proxy\. .*unencrypted/],
    [far, {}, { HTTP_PROXY: proxy, NO_PROXY: '10.0.0.0/8' }, 'ok', /^Direct connection\. Models/],
    [far, { proxy: 'socks5://127.0.0.1:1' }, {}, 'failed', /For SOCKS or a PAC file/],
  ] as const) {
    const { signal } = new AbortController();
    const client = { listModels: async () => ({ models: [], items: [], dropped: 0 }) };
    const network = { ...defaultNetworkSettings, ...settings };
    const connection = { url: urlOf(address), headers: {} };
    const steps = await checkConnection(client, systemClock, network, environment, connection, undefined, signal);
    assert.equal(steps[0]?.status, status, address);
    assert.match(steps[0]?.detail ?? '', words);
    assert.doesNotMatch(steps[0]?.detail ?? '', /secret/);
  }
});

test('stops when it is aborted, and reports no further step', async () => {
  await using server = await httpServer(() => undefined);
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error('stop')), 20);
  await assert.rejects(check(server.origin, 'sk-0123456789', { signal: abort.signal }), /stop/);
});
