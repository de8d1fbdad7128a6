import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { createServer, type TLSSocket } from 'node:tls';
import { Authorities } from '../../../../src/node/network/authorities.ts';
import { Dialer } from '../../../../src/node/network/dialer.ts';
import type { Way } from '../../../../src/node/network/way.ts';
import { workerAnswer } from '../../../../src/node/network/workerAnswer.ts';
import { newTlsIdentity, type TlsKind } from '../../../gateway/network/tlsIdentity.ts';
import { until } from '../../core/base/until.ts';
import { certificateFile } from './networkFixture.ts';

/** A TLS server that is a proxy as well, whose tunnels all lead back to itself. */
async function mirror(kind: TlsKind) {
  const identity = newTlsIdentity(kind);
  const authority = await certificateFile(identity.authority);
  const open = new Set<{ destroy(): void }>();
  const heard: string[] = [];
  const server = createServer({ ...identity, ALPNProtocols: ['http/1.1'] }, (socket) => {
    open.add(socket.on('error', () => undefined));
    socket.once('data', (bytes) => {
      heard.push(bytes.toString().split(' ', 1)[0] ?? '');
      const inner = connect(port, '127.0.0.1').on('error', () => undefined);
      open.add(inner);
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(inner).pipe(socket);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const origin = `https://127.0.0.1:${port}`;
  return {
    url: new URL(origin),
    heard,
    dialer: (way: Partial<Way> = {}) =>
      new Dialer(new Authorities({ NODE_EXTRA_CA_CERTS: authority.path }), {
        proxy: { origin, name: `127.0.0.1:${port}`, setting: 'http.proxy' },
        proxyStrictSsl: true,
        systemCertificates: false,
        connectTimeoutMs: 5_000,
        ...way,
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of open) {
        socket.destroy();
      }
      server.close();
      await authority[Symbol.asyncDispose]();
    },
  };
}

/** How a dial ended, and whether a session was taken up again. */
async function ended(dial: Promise<TLSSocket>): Promise<string> {
  try {
    const socket = await dial;
    const how = `${socket.authorized} ${socket.isSessionReused() ? 'again' : 'new'}`;
    // The ticket of TLS 1.3 comes after the handshake.
    await new Promise((done) => setTimeout(done, 50));
    socket.destroy();
    return how;
  } catch (error) {
    return String(error instanceof Error && 'code' in error ? error.code : error);
  }
}

test('a session with a proxy that proved nothing does not pass for one with the gateway of the same address', async () => {
  await using server = await mirror('wrong-host');
  const dialer = server.dialer({ proxyStrictSsl: false });
  const ends: string[] = [];
  for (let time = 1; time <= 4; time++) {
    ends.push(await ended(dialer.secure(server.url, ['http/1.1'])));
  }
  assert.deepEqual(ends, Array(4).fill('ERR_TLS_CERT_ALTNAME_INVALID'));
  assert.ok(server.heard.length >= 4 && server.heard.every((word) => word === 'CONNECT'), 'no gateway heard anything');
});

test('proxy and gateway of one address each take up their own session', async () => {
  await using server = await mirror('good');
  const dialer = server.dialer();
  assert.equal(await ended(dialer.secure(server.url, ['http/1.1'])), 'true new');
  assert.equal(await ended(dialer.secure(server.url, ['http/1.1'])), 'true again');
});

test('authorities that can not be read to their end hold no dial up longer than its own limit', async () => {
  await using server = await mirror('unknown-authority');
  let asked = 0;
  const never = () => {
    asked++;
    return new Promise<never>(() => undefined);
  };
  const way = { proxyStrictSsl: true, systemCertificates: true, connectTimeoutMs: 300 };
  const dialer = new Dialer(new Authorities({}, never), way);
  for (let time = 1; time <= 2; time++) {
    const began = performance.now();
    assert.equal(await ended(dialer.secure(server.url, ['http/1.1'])), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    assert.ok(performance.now() - began < 2_000);
    assert.equal(asked, time);
  }
  const stop = new AbortController();
  const slow = new Dialer(new Authorities({}, never), { ...way, connectTimeoutMs: 60_000 });
  const stopped = ended(slow.secure(server.url, ['http/1.1'], stop.signal));
  await until(() => asked === 3);
  stop.abort();
  assert.equal(await stopped, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
});

test('a thread answers, fails or is given up, and does not stay', async () => {
  const post = (what: string) => `require('node:worker_threads').parentPort.postMessage(${what})`;
  assert.deepEqual(await workerAnswer(post('[1, "two"]'), 10_000), [1, 'two']);
  assert.equal(await workerAnswer('for (;;);', 100), undefined);
  assert.equal(await workerAnswer('setInterval(() => undefined, 10)', 100), undefined);
  await assert.rejects(workerAnswer('throw new Error("no keychain")', 10_000), /no keychain/);
  await assert.rejects(workerAnswer('', 10_000), /without an answer/);
});
