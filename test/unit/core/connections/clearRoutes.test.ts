import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayClient } from '../../../../src/core/client/gatewayClient.ts';
import { parseBaseUrl } from '../../../../src/core/connections/baseUrl.ts';
import { ClearRoutes, guardedTransport } from '../../../../src/core/connections/clearRoutes.ts';
import { GatewayError } from '../../../../src/core/errors/gatewayProblem.ts';
import {
  defaultNetworkSettings,
  type Environment,
  type NetworkSettings,
} from '../../../../src/core/network/networkSettings.ts';
import { ManualClock } from '../base/manualClock.ts';

function scene(environment: Environment = {}, remembered: unknown = undefined) {
  const network: { settings: NetworkSettings } = { settings: defaultNetworkSettings };
  const memory = { value: remembered };
  const routes = new ClearRoutes({
    settings: () => network.settings,
    environment,
    memory: {
      read: () => memory.value,
      write: async (accepted) => {
        memory.value = accepted;
      },
    },
  });
  const set = (change: Partial<NetworkSettings>) => {
    network.settings = { ...defaultNetworkSettings, ...change };
  };
  return { routes, memory, set };
}

const inPrivate = 'http://10.0.0.5:8080/v1/models';
const inPublic = 'http://gateway.example/v1/models';
const proxy = { id: 'http://proxy.corp:3128', proxy: 'proxy.corp:3128' };

test('knows on which routes others can read a key', () => {
  const { routes, set } = scene();
  const found = (...addresses: string[]) => addresses.map((each) => routes.routeTo(each));
  const local = ['http://127.0.0.1:8080/v1', 'http://localhost/v1', 'http://[::1]:1/v1'];
  const secured = 'https://gateway.example/v1/models';
  assert.deepEqual(found(inPrivate, inPublic, secured, ...local), [undefined, { id: 'direct' }, ...Array(4)]);
  set({ proxy: 'http://person:word@proxy.corp:3128' });
  assert.deepEqual(found(inPrivate, inPublic, secured, ...local), [proxy, proxy, ...Array(4)]);
  set({ proxy: 'http://proxy.corp:3128', noProxy: ['10.0.0.0/8', 'gateway.example'] });
  assert.deepEqual(found(inPrivate, inPublic), [undefined, { id: 'direct' }]);
  set({ proxy: 'socks5://proxy.corp:1080' });
  assert.deepEqual(found(inPrivate), [undefined], 'nothing is sent there at all');
  set({ transport: 'host' });
  assert.deepEqual(found(inPrivate, inPublic, secured, ...local), [{ id: 'editor' }, { id: 'editor' }, ...Array(4)]);
  assert.deepEqual(scene({ http_proxy: 'proxy.corp:3128' }).routes.routeTo(inPrivate), proxy);
});

test('asks again when a proxy appears, when it is another one and when there is none any more', async () => {
  const { routes, memory, set } = scene();
  assert.equal(routes.unacceptedTo(inPrivate), undefined);
  set({ proxy: 'http://proxy.corp:3128' });
  assert.deepEqual(routes.unacceptedTo(inPrivate), proxy);
  await routes.accept(inPrivate, proxy);
  assert.equal(routes.unacceptedTo(inPrivate), undefined);
  assert.equal(routes.unacceptedTo('http://10.0.0.5:8080/v1/chat/completions'), undefined);
  assert.deepEqual(routes.unacceptedTo('http://10.0.0.5:9090/v1/models'), proxy, 'another port is another gateway');
  set({ proxy: 'http://other.corp:3128' });
  assert.equal(routes.unacceptedTo(inPrivate)?.proxy, 'other.corp:3128');
  await routes.accept(inPublic, { id: 'http://other.corp:3128' });
  set({});
  assert.deepEqual(routes.unacceptedTo(inPublic), { id: 'direct' });
  await routes.forget(inPublic);
  assert.deepEqual(memory.value, { 'http://10.0.0.5:8080': ['http://proxy.corp:3128'] });
});

test('takes nothing for accepted that cannot be read, and keeps the last ten routes', async () => {
  for (const remembered of [
    undefined,
    null,
    'direct',
    ['direct'],
    { 'http://gateway.example': 'direct' },
    { other: 1 },
  ]) {
    assert.deepEqual(scene({}, remembered).routes.unacceptedTo(inPublic), { id: 'direct' });
  }
  const { routes, memory } = scene({}, { 'http://gateway.example': [1, 'direct'] });
  assert.equal(routes.unacceptedTo(inPublic), undefined);
  for (let number = 0; number < 12; number++) {
    await routes.accept(inPublic, { id: `http://proxy${number}` });
  }
  const [first, ...others] = (memory.value as Record<string, string[]>)['http://gateway.example'] ?? [];
  assert.deepEqual([first, others.length], ['http://proxy11', 9]);
});

test('sends no list, question or probe with a key through a proxy that appeared later, and all of them after a yes', async () => {
  const { routes, set } = scene();
  const sent: string[] = [];
  const transport = guardedTransport(async ({ method, url }) => {
    sent.push(`${method} ${url}`);
    const list = method === 'GET' ? '{"data":[{"id":"a"}]}' : '{"choices":[{"message":{"content":"Hi"}}]}';
    return {
      status: 200,
      headers: {},
      body: (async function* () {
        yield new TextEncoder().encode(list);
      })(),
    };
  }, routes);
  const client = new GatewayClient({
    transport,
    clock: new ManualClock(),
    limits: { connectMs: 1, firstByteMs: 1, idleMs: 1, payloadMs: 1, totalMs: 1 },
    userAgent: 'test',
  });
  const url = parseBaseUrl('http://10.0.0.5:8080');
  assert.ok(url.ok);
  const target = { url: url.value, key: 'key-a' };
  const { signal } = new AbortController();
  const request = { model: 'a', messages: [{ role: 'user' as const, content: 'Hi' }] };
  await client.listModels(target, signal);
  assert.equal(sent.splice(0).length, 1);
  set({ proxy: 'http://proxy.corp:3128' });
  await assert.rejects(client.listModels(target, signal, 2), (error) => {
    assert.ok(error instanceof GatewayError);
    assert.deepEqual(error.problem, { kind: 'routeInClear', proxy: 'proxy.corp:3128' });
    return true;
  });
  const refused = await client.chat(target, request, () => undefined, signal);
  assert.deepEqual(refused, { outcome: 'failed', problem: { kind: 'routeInClear', proxy: 'proxy.corp:3128' } });
  assert.deepEqual(sent, []);
  // What carries no key may go: it is how a connection is checked.
  await transport({ method: 'GET', url: url.value.modelsUrl, headers: {}, connectTimeoutMs: 1 }, signal);
  assert.equal(sent.splice(0).length, 1);
  await routes.accept(url.value.modelsUrl, proxy);
  await client.listModels(target, signal);
  const answered = await client.chat(target, request, () => undefined, signal);
  assert.equal(answered.outcome, 'complete');
  assert.deepEqual(sent, ['GET http://10.0.0.5:8080/v1/models', 'POST http://10.0.0.5:8080/v1/chat/completions']);
});
