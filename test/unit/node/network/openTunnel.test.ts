import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { ProxyFacts } from '../../../../src/core/network/proxyError.ts';
import { openTunnel } from '../../../../src/node/network/openTunnel.ts';

const proxy = { origin: 'http://p:1', name: 'p:1', setting: 'http.proxy', authorization: 'Basic bWU6' };

/** Both ends of a connection: ours, and the one a proxy would have. */
async function pair(): Promise<AsyncDisposable & { ours: Socket; theirs: Socket; heard(): string }> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const ours = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
  const [theirs] = (await once(server, 'connection')) as [Socket];
  let heard = '';
  theirs.setNoDelay().on('data', (bytes) => {
    heard += bytes.toString('latin1');
  });
  for (const socket of [ours, theirs]) {
    socket.on('error', () => undefined);
  }
  return {
    ours,
    theirs,
    heard: () => heard,
    async [Symbol.asyncDispose]() {
      ours.destroy();
      theirs.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

async function factsOf(opening: Promise<void>): Promise<ProxyFacts> {
  try {
    await opening;
  } catch (error) {
    assert.ok(error instanceof Error && 'facts' in error, String(error));
    return error.facts as ProxyFacts;
  }
  assert.fail('it opened');
}

test('asks with host and authorization and nothing else', async () => {
  await using both = await pair();
  const opening = openTunnel(both.ours, '[2001:db8::1]:443', proxy);
  await once(both.theirs, 'data');
  both.theirs.write('HTTP/1.1 200 OK\r\n\r\n');
  await opening;
  assert.equal(
    both.heard(),
    'CONNECT [2001:db8::1]:443 HTTP/1.1\r\nhost: [2001:db8::1]:443\r\nproxy-authorization: Basic bWU6\r\n\r\n',
  );
});

test('reads an answer that comes byte by byte, and leaves what follows it to whoever comes next', async () => {
  await using both = await pair();
  const opening = openTunnel(both.ours, 'a.test:443', proxy);
  for (const byte of Buffer.from('HTTP/1.0 200 Connection established\r\nVia: x\r\n\r\n')) {
    both.theirs.write(Buffer.of(byte));
    await turn();
  }
  await opening;
  both.theirs.write('first');
  const [bytes] = (await once(both.ours, 'data')) as [Buffer];
  assert.equal(bytes.toString(), 'first');
});

test('keeps bytes that came in one piece with the answer', async () => {
  await using both = await pair();
  const opening = openTunnel(both.ours, 'a.test:443', proxy);
  both.theirs.write('HTTP/1.1 200 OK\r\n\r\nfirst');
  await opening;
  const [bytes] = (await once(both.ours, 'data')) as [Buffer];
  assert.equal(bytes.toString(), 'first');
});

test('says what a refusal was: its status, what it would take, or that it is no proxy', async () => {
  const facts = { proxy: 'p:1', setting: 'http.proxy' };
  const rows: [answer: string, expected: ProxyFacts][] = [
    ['HTTP/1.1 403 Forbidden\r\n\r\n', { ...facts, trouble: 'refused', status: 403 }],
    ['HTTP/1.1 502 Bad Gateway\r\ncontent-length: 1\r\n\r\nx', { ...facts, trouble: 'refused', status: 502 }],
    ['HTTP/1.1 302 Found\r\nlocation: http://login.test\r\n\r\n', { ...facts, trouble: 'refused', status: 302 }],
    ['HTTP/1.1 407 X\r\n\r\n', { ...facts, trouble: 'authentication', status: 407 }],
    [
      'HTTP/1.1 407 X\r\nProxy-Authenticate: Negotiate\r\nproxy-authenticate:NTLM\r\nPROXY-AUTHENTICATE: Basic realm="a"\r\n\r\n',
      { ...facts, trouble: 'authentication', status: 407, detail: 'Negotiate, NTLM, Basic' },
    ],
    ['SSH-2.0-x\r\n\r\n', { ...facts, trouble: 'refused', detail: 'it does not speak HTTP' }],
    ['x'.repeat(70_000), { ...facts, trouble: 'refused', detail: 'it does not speak HTTP' }],
  ];
  for (const [answer, expected] of rows) {
    await using both = await pair();
    const opening = factsOf(openTunnel(both.ours, 'a.test:443', proxy));
    both.theirs.write(answer);
    assert.deepEqual(await opening, expected, answer.slice(0, 30));
  }
});

test('says that a proxy hung up, in the middle of its answer too', async () => {
  for (const beginning of ['', 'HTTP/1.1 200 O']) {
    await using both = await pair();
    const opening = factsOf(openTunnel(both.ours, 'a.test:443', proxy));
    both.theirs.end(beginning);
    assert.deepEqual(await opening, { proxy: 'p:1', setting: 'http.proxy', trouble: 'refused', detail: 'it hung up' });
  }
});
