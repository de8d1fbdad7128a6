import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import dns from 'node:dns';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  createServer,
  getDefaultAutoSelectFamilyAttemptTimeout,
  type Socket,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Target } from '../../../../src/core/client/gatewayClient.ts';
import { advice } from '../../../../src/core/errors/advice.ts';
import type { GatewayProblem } from '../../../../src/core/errors/gatewayProblem.ts';
import { newTlsIdentity } from '../../../gateway/network/certificate.ts';
import { listenOnLoopback } from '../../../gateway/network/listenOnLoopback.ts';
import { type LocalProxy, type ProxyOptions, startProxy } from '../../../gateway/network/proxy.ts';
import {
  faultless,
  holdsKey,
  listen,
  newClient,
  type OwnGateway,
  ownGateway,
  question,
  readList,
  targetOf,
} from '../../wire/wireCall.ts';
import { httpServer } from './gatewayServer.ts';
import { certificateFile, farHost, farTarget, type OwnNetwork, ownNetwork, realProxy } from './networkFixture.ts';

const run = promisify(execFile);

/** Asks one question, and returns how it ended. */
async function ask(network: OwnNetwork, target: Target, limits = {}) {
  const { end, text } = await listen(newClient({ transport: network.send, limits }), target).received;
  return { outcome: end.outcome, text, problem: end.problem };
}

async function assertAnswered(network: OwnNetwork, target: Target): Promise<void> {
  const { outcome, text, problem } = await ask(network, target);
  assert.deepEqual([outcome, problem, text], ['complete', undefined, (await faultless()).text]);
}

async function problemOf(network: OwnNetwork, target: Target, limits = {}): Promise<GatewayProblem> {
  const { outcome, text, problem } = await ask(network, target, limits);
  assert.deepEqual([outcome, text], ['failed', '']);
  assert.ok(problem && !holdsKey(problem, target.key));
  return problem;
}

async function proxyTo({ gateway }: OwnGateway, options: Omit<ProxyOptions, 'port'> = {}) {
  const proxy: LocalProxy = await startProxy({ port: Number(new URL(gateway.baseUrl).port), ...options });
  return Object.assign(proxy, { [Symbol.asyncDispose]: () => proxy.close() });
}

/** Asserts that the proxy could read neither the key, nor the question, nor the name of a header with one of them. */
function assertUnreadable(received: string, key: string): void {
  assert.ok(received.length > 0);
  for (const secret of [
    key,
    key.slice(0, 8),
    'Bearer',
    question.slice(0, 11),
    'chat/completions',
    '\nauthorization:',
  ]) {
    assert.ok(!received.includes(secret), secret);
  }
}

function withCredentials(url: string, credentials: string): string {
  return url.replace('://', `://${credentials}@`);
}

/** Runs code with our network in a new process. @returns the lines that it prints. */
async function printedBy(code: string, args: readonly string[], environment = {}): Promise<string[]> {
  const source = (name: string) => JSON.stringify(new URL(`../../../../${name}.ts`, import.meta.url));
  const imports = `
    const { openNetwork } = await import(${source('src/node/network/undiciTransport')});
    const { defaultNetworkSettings } = await import(${source('test/unit/core/network/defaultNetworkSettings')});
    const { networkProblem } = await import(${source('src/core/errors/networkProblem')});`;
  const options = ['--input-type=module', '--no-warnings', '-e', imports + code];
  const env = { PATH: process.env.PATH, ...environment };
  const { stdout } = await run(process.execPath, [...options, ...args], { env, timeout: 10_000 });
  return stdout.trim().split('\n');
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

for (const password of [undefined, 'me:p@ss:wörd']) {
  const how = password === undefined ? 'without a password' : 'with a password';
  test(`a real proxy ${how} gets an unencrypted request whole, with its absolute URL`, async () => {
    await using own = await ownGateway();
    await using proxy = await realProxy(password);
    const [name = '', word = ''] = (password ?? '').split(/:(.*)/s);
    const url = password === undefined ? proxy.url : withCredentials(proxy.url, `${name}:${encodeURIComponent(word)}`);
    await using network = ownNetwork({ proxy: url });
    const target = farTarget(own.gateway.baseUrl, own.key);
    await assertAnswered(network, target);
    const listed = await readList(newClient({ transport: network.send }), target);
    assert.ok('models' in listed && listed.models.length > 20);
    assert.deepEqual(
      proxy.requests.map(({ host, isTunnel }) => [host, isTunnel]),
      [1, 2].map(() => [new URL(target.url.base).host, false]),
    );
    const [request] = own.gateway.requests();
    assert.equal(request?.headers.host, new URL(target.url.base).host);
    assert.equal(request?.headers['proxy-authorization'], undefined, 'the gateway never receives it');
    assert.equal(own.gateway.postCount(), 1);
  });

  test(`a real proxy ${how} opens a tunnel for TLS, and can read neither key nor question`, async () => {
    await using own = await ownGateway({ tls: 'good' });
    await using authority = await certificateFile(own.gateway.authority);
    await using proxy = await realProxy(password);
    const url = password === undefined ? proxy.url : withCredentials(proxy.url, 'me:p%40ss%3Aw%C3%B6rd');
    await using network = ownNetwork({ proxy: url }, { NODE_EXTRA_CA_CERTS: authority.path });
    const target = farTarget(own.gateway.baseUrl, own.key);
    await assertAnswered(network, target);
    // The first connection only finds out that more authorities are needed, so there are two.
    assert.deepEqual(
      [...new Set(proxy.requests.map(({ host, isTunnel }) => `${host} ${isTunnel}`))],
      [`${new URL(target.url.base).host} true`],
    );
    for (const { headers } of proxy.requests) {
      const wanted = password === undefined ? [] : ['proxy-authorization'];
      const always = ['connection', 'host', 'proxy-connection'];
      assert.deepEqual(Object.keys(headers).toSorted(), [...always, ...wanted].toSorted());
    }
    assert.equal(own.gateway.postCount(), 1);
    assert.equal(own.gateway.requests()[0]?.headers['proxy-authorization'], undefined);
  });
}

test('a question through a proxy is sent once, however it is cut, and the text received so far stays', async () => {
  for (const tls of [undefined, 'good'] as const) {
    await using own = await ownGateway({ tls });
    await using authority = await certificateFile(own.gateway.authority);
    await using proxy = await proxyTo(own);
    await using network = ownNetwork({ proxy: proxy.url }, { NODE_EXTRA_CA_CERTS: authority.path });
    const cut = await ask(network, farTarget(own.gateway.baseUrl, own.key, '/fault/cut-mid-stream/v1'));
    assert.deepEqual([cut.outcome, cut.problem?.kind], ['incomplete', 'cut']);
    assert.ok(cut.text.length > 0 && (await faultless()).text.startsWith(cut.text));
    const reset = await problemOf(network, farTarget(own.gateway.baseUrl, own.key, '/fault/reset-before-headers/v1'));
    assert.equal(reset.kind, 'cut');
    assert.equal(own.gateway.postCount(), 2);
  }
});

test('a proxy that requires a password passes nothing on, and the problem names the setting to change', async () => {
  for (const tls of [undefined, 'good'] as const) {
    for (const given of ['', 'me:wrong@']) {
      await using own = await ownGateway({ tls });
      await using proxy = await proxyTo(own, { credentials: 'me:secret' });
      await using network = ownNetwork(
        {},
        { http_proxy: proxy.url.replace('//', `//${given}`), https_proxy: proxy.url },
      );
      const problem = await problemOf(network, farTarget(own.gateway.baseUrl, own.key));
      const setting = tls === undefined ? 'http_proxy' : 'https_proxy';
      assert.deepEqual(problem, {
        kind: 'proxy',
        cause: 'authentication',
        proxy: new URL(proxy.url).host,
        setting,
        status: 407,
        // A proxy that gets whole requests has read this one.
        ...(tls === undefined && { mayHaveRun: true }),
      });
      assert.equal(own.gateway.requests().length, 0);
      if (tls !== undefined) {
        assertUnreadable(proxy.receivedText(), own.key);
      }
    }
  }
});

test('reports a proxy that is not running, that has an unknown name, and that speaks TLS', async () => {
  await using own = await ownGateway({ tls: 'good' });
  const target = farTarget(own.gateway.baseUrl, own.key);
  for (const [proxy, cause] of [
    ['http://127.0.0.1:1', 'unreachable'],
    ['http://no-such-proxy.invalid:3128', 'unreachable'],
    [own.gateway.baseUrl.replace('https', 'http'), 'refused'],
  ] as const) {
    await using network = ownNetwork({ proxy });
    const problem = await problemOf(network, target, { connectMs: 5_000 });
    assert.ok(problem.kind === 'proxy' && problem.proxy === new URL(proxy).host && problem.setting === 'http.proxy');
    assert.equal(problem.cause, cause, proxy);
  }
  assert.equal(own.gateway.requests().length, 0);
});

test('reports why a tunnel was refused: the status, a password that is wanted, or no answer of a proxy', async () => {
  const rows: [answer: string, expected: object][] = [
    ['HTTP/1.1 403 Forbidden\r\n\r\n', { cause: 'refused', status: 403 }],
    ['HTTP/1.1 502 Bad Gateway\r\ncontent-length: 1\r\n\r\nx', { cause: 'refused', status: 502 }],
    ['HTTP/1.1 302 Found\r\nlocation: http://login.test\r\n\r\n', { cause: 'refused', status: 302 }],
    ['HTTP/1.1 407 X\r\n\r\n', { cause: 'authentication', status: 407 }],
    ['SSH-2.0-x\r\n\r\n', { cause: 'refused' }],
    [`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}`, { cause: 'refused' }],
    ['', { cause: 'refused' }],
    ['HTTP/1.1 200 O', { cause: 'refused' }],
  ];
  for (const [answer, expected] of rows) {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      socket.once('data', () => socket.end(answer));
    }).unref();
    const proxy = `http://127.0.0.1:${await listenOnLoopback(server, 0)}`;
    await using network = ownNetwork({ proxy });
    const problem = await problemOf(network, targetOf(`https://${farHost}`, 'sk-Nobody0123456789'));
    const { code: _, ...facts } = problem;
    const whole = { kind: 'proxy', proxy: new URL(proxy).host, setting: 'http.proxy', ...expected };
    assert.deepEqual(facts, whole, answer.slice(0, 40));
    assert.equal(sockets.length, 1, 'the proxy was asked once');
    server.close();
  }
});

test('a proxy that accepts a connection and never answers fails after the connect time-out', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined).resume()).unref();
  const proxy = `http://127.0.0.1:${await listenOnLoopback(silent, 0)}`;
  await using network = ownNetwork({ proxy });
  const problem = await problemOf(network, targetOf(`https://${farHost}`, 'sk-Nobody0123456789'), { connectMs: 150 });
  assert.deepEqual([problem.kind, 'cause' in problem && problem.cause], ['proxy', 'unreachable']);
  assert.match(problem.code ?? '', /^UND_ERR_(?:CONNECT|HEADERS)_TIMEOUT$/);
  silent.close();
});

test('a proxy setting that can’t be used fails the request, and nothing is sent directly', async () => {
  await using own = await ownGateway();
  for (const proxy of ['socks5://me:secret@127.0.0.1:1080', 'http://me:secret@', 'ftp://127.0.0.1']) {
    await using network = ownNetwork({ proxy });
    const problem = await problemOf(network, farTarget(own.gateway.baseUrl, own.key));
    assert.deepEqual([problem.kind, 'cause' in problem && problem.cause], ['proxy', 'setting']);
    assert.doesNotMatch(JSON.stringify(problem), /secret/);
    // Requests to this machine do not go through a proxy.
    await assertAnswered(network, own.target());
  }
});

test('a proxy can be changed, turned off and bypassed without a restart', async () => {
  await using own = await ownGateway();
  await using one = await proxyTo(own);
  await using two = await proxyTo(own);
  await using network = ownNetwork({ proxy: one.url });
  const target = farTarget(own.gateway.baseUrl, own.key);
  const counts = () => [one.forwarded().length, two.forwarded().length, own.gateway.postCount()];
  await assertAnswered(network, target);
  assert.deepEqual(counts(), [1, 0, 1]);
  network.settings = { proxy: two.url };
  await assertAnswered(network, target);
  assert.deepEqual(counts(), [1, 1, 2]);
  for (const settings of [
    { proxy: two.url, usesProxy: false },
    { proxy: two.url, noProxy: [farHost] },
  ]) {
    network.settings = settings;
    const problem = await problemOf(network, target);
    assert.equal(problem.kind, 'unreachable', 'only the proxy can resolve the name');
  }
  network.settings = { proxy: one.url };
  await assertAnswered(network, target);
  assert.deepEqual(counts(), [2, 1, 3]);
});

test('the certificate of a TLS proxy is checked unless http.proxyStrictSSL is off; that of a gateway always is', async () => {
  await using own = await ownGateway({ tls: 'good' });
  const identity = newTlsIdentity('good');
  await using proxy = await proxyTo(own, { identity, credentials: 'me:secret' });
  await using both = await certificateFile(own.gateway.authority, identity.authority);
  await using gatewayAlone = await certificateFile(own.gateway.authority);
  const target = farTarget(own.gateway.baseUrl, own.key);
  const url = withCredentials(proxy.url, 'me:secret');
  {
    await using network = ownNetwork({ proxy: url }, { NODE_EXTRA_CA_CERTS: both.path });
    await assertAnswered(network, target);
    assert.ok(proxy.tunnels().length > 0);
    assertUnreadable(proxy.receivedText(), own.key);
  }
  {
    await using network = ownNetwork({ proxy: url }, { NODE_EXTRA_CA_CERTS: gatewayAlone.path });
    const tunnels = proxy.tunnels().length;
    const problem = await problemOf(network, target);
    assert.deepEqual(
      [problem.kind, 'cause' in problem && problem.cause, problem.code],
      ['proxy', 'certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    );
    assert.equal(proxy.tunnels().length, tunnels, 'a proxy that is not trusted does not receive the password');
  }
  {
    await using network = ownNetwork({ proxy: url, proxyStrictSsl: false }, { NODE_EXTRA_CA_CERTS: gatewayAlone.path });
    await assertAnswered(network, target);
  }
  await using network = ownNetwork({ proxy: url, proxyStrictSsl: false });
  assert.equal((await problemOf(network, target)).kind, 'certificate');
  assert.equal(own.gateway.postCount(), 2);
});

test('a TLS proxy also gets unencrypted requests whole', async () => {
  await using own = await ownGateway();
  const identity = newTlsIdentity('good');
  await using proxy = await proxyTo(own, { identity });
  await using authority = await certificateFile(identity.authority);
  await using network = ownNetwork({}, { HTTP_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority.path });
  await assertAnswered(network, farTarget(own.gateway.baseUrl, own.key));
  assert.deepEqual(
    proxy.forwarded().map(({ method, isAllowed }) => [method, isAllowed]),
    [['POST', true]],
  );
});

test('NODE_TLS_REJECT_UNAUTHORIZED=0 does not turn the check off: our own transport still checks, and with fetch nothing is sent', async () => {
  await using own = await ownGateway({ tls: 'self-signed' });
  await using plain = await ownGateway();
  const code = `
    for (const transport of ['undici', 'host']) {
      const network = openNetwork(() => ({ ...defaultNetworkSettings, transport }), {});
      for (const url of process.argv.slice(1)) {
        const request = { method: 'GET', url: url + '/models', headers: { authorization: 'Bearer x' }, connectTimeoutMs: 5000 };
        const { signal } = new AbortController();
        console.log(await network.send(request, signal).then(
          ({ status }) => status,
          (error) => { const { kind, code } = networkProblem(error, 'g', []); return kind + ' ' + code; },
        ));
      }
      await network.close();
    }
    process.exit();`;
  const environment = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  assert.deepEqual(await printedBy(code, [own.gateway.baseUrl, plain.gateway.baseUrl], environment), [
    'certificate DEPTH_ZERO_SELF_SIGNED_CERT',
    '401',
    'certificate CERT_NOT_CHECKED',
    '401',
  ]);
  assert.equal(own.gateway.requests().length, 0);
  const { remedy } = advice({ kind: 'certificate', detail: 'CERT_NOT_CHECKED' }, { host: 'gw.example' });
  assert.match(
    remedy,
    /NODE_TLS_REJECT_UNAUTHORIZED is 0.*gw\.example.*Remove the variable.*askModel\.network\.transport/,
  );
});

test('an authority that the person adds counts for the next question, without a restart', async () => {
  for (const tls of ['good', 'self-signed', 'unknown-chain'] as const) {
    await using own = await ownGateway({ tls });
    await using authority = await certificateFile(own.gateway.authority, 'not a certificate at all');
    const environment: Record<string, string> = {};
    await using network = ownNetwork({}, environment);
    assert.equal((await problemOf(network, own.target())).kind, 'certificate');
    environment.NODE_EXTRA_CA_CERTS = authority.path;
    await assertAnswered(network, own.target());
    await assertAnswered(network, own.target());
    assert.equal(own.gateway.postCount(), 2);
  }
});

const onLinux = { skip: process.platform === 'linux' ? false : 'only Linux keeps its authorities in a file' };

test('an authority of the system counts only when http.systemCertificates is on', onLinux, async () => {
  await using own = await ownGateway({ tls: 'good' });
  await using authority = await certificateFile(own.gateway.authority);
  // OpenSSL, and so Node, reads the authorities of the system from here once per process, so this needs a new process.
  const code = `
    for (const systemCertificates of [false, true]) {
      const network = openNetwork(() => ({ ...defaultNetworkSettings, systemCertificates }), {});
      const request = { method: 'GET', url: process.argv[1] + '/models', headers: { authorization: 'Bearer ' + process.argv[2] }, connectTimeoutMs: 5000 };
      try {
        const { status } = await network.send(request, new AbortController().signal);
        console.log(status);
      } catch (error) { console.log(error.cause.code); }
      await network.close();
    }`;
  const environment = { SSL_CERT_FILE: authority.path, SSL_CERT_DIR: '/nowhere' };
  const printed = await printedBy(code, [own.gateway.baseUrl, own.key], environment);
  assert.deepEqual(printed, ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', '200']);
});

test('reports an address that does not speak TLS, and a server that resets the connection at the start', async () => {
  await using own = await ownGateway();
  await using network = ownNetwork();
  const inClear = await problemOf(network, targetOf(own.gateway.baseUrl.replace('http', 'https'), own.key));
  assert.equal(inClear.kind, 'certificate');
  assert.match(`${inClear.code} ${inClear.words}`, /wrong.version|packet.length|http.request/i);
  const resetting = createServer((socket) =>
    socket.on('error', () => undefined).once('data', () => socket.resetAndDestroy()),
  ).unref();
  const port = await listenOnLoopback(resetting, 0);
  const problem = await problemOf(network, targetOf(`https://127.0.0.1:${port}`, own.key));
  assert.deepEqual([problem.kind, 'cause' in problem && problem.cause], ['unreachable', 'network']);
  resetting.close();
  assert.equal(own.gateway.requests().length, 0);
});

test('reaches a gateway by its IPv6 address, with and without TLS', async () => {
  const identity = newTlsIdentity('good');
  await using authority = await certificateFile(identity.authority);
  await using network = ownNetwork({}, { NODE_EXTRA_CA_CERTS: authority.path });
  const hosts: string[] = [];
  const answer: Parameters<typeof createHttpServer>[1] = (request, response) => {
    hosts.push(String(request.headers.host));
    response.setHeader('content-type', 'application/json').end('{"object":"list","data":[{"id":"a/b"}]}');
  };
  for (const [scheme, server] of [
    ['http', createHttpServer(answer as never)],
    ['https', createTlsServer(identity, answer as never)],
  ] as const) {
    await new Promise<void>((done) => server.listen(0, '::1', done));
    const { port } = server.address() as AddressInfo;
    const listed = await readList(
      newClient({ transport: network.send }),
      targetOf(`${scheme}://[::1]:${port}`, 'sk-Six0123456789'),
    );
    assert.deepEqual('models' in listed && listed.models.map(({ id }) => id), ['a/b'], JSON.stringify(listed));
    server.closeAllConnections();
    server.close();
    assert.equal(hosts.at(-1), `[::1]:${port}`);
  }
});

test('questions at the same moment have a tunnel each, which is reused, and which the proxy can’t read', async () => {
  await using own = await ownGateway({ tls: 'good', delayMs: 5 });
  await using authority = await certificateFile(own.gateway.authority);
  await using proxy = await proxyTo(own, { credentials: 'me:secret' });
  await using network = ownNetwork(
    { proxy: proxy.url, proxyAuthorization: basic('me:secret') },
    { NODE_EXTRA_CA_CERTS: authority.path },
  );
  const target = farTarget(own.gateway.baseUrl, own.key);
  // Finds out which authorities are needed, so that no connection is made twice.
  await assertAnswered(network, target);
  const before = proxy.tunnels().length;
  await Promise.all([1, 2, 3, 4, 5].map(() => assertAnswered(network, target)));
  assert.equal(proxy.tunnels().length - before, 5);
  await assertAnswered(network, target);
  assert.equal(proxy.tunnels().length - before, 5, 'an open connection is reused');
  assert.equal(own.gateway.postCount(), 7);
  assertUnreadable(proxy.receivedText(), own.key);
  assert.ok(proxy.tunnels().every(({ isAllowed }) => isAllowed));
  assert.deepEqual(proxy.forwarded(), []);
  assert.ok(!JSON.stringify(own.gateway.requests()).includes(basic('me:secret')));
});

test('an idle connection does not keep the process alive, and closing ends one that is being made', async () => {
  await using own = await ownGateway({ tls: 'good' });
  await using authority = await certificateFile(own.gateway.authority);
  const silent = createServer((socket) => socket.on('error', () => undefined).resume()).unref();
  const port = await listenOnLoopback(silent, 0);
  const code = `
    const network = openNetwork(() => defaultNetworkSettings, { NODE_EXTRA_CA_CERTS: process.argv[3] });
    const { signal } = new AbortController();
    const headers = { authorization: 'Bearer ' + process.argv[2] };
    const { status, body } = await network.send({ method: 'GET', url: process.argv[1] + '/models', headers, connectTimeoutMs: 5000 }, signal);
    for await (const _ of body);
    const other = openNetwork(() => defaultNetworkSettings, {});
    const never = other.send({ method: 'GET', url: process.argv[4], headers, connectTimeoutMs: 60000 }, signal).catch((error) => error.name);
    await new Promise((done) => setTimeout(done, 200));
    await other.close();
    console.log(status, await never);
    const ended = performance.now();
    process.on('exit', () => console.log(performance.now() - ended));`;
  const args = [own.gateway.baseUrl, own.key, authority.path, `https://127.0.0.1:${port}`];
  const [answers = '', waitedMs] = await printedBy(code, args);
  assert.match(answers, /^200 \w*Error/);
  // An idle connection is closed after three seconds.
  assert.ok(Number(waitedMs) < 1_000, 'it waited for the idle connection');
  assert.equal(own.gateway.requests()[0]?.headers.host, new URL(own.gateway.baseUrl).host);
  assert.equal(own.gateway.requests()[0]?.headers['accept-encoding'], 'gzip, br');
  silent.close();
});

test('a server with the certificate of another host is refused each time, even when TLS issues a session first', async () => {
  const identity = newTlsIdentity('wrong-host');
  await using authority = await certificateFile(identity.authority);
  const requests: unknown[] = [];
  const server = createTlsServer({ ...identity, maxVersion: 'TLSv1.2' }, (request, response) => {
    requests.push(request.headers);
    response.end();
  });
  const port = await listenOnLoopback(server, 0);
  await using network = ownNetwork({}, { NODE_EXTRA_CA_CERTS: authority.path });
  const target = targetOf(`https://127.0.0.1:${port}`, 'sk-Again0123456789');
  const codes: unknown[] = [];
  for (let time = 1; time <= 3; time++) {
    codes.push((await problemOf(network, target)).code);
  }
  server.closeAllConnections();
  server.close();
  assert.deepEqual(codes, Array(3).fill('ERR_TLS_CERT_ALTNAME_INVALID'));
  assert.deepEqual(requests, []);
});

test('waits longer than Node for one of several addresses, but not on this machine (anomalyco/opencode#45178, curl/curl#14144)', async (t) => {
  await using own = await ownGateway();
  await using network = ownNetwork();
  const nodeMs = getDefaultAutoSelectFamilyAttemptTimeout();
  t.after(() => setDefaultAutoSelectFamilyAttemptTimeout(nodeMs));
  setDefaultAutoSelectFamilyAttemptTimeout(10);
  t.mock.method(dns, 'lookup', (_: string, __: object, done: (...found: unknown[]) => void) => {
    const addresses = [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
    setImmediate(() => {
      done(null, addresses);
      process.nextTick(() => {
        for (const began = performance.now(); performance.now() < began + 20; ) {}
      });
    });
  });
  await assertAnswered(network, farTarget(own.gateway.baseUrl, own.key));
  const here = targetOf(own.gateway.baseUrl.replace('127.0.0.1', 'localhost'), own.key);
  assert.equal((await problemOf(network, here)).code, 'ETIMEDOUT');
});

test('reads answers and errors that a relay has decoded, but still says to be encoded (tombii/better-ccflare#243, preset-io/agor#1104)', async () => {
  const events = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const refusal = '{"error":{"message":"The model gpt-0 does not exist","code":"model_not_found"}}';
  let status = 200;
  let encoding = '';
  await using server = await httpServer((_, response) => {
    response.writeHead(status, { 'content-encoding': encoding }).end(status === 200 ? events : refusal);
  });
  await using network = ownNetwork();
  for (encoding of ['gzip', 'deflate', 'br', 'zstd']) {
    status = 200;
    assert.deepEqual(await ask(network, server.target), { outcome: 'complete', text: 'Hi', problem: undefined });
    status = 404;
    assert.equal((await problemOf(network, server.target)).kind, 'modelUnknown', encoding);
  }
});

test('reads a body in Brotli that begins like a plain one', async () => {
  const error = (padding: string) =>
    JSON.stringify({ error: { message: `No such model ${padding}`, code: 'model_not_found' } });
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };
  const body = brotliCompressSync(error('x'.repeat(117 - error('').length)), { params });
  // A vertical tab and a colon.
  assert.equal(body.toString('latin1', 0, 2), '\v:');
  await using server = await httpServer((_, response) => {
    response.writeHead(404, { 'content-encoding': 'br' }).end(body);
  });
  await using network = ownNetwork();
  assert.equal((await problemOf(network, server.target)).kind, 'modelUnknown');
});
