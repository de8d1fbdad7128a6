import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkSettings } from '../../../../src/core/network/route.ts';
import { sendByFetch as send } from '../../../../src/node/network/fetchTransport.ts';
import { openNetwork } from '../../../../src/node/network/undiciTransport.ts';
import { defaultNetworkSettings } from '../../core/network/defaultNetworkSettings.ts';
import { listen, newClient, ownGateway, readList } from '../../wire/wireCall.ts';
import { httpServer } from './gatewayServer.ts';

const dispatcher = Symbol.for('undici.globalDispatcher.1');

test('a 407 response, which fetch hides, is a network problem and not a reply', async () => {
  await using own = await ownGateway();
  const { end, text } = await listen(newClient({ transport: send }), own.target('proxy-407')).received;
  assert.deepEqual([end.outcome, text], ['failed', '']);
  assert.equal(end.problem?.kind, 'unreachable');
  assert.match(String(end.problem?.words), /^\S/);
  assert.equal(own.gateway.postCount(), 1);
});

test('a question of any length arrives unchanged and not chunked', async () => {
  await using server = await httpServer((_, response) => response.end('{}'));
  for (const body of ['{}', `${'a'.repeat(300_000)} “ünï” 漢字 \u{1f98a}`]) {
    const request = { method: 'POST', url: `${server.origin}/v1`, headers: {}, body, connectTimeoutMs: 5_000 } as const;
    const { status } = await send(request, new AbortController().signal);
    const received = server.requests.at(-1);
    assert.deepEqual([status, received?.body === body], [200, true]);
    assert.equal(received?.headers['content-length'], String(Buffer.byteLength(body)));
    assert.equal(received?.headers['transfer-encoding'], undefined);
  }
  assert.equal(server.requests.length, 2);
});

test('sends the user agent and the key, and neither cookie nor referrer', async () => {
  await using own = await ownGateway();
  await listen(newClient({ transport: send }), own.target()).received;
  const [request] = own.gateway.requests();
  assert.equal(request?.headers['user-agent'], 'ask-model/1.0');
  assert.equal(request?.headers.authorization, `Bearer ${own.key}`);
  assert.equal(request?.headers['accept-encoding'], 'identity');
  assert.equal(request?.headers.cookie, undefined);
  assert.equal(request?.headers.referer, undefined);
});

test('the current setting selects the transport of each request, and the dispatcher of the process does not change', async () => {
  await using own = await ownGateway();
  const before = Reflect.get(globalThis, dispatcher);
  const fetches: string[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    fetches.push(String(input));
    return fetch(input, init);
  };
  try {
    let settings: NetworkSettings = defaultNetworkSettings;
    const network = openNetwork(() => settings, process.env);
    const client = newClient({ transport: network.send });
    assert.ok('models' in (await readList(client, own.target())));
    assert.deepEqual(fetches, []);
    settings = { ...settings, transport: 'host' };
    assert.ok('models' in (await readList(client, own.target())));
    assert.deepEqual(fetches, [own.target().url.modelsUrl]);
    settings = { ...settings, transport: 'undici' };
    assert.ok('models' in (await readList(client, own.target())));
    assert.equal(fetches.length, 1);
    await network.close();
  } finally {
    globalThis.fetch = fetch;
  }
  // Node's own fetch creates one at its first call; ours must not replace it.
  const now = Reflect.get(globalThis, dispatcher);
  assert.ok(before === undefined || now === before);
});
