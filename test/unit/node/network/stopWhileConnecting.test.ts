import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { startGateway } from '../../../gateway/gateway.ts';
import { listenOnLoopback } from '../../../gateway/network/listenOnLoopback.ts';
import { until } from '../../../until.ts';
import { certificateFile, ownNetwork, prime } from './networkFixture.ts';

test('a request that is aborted while it connects ends at once, and is not sent when the connection opens', async () => {
  const gateway = await startGateway({ tls: 'good' });
  // In front of the gateway; passes nothing on before `pass` is called.
  const waiting: Socket[] = [];
  const server = createServer((socket) => void waiting.push(socket.on('error', () => undefined)));
  const port = await listenOnLoopback(server, 0);
  const pass = () => {
    for (const socket of waiting) {
      const onward = connect(Number(new URL(gateway.baseUrl).port), '127.0.0.1').on('error', () => undefined);
      socket.pipe(onward).pipe(socket);
    }
  };
  await using authority = await certificateFile(gateway.authority);
  await using network = ownNetwork({}, { NODE_EXTRA_CA_CERTS: authority.path });
  try {
    await prime(network.send, new URL(gateway.baseUrl).origin);
    const send = (method: 'GET' | 'POST', path: string, signal: AbortSignal) => {
      const url = `https://127.0.0.1:${port}/v1/${path}`;
      const body = method === 'POST' ? { body: '{}' } : {};
      return network.send({ method, url, headers: {}, connectTimeoutMs: 5_000, ...body }, signal);
    };
    const abort = new AbortController();
    const stopped = send('POST', 'chat/completions', abort.signal);
    const other = send('GET', 'models', new AbortController().signal);
    await until(() => waiting.length === 2);
    abort.abort();
    await assert.rejects(stopped, { name: 'AbortError' });
    pass();
    for await (const _ of (await other).body) {
      // Reads the body to its end.
    }
    await gateway.settled();
    assert.deepEqual(
      gateway.requests().map(({ method }) => method),
      ['GET'],
    );
  } finally {
    await network.close();
    server.close();
    await gateway.close();
  }
});
