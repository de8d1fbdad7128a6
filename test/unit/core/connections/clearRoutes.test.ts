import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClearRoutes } from '../../../../src/core/connections/clearRoutes.ts';
import { GatewayError } from '../../../../src/core/errors/gatewayProblem.ts';
import { gatewayTransport, type Transport } from '../../../../src/core/http/transport.ts';
import type { Environment, NetworkSettings } from '../../../../src/core/network/route.ts';
import { newClient } from '../../wire/wireCall.ts';
import { ManualClock } from '../base/manualClock.ts';
import { responseWith } from '../http/plainTransport.ts';
import { defaultNetworkSettings } from '../network/defaultNetworkSettings.ts';
import { urlOf } from './connectionTo.ts';

function scene(environment: Environment = {}, stored: unknown = undefined) {
  const network: { settings: NetworkSettings } = { settings: defaultNetworkSettings };
  const memory = { value: stored };
  const routes = new ClearRoutes(() => network.settings, environment, {
    read: () => memory.value,
    write: async (accepted) => {
      memory.value = accepted;
    },
  });
  const set = (change: Partial<NetworkSettings>) => {
    network.settings = { ...defaultNetworkSettings, ...change };
  };
  return { routes, memory, set };
}

const privateUrl = 'http://10.0.0.5:8080/v1/models';
const publicUrl = 'http://gateway.example/v1/models';
const proxy = { id: 'http://proxy.corp:3128', proxy: 'proxy.corp:3128' };

test('detects the routes on which others can read a key', () => {
  const { routes, set } = scene();
  const found = (...addresses: string[]) => addresses.map((each) => routes.routeTo(each));
  const local = ['http://127.0.0.1:8080/v1', 'http://localhost/v1', 'http://[::1]:1/v1'];
  const secured = 'https://gateway.example/v1/models';
  assert.deepEqual(found(privateUrl, publicUrl, secured, ...local), [undefined, { id: 'direct' }, ...Array(4)]);
  set({ proxy: 'http://person:word@proxy.corp:3128' });
  assert.deepEqual(found(privateUrl, publicUrl, secured, ...local), [proxy, proxy, ...Array(4)]);
  set({ proxy: 'http://proxy.corp:3128', noProxy: ['10.0.0.0/8', 'gateway.example'] });
  assert.deepEqual(found(privateUrl, publicUrl), [undefined, { id: 'direct' }]);
  set({ proxy: 'socks5://proxy.corp:1080' });
  assert.deepEqual(found(privateUrl), [undefined], 'no request is sent over an unsupported proxy');
  set({ transport: 'host' });
  assert.deepEqual(found(privateUrl, publicUrl, secured, ...local), [{ id: 'editor' }, { id: 'editor' }, ...Array(4)]);
  assert.deepEqual(scene({ http_proxy: 'proxy.corp:3128' }).routes.routeTo(privateUrl), proxy);
});

test('requires acceptance again when a proxy is added, changed or removed', async () => {
  const { routes, memory, set } = scene();
  assert.equal(routes.unacceptedTo(privateUrl), undefined);
  set({ proxy: 'http://proxy.corp:3128' });
  assert.deepEqual(routes.unacceptedTo(privateUrl), proxy);
  await routes.accept(privateUrl, proxy);
  assert.equal(routes.unacceptedTo(privateUrl), undefined);
  assert.equal(routes.unacceptedTo('http://10.0.0.5:8080/v1/chat/completions'), undefined);
  assert.deepEqual(routes.unacceptedTo('http://10.0.0.5:9090/v1/models'), proxy, 'another port is another gateway');
  set({ proxy: 'http://other.corp:3128' });
  assert.equal(routes.unacceptedTo(privateUrl)?.proxy, 'other.corp:3128');
  await routes.accept(publicUrl, { id: 'http://other.corp:3128' });
  set({});
  assert.deepEqual(routes.unacceptedTo(publicUrl), { id: 'direct' });
  await routes.forget(publicUrl);
  assert.deepEqual(memory.value, { 'http://10.0.0.5:8080': ['http://proxy.corp:3128'] });
});

test('accepts no route from malformed storage, and stores the last ten routes', async () => {
  for (const stored of [undefined, null, 'direct', ['direct'], { 'http://gateway.example': 'direct' }, { other: 1 }]) {
    assert.deepEqual(scene({}, stored).routes.unacceptedTo(publicUrl), { id: 'direct' });
  }
  const { routes, memory } = scene({}, { 'http://gateway.example': [1, 'direct'] });
  assert.equal(routes.unacceptedTo(publicUrl), undefined);
  for (let number = 0; number < 12; number++) {
    await routes.accept(publicUrl, { id: `http://proxy${number}` });
  }
  const [first, ...others] = (memory.value as Record<string, string[]>)['http://gateway.example'] ?? [];
  assert.deepEqual([first, others.length], ['http://proxy11', 9]);
});

test('sends requests with a key through a new proxy only after the person accepted it', async () => {
  const { routes, set } = scene();
  const sent: string[] = [];
  const send: Transport = async ({ method, url }) => {
    sent.push(`${method} ${url}`);
    const list = method === 'GET' ? '{"data":[{"id":"a"}]}' : '{"choices":[{"message":{"content":"Hi"}}]}';
    return responseWith(list);
  };
  const log = { debug: () => undefined, trace: () => undefined, redact: (text: string) => text, isTracing: false };
  const transport = gatewayTransport(send, log, new ManualClock(), (address) => routes.unacceptedTo(address));
  const client = newClient({ transport, clock: new ManualClock() });
  const target = { url: urlOf('http://10.0.0.5:8080'), key: 'key-a' };
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
  // Requests without a key are sent, because connection checks need them.
  await transport({ method: 'GET', url: target.url.modelsUrl, headers: {}, connectTimeoutMs: 1 }, signal);
  assert.equal(sent.splice(0).length, 1);
  await routes.accept(target.url.modelsUrl, proxy);
  await client.listModels(target, signal);
  const reply = await client.chat(target, request, () => undefined, signal);
  assert.equal(reply.outcome, 'complete');
  assert.deepEqual(sent, ['GET http://10.0.0.5:8080/v1/models', 'POST http://10.0.0.5:8080/v1/chat/completions']);
});
