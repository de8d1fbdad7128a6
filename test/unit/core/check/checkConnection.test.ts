import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import {
  type CheckStep,
  type CheckStepId,
  type ConnectionCheck,
  checkConnection,
} from '../../../../src/core/check/checkConnection.ts';
import type { CheckPorts } from '../../../../src/core/check/checkFinding.ts';
import { checkReport } from '../../../../src/core/check/checkReport.ts';
import { parseBaseUrl } from '../../../../src/core/connections/baseUrl.ts';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import { advice } from '../../../../src/core/errors/advice.ts';
import type { GatewayProblem } from '../../../../src/core/errors/gatewayProblem.ts';
import { networkProblem } from '../../../../src/core/errors/networkProblem.ts';
import type { Transport } from '../../../../src/core/http/transport.ts';
import type { NetworkProbe, TlsFacts } from '../../../../src/core/network/networkProbe.ts';
import { systemClock } from '../../../../src/node/system/systemClock.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../../gateway/gateway.ts';
import { until } from '../../../until.ts';
import { httpServer } from '../../node/network/gatewayServer.ts';
import { ManualClock } from '../base/manualClock.ts';
import { plainTransport } from '../http/plainTransport.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** A network probe that succeeds, with the given changes. */
function probe(change: Partial<NetworkProbe> = {}): NetworkProbe {
  return {
    routeTo: () => ({ because: { reason: 'noProxySet' } }),
    resolve: async () => ['192.0.2.7', '2001:db8::7'],
    handshake: async () => facts(),
    ...change,
  };
}

function facts(change: Partial<TlsFacts> = {}): TlsFacts {
  return {
    protocol: 'TLSv1.3',
    alpn: 'http/1.1',
    subject: 'gw.example',
    issuer: 'Some Authority',
    validUntil: Date.now() + 90.5 * dayMs,
    ...change,
  };
}

function connectionTo(address: string, headers: Record<string, string> = {}): Connection {
  const url = parseBaseUrl(address);
  assert.ok(url.ok);
  return { id: 'one', name: 'Work', url: url.value, headers, probes: false };
}

function ports(change: Partial<CheckPorts> = {}): CheckPorts {
  return {
    transport: plainTransport(),
    probe: probe(),
    clock: systemClock,
    userAgent: 'ask-model/1.0',
    connectTimeoutMs: 2_000,
    ...change,
  };
}

type Result = { readonly check: ConnectionCheck; readonly reported: CheckStep[]; step(id: CheckStepId): CheckStep };

async function run(
  connection: Connection,
  key: string | undefined,
  change: Partial<CheckPorts> = {},
  signal = new AbortController().signal,
): Promise<Result> {
  const reported: CheckStep[] = [];
  const check = await checkConnection(ports(change), connection, key, (step) => reported.push(step), signal);
  assert.deepEqual(reported, check.steps);
  assert.deepEqual(
    reported.map(({ name }) => name),
    ['Address', 'Network route', 'DNS', 'TLS', 'Model list', 'Key', 'Clock', 'Streaming'],
  );
  return {
    check,
    reported,
    step: (id) => {
      const step = reported.find((each) => each.id === id);
      assert.ok(step);
      return step;
    },
  };
}

/** The title that other errors show for a problem. */
const titleOf = (problem: GatewayProblem) => advice(problem, { host: 'gw.example' }).title;

const statuses = ({ reported }: Result) => reported.map(({ status }) => status).join(' ');

async function withGateway(run: (gateway: Gateway) => Promise<void>, options: GatewayOptions = {}): Promise<void> {
  const gateway = await startGateway({ delayMs: 0, ...options });
  try {
    await run(gateway);
    assert.equal(gateway.postCount(), 0, 'a check never sends a chat request');
    assert.ok(gateway.requests().every(({ method }) => method === 'GET'));
    assert.deepEqual(gateway.foreign.requests(), []);
  } finally {
    await gateway.close();
  }
}

/** A transport that returns the given answer. */
function answering(status: number, headers: Record<string, string>, text: string): Transport {
  return async () => ({
    status,
    headers,
    body: (async function* () {
      yield new TextEncoder().encode(text);
    })(),
  });
}

test('checks a good connection with two GETs, the second of them without the key', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    const result = await run(connectionTo(gateway.baseUrl, { 'X-Tenant': 'a secret tenant' }), key);
    assert.equal(statuses(result), 'ok ok skipped skipped ok ok ok ok');
    const { port } = new URL(gateway.baseUrl);
    assert.equal(
      result.step('address').detail,
      `The address is http://127.0.0.1:${port}/v1. Models are read from http://127.0.0.1:${port}/v1/models, and questions are sent to http://127.0.0.1:${port}/v1/chat/completions.`,
    );
    assert.equal(result.step('route').detail, 'Direct connection. No proxy is set.');
    assert.equal(result.step('dns').detail, '127.0.0.1 is an IP address, so no lookup is needed.');
    assert.match(
      result.step('modelList').detail,
      /^\d+ models\. HTTP 200, application\/json; charset=utf-8\. First byte after \d+ ms, complete after \d+ ms\.$/,
    );
    assert.equal(
      result.step('key').detail,
      'The gateway refuses its model list without the key (HTTP 401), so it checked the key.',
    );
    assert.match(result.step('clock').detail, /^This computer's clock and the gateway's differ by [01] s\.$/);
    assert.match(
      result.step('streaming').detail,
      /Only a question, which is a paid call, shows whether answers are streamed/,
    );
    const requests = gateway.requests();
    assert.deepEqual(
      requests.map(({ method, path, headers }) => [method, path, headers.authorization, headers['x-tenant']]),
      [
        ['GET', '/v1/models', `Bearer ${key}`, 'a secret tenant'],
        ['GET', '/v1/models', undefined, 'a secret tenant'],
      ],
    );
    assert.deepEqual(
      requests.map(({ headers }) => [headers['user-agent'], headers.accept]),
      [
        ['ask-model/1.0', 'application/json'],
        ['ask-model/1.0', 'application/json'],
      ],
    );
    assert.doesNotMatch(JSON.stringify(result.check), new RegExp(`${key}|secret tenant`));
    assert.deepEqual(result.check.connection.headers, [{ name: 'X-Tenant', chars: 15 }]);
  });
});

test('leaves out an extra header that could replace the key in the request without the key', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    await run(connectionTo(gateway.baseUrl, { Authorization: `Bearer ${key}` }), key);
    assert.deepEqual(
      gateway.requests().map(({ headers }) => headers.authorization),
      [`Bearer ${key}`, undefined],
    );
  });
});

test('reports why a key is rejected, and sends no further request', async () => {
  await withGateway(async (gateway) => {
    const expired = gateway.createKey({ name: 'old', expiresAt: 1 }).value;
    const disabled = gateway.createKey({ name: 'off' });
    gateway.setKeyDisabled(disabled.id, true);
    const wrong = 'sk-0123456789012345678901234567890123456789';
    for (const [key, title] of [
      [wrong, titleOf({ kind: 'keyRejected' })],
      [expired, titleOf({ kind: 'keyExpired' })],
      [disabled.value, titleOf({ kind: 'keyDisabled' })],
    ] as const) {
      const before = gateway.requests().length;
      const result = await run(connectionTo(gateway.baseUrl), key);
      assert.equal(statuses(result), 'ok ok skipped skipped failed failed ok ok', title);
      assert.ok(result.step('key').detail.startsWith(`${title} (HTTP 401, `), result.step('key').detail);
      assert.ok(result.step('modelList').detail.startsWith(title));
      assert.match(result.step('key').remedy ?? '', /console/);
      assert.equal(gateway.requests().length - before, 1);
      assert.doesNotMatch(JSON.stringify(result.check), new RegExp(key));
    }
  });
});

test('does not accept a public list as proof of the key', async () => {
  await withGateway(async (gateway) => {
    gateway.setFault('models-any-key');
    const result = await run(connectionTo(gateway.baseUrl), 'sk-anything-at-all');
    assert.equal(result.step('modelList').status, 'ok');
    assert.equal(result.step('key').status, 'warning');
    assert.match(result.step('key').detail, /without a key too, so the list doesn't verify the key\.$/);
  });
});

test('accepts a different list without the key as proof that the key was checked', async () => {
  const list = (...ids: string[]) => JSON.stringify({ data: ids.map((id) => ({ id })) });
  await using server = await httpServer(({ headers }, response) =>
    response.end(headers.authorization ? list('a', 'b') : list('a')),
  );
  const result = await run(connectionTo(server.origin), 'sk-0123456789');
  assert.deepEqual(
    [result.step('key').status, result.step('key').detail],
    ['ok', 'The gateway returns a different model list without the key, so it checked the key.'],
  );
});

test('reports a warning when the request without the key fails', async () => {
  await using server = await httpServer(({ headers }, response) => {
    if (headers.authorization) {
      response.end('{"data":[{"id":"a"}]}');
    } else {
      response.writeHead(502).end('<html><title>Bad gateway</title></html>');
    }
  });
  const { status, detail } = (await run(connectionTo(server.origin), 'sk-0123456789')).step('key');
  assert.equal(status, 'warning');
  assert.match(detail, /^The model list couldn't be requested without the key.*HTTP 502.* says: "Bad gateway"$/);
});

test('reads the list without a key when there is none, and skips the key', async () => {
  await withGateway(async (gateway) => {
    const result = await run(connectionTo(gateway.baseUrl), undefined);
    assert.equal(statuses(result), 'ok ok skipped skipped warning skipped ok ok');
    assert.match(result.step('modelList').detail, /requires a key \(HTTP 401\)/);
    assert.equal(result.step('key').detail, 'There is no key to check.');
    assert.deepEqual(
      gateway.requests().map(({ headers }) => headers.authorization),
      [undefined],
    );
  });
});

test('reports what a wrong address answers, with the words of other errors', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    for (const [fault, title, remedy] of [
      ['html-200', titleOf({ kind: 'webPage' }), /Check the connection's address/],
      ['models-404', titleOf({ kind: 'wrongAddress' }), /Add models by ID\.$/],
      ['models-405', titleOf({ kind: 'wrongAddress' }), /Add models by ID\.$/],
      ['models-no-list', titleOf({ kind: 'unreadable', detail: 'notList' }), /connection's address/],
      ['html-502', titleOf({ kind: 'gatewayDown' }), /later/],
      ['redirect-foreign', titleOf({ kind: 'redirected', target: '' }), /127\.0\.0\.1/],
      ['redirect-loop', titleOf({ kind: 'redirected', target: '' }), /127\.0\.0\.1/],
      ['reset-before-headers', 'The connection closed before the response was complete', /firewall/],
    ] as const) {
      gateway.setFault(fault);
      const result = await run(connectionTo(gateway.baseUrl), key);
      const { status, detail, remedy: actual } = result.step('modelList');
      assert.equal(status, 'failed', fault);
      assert.ok(detail.startsWith(title), `${fault}: ${detail}`);
      assert.match(actual ?? '', remedy, fault);
      assert.equal(result.step('key').status, 'skipped', fault);
      assert.doesNotMatch(JSON.stringify(result.check), new RegExp(key), fault);
    }
  });
});

test('reports why a redirect leads elsewhere, as a chat request does', async () => {
  const { origin } = new URL('https://gw.example');
  for (const [location, title, remedy] of [
    ['https://login.example/oauth2/authorize?x=sk-0123456789', 'Network sign-in required', /sign-in page/],
    ['http://gw.example/v1/models', 'The gateway redirects to an unencrypted address', /others could read the key/],
    ['https://www.gw.example/v1/models', 'The gateway uses a different host name', /Use www\.gw\.example/],
    ['https://other.example/v1/models', 'The gateway redirects to another address', /other\.example/],
  ] as const) {
    const transport = answering(302, { location, 'x-request-id': 'req-7' }, '');
    const result = await run(connectionTo(origin), 'sk-0123456789', { transport });
    const { status, detail, remedy: actual } = result.step('modelList');
    assert.equal(status, 'failed');
    assert.ok(detail.startsWith(`${title} (HTTP 302). Request ID: req-7.`), detail);
    assert.match(actual ?? '', remedy);
    assert.doesNotMatch(JSON.stringify(result.check), /sk-0123456789/);
  }
});

test('distinguishes a broken answer from a gateway that was not reached', async () => {
  const modelList = async (code: string, words = 'boom') => {
    const transport: Transport = async () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        yield new TextEncoder().encode('{"data":');
        throw Object.assign(new Error(words), { code });
      })(),
    });
    return (await run(connectionTo('https://gw.example'), 'sk-1', { transport })).step('modelList');
  };
  for (const code of ['Z_DATA_ERROR', 'EHOSTUNREACH']) {
    assert.equal(
      (await modelList(code)).detail,
      `The connection closed before the response was complete (HTTP 200, ${code}).`,
    );
  }
  assert.equal(
    (await modelList('UND_ERR_BODY_TIMEOUT')).detail,
    'No response within 5 minutes (HTTP 200, UND_ERR_BODY_TIMEOUT).',
  );
  const transport: Transport = async () => {
    throw new Error('something odd');
  };
  const { detail } = (await run(connectionTo('https://gw.example'), 'sk-1', { transport })).step('modelList');
  assert.match(detail, /\. \(something odd\)$/, 'not reported as the gateway’s words');
});

test('reads lists as the client does, and counts dropped models', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    const list = async (fault: string) => {
      gateway.setFault(fault);
      return (await run(connectionTo(gateway.baseUrl), key)).step('modelList');
    };
    assert.match((await list('models-odd-items')).detail, /^\d+ models\. 5 more have no usable ID\. /);
    assert.match((await list('models-many:1500')).detail, /^1,500 models\. /);
    assert.match(
      (await list('models-paged')).detail,
      /^10 models\. The gateway's list has more pages, which weren't read\. HTTP 200/,
    );
    assert.match((await list('redirect-same-origin')).detail, /^\d+ models\. HTTP 200/);
    const empty = await list('models-empty');
    assert.deepEqual([empty.status, empty.detail.slice(0, 9)], ['warning', '0 models.']);
    assert.match(empty.remedy ?? '', /No models are available for this key/);
  });
});

test('redacts the key and header values that a gateway repeats', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    gateway.setFault('key-in-error');
    const result = await run(connectionTo(gateway.baseUrl), key);
    assert.equal(result.step('modelList').status, 'failed');
    assert.doesNotMatch(JSON.stringify(result.check), new RegExp(`${key}|${key.slice(-8)}`));
  });
  const secret = 'tenant-42-secret';
  await using server = await httpServer(({ headers }, response) =>
    response
      .writeHead(403, { via: `1.1 ${secret}` })
      .end(JSON.stringify({ error: { message: `No access for ${headers['x-tenant']}` } })),
  );
  const { check } = await run(connectionTo(server.origin, { 'x-tenant': secret }), 'sk-0123456789');
  assert.match(JSON.stringify(check), /No access for \[key\]/);
  assert.doesNotMatch(JSON.stringify(check), /tenant-42/);
});

test('ends a step at its time limit and continues', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    gateway.setFault('never-answers');
    const clock = new ManualClock();
    const checking = run(connectionTo(gateway.baseUrl), key, { clock });
    await until(() => gateway.requests().length === 1);
    clock.pass(30_000);
    const result = await checking;
    const { status, detail, ms } = result.step('modelList');
    assert.deepEqual([status, detail, ms], ['failed', 'No response within 30 seconds.', 30_000]);
    assert.equal(result.step('clock').detail, 'There is no response from the gateway to check.');
    assert.equal(clock.pending, 0);
  });
});

test('ends a step even when a port ignores its signal', async () => {
  const neverSettles = () => new Promise<never>(() => undefined);
  for (const [id, change, limitMs] of [
    ['dns', { probe: probe({ resolve: neverSettles }) }, 10_000],
    ['tls', { probe: probe({ handshake: neverSettles }) }, 12_000],
    ['modelList', { transport: neverSettles }, 30_000],
  ] as const) {
    const clock = new ManualClock();
    const reported: string[] = [];
    const checkPorts = ports({ ...change, clock });
    const connection = connectionTo('https://gw.example');
    const checking = checkConnection(
      checkPorts,
      connection,
      'sk-1',
      (step) => reported.push(step.id),
      new AbortController().signal,
    );
    await until(() => clock.pending === 1 && reported.length === ['dns', 'tls', 'modelList'].indexOf(id) + 2);
    clock.pass(limitMs);
    const { steps } = await checking;
    assert.equal(steps.find((step) => step.id === id)?.status, 'failed', id);
    assert.equal(clock.pending, 0);
  }
});

test('stops at once when it is aborted, and reports no further step', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    gateway.setFault('never-answers');
    const abort = new AbortController();
    const reported: CheckStep[] = [];
    const checking = checkConnection(
      ports(),
      connectionTo(gateway.baseUrl),
      key,
      (step) => reported.push(step),
      abort.signal,
    );
    await until(() => gateway.requests().length === 1);
    abort.abort(new Error('closed'));
    await assert.rejects(checking, /closed/);
    assert.equal(reported.at(-1)?.name, 'TLS');
    await assert.rejects(run(connectionTo(gateway.baseUrl), key, {}, AbortSignal.abort(new Error('before'))), /before/);
  });
});

test('reports the proxy, and leaves DNS to it', async () => {
  const transport = answering(200, {}, '{"data":[{"id":"a"}]}');
  let hasResolved = false;
  const result = await run(connectionTo('https://gw.example'), 'sk-1', {
    transport,
    probe: probe({
      routeTo: () => ({ proxy: 'http://proxy.example:3128', because: { reason: 'setting', setting: 'HTTPS_PROXY' } }),
      resolve: async () => {
        hasResolved = true;
        return [];
      },
    }),
  });
  assert.equal(
    result.step('route').detail,
    'Through the proxy http://proxy.example:3128, which is set in HTTPS_PROXY.',
  );
  assert.deepEqual(
    [result.step('dns').status, result.step('dns').detail, hasResolved],
    ['skipped', 'The proxy looks up the address of gw.example.', false],
  );
  assert.equal(result.step('tls').status, 'ok');
});

test('warns when a proxy receives the key in clear text, even for a private address', async () => {
  const transport = answering(200, {}, '{"data":[{"id":"a"}]}');
  const route = { proxy: 'proxy.example:3128', because: { reason: 'setting', setting: 'http.proxy' } } as const;
  const routeStep = async (address: string, change: Partial<CheckPorts> = {}) =>
    (await run(connectionTo(address), 'sk-1', { transport, probe: probe({ routeTo: () => route }), ...change })).step(
      'route',
    );
  for (const host of ['10.9.8.7', 'gw.example', '[fd00::7]']) {
    const { status, detail, remedy } = await routeStep(`http://${host}:3000`);
    assert.equal(status, 'warning');
    assert.equal(
      detail,
      'Through the proxy proxy.example:3128, which is set in http.proxy. It can read the key, questions, and answers, because the address starts with http://.',
    );
    assert.equal(
      remedy,
      `Use https:// if the gateway supports it, or add ${host} to http.noProxy to bypass the proxy.`,
    );
  }
  assert.equal((await routeStep('https://10.9.8.7')).status, 'ok');
  assert.equal((await routeStep('http://10.9.8.7', { probe: probe() })).status, 'ok');
  const hosts = async (address: string) => (await routeStep(address, { network: 'host' })).detail;
  assert.match(
    await hosts('http://10.9.8.7'),
    /certificates\. If it uses a proxy, the proxy can read the key and questions/,
  );
  assert.match(await hosts('http://localhost:1'), /certificates\.$/);
  assert.match(await hosts('https://10.9.8.7'), /certificates\.$/);
});

test('skips steps that depend on a failed step, and names that step', async () => {
  const fails = (code: string) => () => {
    throw Object.assign(new Error(code), { code });
  };
  let sent = 0;
  const transport: Transport = async () => {
    sent++;
    throw new Error('not to be asked');
  };
  const scenes: [CheckStepId, Partial<NetworkProbe>, RegExp, string][] = [
    ['route', { routeTo: fails('EPROXY') }, /Can't reach the gateway/, 'ok failed skipped skipped'],
    ['dns', { resolve: async () => fails('ENOTFOUND')() }, /name wasn't found/, 'ok ok failed skipped'],
    ['dns', { resolve: async () => [] }, /name wasn't found/, 'ok ok failed skipped'],
    ['tls', { handshake: async () => fails('ECONNREFUSED')() }, /refused the connection/, 'ok ok ok failed'],
  ];
  for (const [id, change, title, first] of scenes) {
    const result = await run(connectionTo('https://gw.example'), 'sk-1', { transport, probe: probe(change) });
    assert.equal(statuses(result), `${first} skipped skipped skipped skipped`);
    assert.match(result.step(id).detail, title);
    assert.equal(result.step('streaming').detail, `Skipped because "${result.step(id).name}" failed.`);
    assert.equal(result.step('streaming').ms, undefined);
  }
  assert.equal(sent, 0);
});

test('reports the certificate, and warns two weeks before it expires', async () => {
  const transport = answering(200, {}, '{"data":[{"id":"a"}]}');
  const tls = async (change: Partial<TlsFacts>) => {
    const handshake = async () => facts(change);
    return (await run(connectionTo('https://gw.example'), 'sk-1', { transport, probe: probe({ handshake }) })).step(
      'tls',
    );
  };
  const inDays = (days: number) => Date.now() + days * dayMs;
  const date = (at: number) => new Date(at).toISOString().slice(0, 10);
  const good = await tls({ validUntil: inDays(90.5) });
  assert.deepEqual(
    [good.status, good.detail],
    [
      'ok',
      `TLSv1.3, application protocol http/1.1 (ALPN). Certificate of gw.example, issued by Some Authority, valid until ${date(inDays(90.5))}. It expires in 90 days.`,
    ],
  );
  assert.equal((await tls({ validUntil: inDays(14.5) })).status, 'ok');
  const soon = await tls({ validUntil: inDays(13.9) });
  assert.deepEqual([soon.status, soon.remedy], ['warning', "The gateway's operator must renew it soon."]);
  assert.match((await tls({ validUntil: inDays(1.5) })).detail, /expires in 1 day\.$/);
  assert.match((await tls({ validUntil: Number.NaN })).detail, /with an unknown expiration date\.$/);
  const { alpn: _, ...silent } = facts();
  const handshake = async () => silent;
  const result = await run(connectionTo('https://gw.example'), 'sk-1', { transport, probe: probe({ handshake }) });
  assert.match(result.step('tls').detail, /^TLSv1\.3, no application protocol negotiated \(ALPN\)\./);
});

/** A handshake with a real gateway through Node. */
function realHandshake(authority: string): NetworkProbe['handshake'] {
  return (url) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const socket = connectTls({ host: hostname, port: Number(port), ca: authority, ALPNProtocols: ['http/1.1'] });
      socket.on('error', reject);
      socket.on('secureConnect', () => {
        const certificate = socket.getPeerCertificate();
        const protocol = socket.getProtocol() ?? '';
        const { alpnProtocol } = socket;
        socket.destroy();
        resolve({
          protocol,
          ...(alpnProtocol && { alpn: alpnProtocol }),
          subject: String(certificate.subject.CN),
          issuer: String(certificate.issuer.CN),
          validUntil: Date.parse(certificate.valid_to),
        });
      });
    });
}

test('checks a good gateway over TLS', async () => {
  await withGateway(
    async (gateway) => {
      const { value: key } = gateway.createKey({ name: 'test' });
      const result = await run(connectionTo(gateway.baseUrl), key, {
        transport: plainTransport(gateway.authority),
        probe: probe({ handshake: realHandshake(gateway.authority) }),
      });
      assert.equal(statuses(result), 'ok ok skipped ok ok ok ok ok');
      assert.match(result.step('tls').detail, /^TLSv1\.3, .*issued by Local gateway authority.*(?:29|30) days\.$/);
    },
    { tls: 'good' },
  );
});

test('reports what is wrong with a certificate, and sends no request', async () => {
  for (const [tls, code] of [
    ['expired', 'CERT_HAS_EXPIRED'],
    ['wrong-host', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['unknown-chain', 'SELF_SIGNED_CERT_IN_CHAIN'],
  ] as const) {
    await withGateway(
      async (gateway) => {
        // Trusts the authority when the fault is a different one.
        const authority = tls === 'expired' || tls === 'wrong-host' ? gateway.authority : '';
        const handshake = realHandshake(authority || 'none');
        const result = await run(connectionTo(gateway.baseUrl), 'sk-1', { probe: probe({ handshake }) });
        const step = result.step('tls');
        const { modelsUrl } = connectionTo(gateway.baseUrl).url;
        const error: unknown = await handshake(modelsUrl, 1, new AbortController().signal).catch((each) => each);
        const { host } = new URL(gateway.baseUrl);
        const { title, remedy } = advice(networkProblem(error, host, []), { host });
        assert.deepEqual([step.status, step.detail], ['failed', `${title} (${code}).`]);
        const today = new Date().toISOString().slice(0, 10);
        assert.equal(step.remedy, tls === 'expired' ? `${remedy} This computer's date is ${today}.` : remedy);
        assert.equal(gateway.requests().length, 0);
      },
      { tls },
    );
  }
});

test('warns when the address sends the key in clear text', async () => {
  const transport = answering(200, {}, '{"data":[{"id":"a"}]}');
  const { status, detail, remedy } = (await run(connectionTo('http://gw.example'), 'sk-1', { transport })).step(
    'address',
  );
  assert.equal(status, 'warning');
  assert.match(detail, /unencrypted/);
  assert.equal(remedy, 'Use https:// if the gateway supports it.');
});

test('compares the clocks', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
  const at = async (headers: Record<string, string>) =>
    (
      await run(connectionTo('https://gw.example'), 'sk-1', {
        clock,
        transport: answering(200, headers, '{"data":[{"id":"a"}]}'),
        probe: probe({ handshake: async () => facts({ validUntil: clock.now() + 90 * dayMs }) }),
      })
    ).step('clock');
  const date = (minutes: number) => new Date(clock.now() + minutes * 60_000).toUTCString();
  assert.deepEqual((await at({ date: date(-5) })).status, 'ok');
  assert.equal((await at({ date: date(-6) })).detail, "This computer's clock is 6 min ahead of the gateway's.");
  const behind = await at({ date: date(90) });
  assert.deepEqual(
    [behind.status, behind.detail],
    ['warning', "This computer's clock is 90 min behind the gateway's."],
  );
  assert.match(behind.remedy ?? '', /^Set the clock/);
  assert.equal((await at({ date: date(-10), age: '600' })).status, 'ok', 'from a cache');
  assert.equal((await at({})).status, 'skipped');
  assert.equal((await at({ date: 'yesterday' })).status, 'skipped');
});

test('reports what free calls show about streaming', async () => {
  const list = '{"data":[{"id":"a"}]}';
  const streaming = async (headers: Record<string, string>) =>
    (await run(connectionTo('https://gw.example'), 'sk-1', { transport: answering(200, headers, list) })).step(
      'streaming',
    );
  const proof = 'Only a question, which is a paid call, shows whether answers are streamed.';
  assert.deepEqual(await streaming({}).then(({ status, detail }) => [status, detail]), [
    'ok',
    `Protocol: http/1.1. ${proof}`,
  ]);
  assert.equal(
    (await streaming({ server: 'cloudflare', 'cf-ray': 'abc-FRA' })).detail,
    `Protocol: http/1.1. Headers: server: cloudflare; cf-ray: abc-FRA. Cloudflare is in front of the gateway. It ends a request after about two minutes without data. ${proof}`,
  );
  assert.match(
    (await streaming({ server: 'nginx/1.29' })).detail,
    /nginx is in front of the gateway\. It buffers answers unless proxy_buffering is off/,
  );
  assert.doesNotMatch(
    (await streaming({ server: 'nginx/1.29', 'x-accel-buffering': 'no' })).detail,
    /in front of the gateway/,
  );
  const buffered = await streaming({ 'x-amz-apigw-id': 'x' });
  assert.deepEqual([buffered.status, /Amazon API Gateway/.test(buffered.detail)], ['warning', true]);
});

test('detects compression that was not requested', async () => {
  await using server = await httpServer(({ headers }, response) => {
    response.setHeader('content-encoding', 'x-mangled');
    response.end(headers.authorization ? '{"data":[{"id":"a"}]}' : '{"error":{"message":"no key"}}');
  });
  const result = await run(connectionTo(server.origin), 'sk-0123456789');
  assert.equal(server.requests[1]?.headers['accept-encoding'], 'identity');
  const { status, detail } = result.step('streaming');
  assert.equal(status, 'warning');
  assert.match(detail, /Answers are compressed although this was not requested \(x-mangled\)/);
});

test('skips network steps when the editor’s own network code sends the requests', async () => {
  const unexpected = () => {
    throw new Error('not to be asked');
  };
  const result = await run(connectionTo('https://gw.example'), 'sk-1', {
    network: 'host',
    transport: answering(200, {}, '{"data":[{"id":"a"}]}'),
    probe: { routeTo: unexpected, resolve: unexpected, handshake: unexpected },
  });
  assert.equal(statuses(result), 'ok ok skipped skipped ok warning skipped ok');
});

const reportFacts = { extensionVersion: '0.1.0', vscodeVersion: '1.104.0', os: 'Linux 6.1 x64' };

const sample: ConnectionCheck = {
  connection: {
    name: 'Work',
    base: 'https://gw.example/v1',
    headers: [
      { name: 'x-tenant', chars: 15 },
      { name: 'x-team', chars: 4 },
    ],
  },
  hasKey: true,
  startedAt: Date.UTC(2026, 10, 21, 18, 24, 59),
  steps: [
    { id: 'address', name: 'Address', status: 'ok', detail: 'The address is https://gw.example/v1.', ms: 0 },
    { id: 'dns', name: 'DNS', status: 'skipped', detail: 'The proxy looks up the address.' },
    {
      id: 'key',
      name: 'Key',
      status: 'failed',
      detail: 'This key has expired (HTTP 401).',
      remedy: 'Create a new key.',
      ms: 12.4,
    },
  ],
};

test('writes the same report for the same check', () => {
  const report = checkReport(sample, reportFacts);
  assert.equal(
    report,
    `# Ask Model: Connection Check

\`\`\`text
Checked     2026-11-21T18:24:59.000Z
Ask Model   0.1.0
VS Code     1.104.0
System      Linux 6.1 x64
Connection  Work, https://gw.example/v1
Headers     x-tenant (15 characters), x-team (4 characters)
Key         Stored

OK          Address (0 ms)
            The address is https://gw.example/v1.
Skipped     DNS
            The proxy looks up the address.
Failed      Key (12 ms)
            This key has expired (HTTP 401).
            → Create a new key.
\`\`\`
`,
  );
  assert.equal(checkReport(sample, reportFacts), report);
  const { connection } = sample;
  const bare = { ...sample, hasKey: false, connection: { ...connection, headers: [] } };
  assert.match(checkReport(bare, { ...reportFacts, keyStatus: 'keyElsewhere' }), /\nKey {9}None \(keyElsewhere\)\n/);
  assert.match(checkReport(bare, reportFacts), /\nHeaders {5}None\nKey {9}None\n/);
});

test('leaves secrets and personal names out of the report, and keeps texts inside its block', () => {
  const reportLine = (detail: string) => {
    const step = { id: 'tls', name: 'TLS', status: 'failed', detail, ms: 1 } as const;
    return /1 ms\)\n {12}(.*)\n```\n$/.exec(checkReport({ ...sample, steps: [step] }, reportFacts))?.[1];
  };
  assert.equal(reportLine('key sk-Loopback0123456789key here'), 'key [key] here');
  assert.equal(reportLine('Authorization: Bearer abcdef123456'), 'Authorization: Bearer [key]');
  assert.equal(reportLine('http://user:pass@proxy.example:1/x'), 'http://[user]@proxy.example:1/x');
  assert.equal(reportLine('no such file /home/alice/.config/x'), 'no such file ~/.config/x');
  assert.equal(reportLine('open /Users/Bob Miller/Library/x'), 'open ~/Library/x');
  assert.equal(reportLine('at C:\\Users\\Jane Doe\\ca.pem'), 'at ~\\ca.pem');
  assert.equal(reportLine('https://gw.example/home/v1'), 'https://gw.example/home/v1');
  assert.equal(reportLine('a\n```\n# out <b>'), 'a ʼʼʼ # out <b>');
  assert.equal(reportLine('a\u202eb\u0000c'), 'a b c');
});
