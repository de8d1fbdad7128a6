import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import {
  type CheckStep,
  type CheckStepName,
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

/** A way to the gateway that is as the test says. */
function probe(change: Partial<NetworkProbe> = {}): NetworkProbe {
  return {
    routeTo: () => ({ because: 'no proxy is set' }),
    lookUp: async () => ['192.0.2.7', '2001:db8::7'],
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

type Seen = { readonly check: ConnectionCheck; readonly told: CheckStep[]; step(name: CheckStepName): CheckStep };

async function run(
  connection: Connection,
  key: string | undefined,
  change: Partial<CheckPorts> = {},
  signal = new AbortController().signal,
): Promise<Seen> {
  const told: CheckStep[] = [];
  const check = await checkConnection(ports(change), connection, key, (step) => told.push(step), signal);
  assert.deepEqual(told, check.steps);
  assert.deepEqual(
    told.map(({ name }) => name),
    ['Address', 'Network way', 'DNS', 'TLS', 'Model list', 'Key', 'Clock', 'Streaming'],
  );
  return {
    check,
    told,
    step: (name) => {
      const step = told.find((each) => each.name === name);
      assert.ok(step);
      return step;
    },
  };
}

/** The words everything else has for a problem. */
const titleOf = (problem: GatewayProblem) => advice(problem, { host: 'gw.example' }).title;

const statuses = ({ told }: Seen) => told.map(({ status }) => status).join(' ');

async function withGateway(run: (gateway: Gateway) => Promise<void>, options: GatewayOptions = {}): Promise<void> {
  const gateway = await startGateway({ delayMs: 0, ...options });
  try {
    await run(gateway);
    assert.equal(gateway.postCount(), 0, 'a check never asks a model');
    assert.ok(gateway.requests().every(({ method }) => method === 'GET'));
    assert.deepEqual(gateway.foreign.requests(), []);
  } finally {
    await gateway.close();
  }
}

/** A transport that answers by itself. */
function answering(status: number, headers: Record<string, string>, text: string): Transport {
  return async () => ({
    status,
    headers,
    body: (async function* () {
      yield new TextEncoder().encode(text);
    })(),
  });
}

test('finds nothing wrong with a good connection, by two GETs, the second of them without the key', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    const seen = await run(connectionTo(gateway.baseUrl, { 'X-Tenant': 'a secret tenant' }), key);
    assert.equal(statuses(seen), 'ok ok skipped skipped ok ok ok ok');
    const { port } = new URL(gateway.baseUrl);
    assert.equal(
      seen.step('Address').detail,
      `The base address is http://127.0.0.1:${port}/v1. Models come from http://127.0.0.1:${port}/v1/models, questions go to http://127.0.0.1:${port}/v1/chat/completions.`,
    );
    assert.equal(seen.step('Network way').detail, 'Direct: no proxy is set.');
    assert.equal(seen.step('DNS').detail, '127.0.0.1 is an address already; there is no name to look up.');
    assert.match(
      seen.step('Model list').detail,
      /^\d+ models\. HTTP 200, application\/json; charset=utf-8; first byte after \d+ ms, all after \d+ ms\.$/,
    );
    assert.equal(
      seen.step('Key').detail,
      'Without the key the gateway refuses its list (HTTP 401), so the key was really checked.',
    );
    assert.match(seen.step('Clock').detail, /^This machine’s clock and the gateway’s are [01] s apart\.$/);
    assert.match(seen.step('Streaming').detail, /Whether replies really stream, only a question tells/);
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
    assert.doesNotMatch(JSON.stringify(seen.check), new RegExp(`${key}|secret tenant`));
    assert.deepEqual(seen.check.connection.headers, [{ name: 'X-Tenant', chars: 15 }]);
  });
});

test('never sends an extra header that would stand for the key when it looks without the key', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    await run(connectionTo(gateway.baseUrl, { Authorization: `Bearer ${key}` }), key);
    assert.deepEqual(
      gateway.requests().map(({ headers }) => headers.authorization),
      [`Bearer ${key}`, undefined],
    );
  });
});

test('says why a key is rejected, and asks nothing more', async () => {
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
      const seen = await run(connectionTo(gateway.baseUrl), key);
      assert.equal(statuses(seen), 'ok ok skipped skipped failed failed ok ok', title);
      assert.ok(seen.step('Key').detail.startsWith(`${title} (HTTP 401, `), seen.step('Key').detail);
      assert.ok(seen.step('Model list').detail.startsWith(title));
      assert.match(seen.step('Key').remedy ?? '', /console/);
      assert.equal(gateway.requests().length - before, 1);
      assert.doesNotMatch(JSON.stringify(seen.check), new RegExp(key));
    }
  });
});

test('takes no list that anyone can read for a proof of the key', async () => {
  await withGateway(async (gateway) => {
    gateway.setFault('models-any-key');
    const seen = await run(connectionTo(gateway.baseUrl), 'sk-anything-at-all');
    assert.equal(seen.step('Model list').status, 'ok');
    assert.equal(seen.step('Key').status, 'warning');
    assert.equal(seen.step('Key').detail, 'This gateway shows its list to anyone, so this does not prove the key.');
  });
});

test('takes another list without the key for a sign that the key was looked at', async () => {
  const list = (...ids: string[]) => JSON.stringify({ data: ids.map((id) => ({ id })) });
  await using server = await httpServer(({ headers }, response) =>
    response.end(headers.authorization ? list('a', 'b') : list('a')),
  );
  const seen = await run(connectionTo(server.origin), 'sk-0123456789');
  assert.deepEqual(
    [seen.step('Key').status, seen.step('Key').detail],
    ['ok', 'With the key the gateway lists 2 models, without it 1: it looked at the key.'],
  );
});

test('leaves the verdict open when the look without the key goes wrong', async () => {
  await using server = await httpServer(({ headers }, response) => {
    if (headers.authorization) {
      response.end('{"data":[{"id":"a"}]}');
    } else {
      response.writeHead(502).end('<html><title>Bad gateway</title></html>');
    }
  });
  const { status, detail } = (await run(connectionTo(server.origin), 'sk-0123456789')).step('Key');
  assert.equal(status, 'warning');
  assert.match(detail, /^The list without the key could not be asked for.*HTTP 502.*“Bad gateway”$/);
});

test('looks without a key when there is none, and judges none', async () => {
  await withGateway(async (gateway) => {
    const seen = await run(connectionTo(gateway.baseUrl), undefined);
    assert.equal(statuses(seen), 'ok ok skipped skipped warning skipped ok ok');
    assert.match(seen.step('Model list').detail, /wants a key \(HTTP 401\)/);
    assert.equal(seen.step('Key').detail, 'There is no key to check.');
    assert.deepEqual(
      gateway.requests().map(({ headers }) => headers.authorization),
      [undefined],
    );
  });
});

test('names what stands at a wrong address, with the words of every other error', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    for (const [fault, title, remedy] of [
      ['html-200', titleOf({ kind: 'webPage' }), /Check the base address/],
      ['models-404', titleOf({ kind: 'wrongAddress' }), /enter model ids by hand\.$/],
      ['models-405', titleOf({ kind: 'wrongAddress' }), /enter model ids by hand\.$/],
      ['models-no-list', titleOf({ kind: 'unreadable', detail: '' }), /base address/],
      ['html-502', titleOf({ kind: 'gatewayDown' }), /later/],
      ['redirect-foreign', titleOf({ kind: 'redirected', target: '' }), /127\.0\.0\.1/],
      ['redirect-loop', titleOf({ kind: 'redirected', target: '' }), /127\.0\.0\.1/],
      ['reset-before-headers', 'The connection was closed before all had arrived', /firewall/],
    ] as const) {
      gateway.setFault(fault);
      const seen = await run(connectionTo(gateway.baseUrl), key);
      const { status, detail, remedy: told } = seen.step('Model list');
      assert.equal(status, 'failed', fault);
      assert.ok(detail.startsWith(title), `${fault}: ${detail}`);
      assert.match(told ?? '', remedy, fault);
      assert.equal(seen.step('Key').status, 'skipped', fault);
      assert.doesNotMatch(JSON.stringify(seen.check), new RegExp(key), fault);
    }
  });
});

test('says of a redirect why it points elsewhere, as a question would', async () => {
  const { origin } = new URL('https://gw.example');
  for (const [location, title, remedy] of [
    ['https://login.example/oauth2/authorize?x=sk-0123456789', 'This address wants somebody to sign in', /login page/],
    ['http://gw.example/v1/models', 'The gateway points to an unencrypted address', /in clear text/],
    ['https://www.gw.example/v1/models', 'The gateway goes by a slightly different name', /Write www\.gw\.example/],
    ['https://other.example/v1/models', 'The gateway points to another address', /other\.example/],
  ] as const) {
    const transport = answering(302, { location, 'x-request-id': 'req-7' }, '');
    const seen = await run(connectionTo(origin), 'sk-0123456789', { transport });
    const { status, detail, remedy: told } = seen.step('Model list');
    assert.equal(status, 'failed');
    assert.ok(detail.startsWith(`${title} (HTTP 302). Request id: req-7.`), detail);
    assert.match(told ?? '', remedy);
    assert.doesNotMatch(JSON.stringify(seen.check), /sk-0123456789/);
  }
});

test('tells an answer that breaks from a gateway that was not reached', async () => {
  const listed = async (code: string, words = 'boom') => {
    const transport: Transport = async () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        yield new TextEncoder().encode('{"data":');
        throw Object.assign(new Error(words), { code });
      })(),
    });
    return (await run(connectionTo('https://gw.example'), 'sk-1', { transport })).step('Model list');
  };
  assert.equal((await listed('Z_DATA_ERROR')).detail, 'The answer’s compression is damaged (HTTP 200, Z_DATA_ERROR).');
  assert.equal(
    (await listed('EHOSTUNREACH')).detail,
    'The connection was closed before all had arrived (HTTP 200, EHOSTUNREACH).',
  );
  assert.equal(
    (await listed('UND_ERR_BODY_TIMEOUT')).detail,
    'Nothing was to be had within 300 s (HTTP 200, UND_ERR_BODY_TIMEOUT).',
  );
  const transport: Transport = async () => {
    throw new Error('something odd');
  };
  const { detail } = (await run(connectionTo('https://gw.example'), 'sk-1', { transport })).step('Model list');
  assert.match(detail, /\. “something odd”$/, 'not the gateway’s words');
});

test('reads lists as the client does, and counts what it dropped', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    const list = async (fault: string) => {
      gateway.setFault(fault);
      return (await run(connectionTo(gateway.baseUrl), key)).step('Model list');
    };
    assert.match((await list('models-odd-items')).detail, /^\d+ models, 5 more without a usable id\. /);
    assert.match((await list('models-many:1500')).detail, /^1500 models\. /);
    assert.match((await list('redirect-same-origin')).detail, /^\d+ models\. HTTP 200/);
    const empty = await list('models-empty');
    assert.deepEqual([empty.status, empty.detail.slice(0, 9)], ['warning', '0 models.']);
    assert.match(empty.remedy ?? '', /No model is open to this key/);
  });
});

test('hides the key and the values of headers that a gateway repeats', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    gateway.setFault('key-in-error');
    const seen = await run(connectionTo(gateway.baseUrl), key);
    assert.equal(seen.step('Model list').status, 'failed');
    assert.doesNotMatch(JSON.stringify(seen.check), new RegExp(`${key}|${key.slice(-8)}`));
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

test('ends a step when its time is over, whatever the gateway does, and goes on', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    gateway.setFault('never-answers');
    const clock = new ManualClock();
    const checking = run(connectionTo(gateway.baseUrl), key, { clock });
    await until(() => gateway.requests().length === 1);
    clock.pass(30_000);
    const seen = await checking;
    const { status, detail, ms } = seen.step('Model list');
    assert.deepEqual([status, detail, ms], ['failed', 'Nothing was to be had within 30 s.', 30_000]);
    assert.equal(seen.step('Clock').detail, 'The gateway gave no answer that could tell.');
    assert.equal(clock.pending, 0);
  });
});

test('ends a step also when a port never listens to its signal', async () => {
  const deaf = () => new Promise<never>(() => undefined);
  for (const [name, change, limitMs] of [
    ['DNS', { probe: probe({ lookUp: deaf }) }, 10_000],
    ['TLS', { probe: probe({ handshake: deaf }) }, 12_000],
    ['Model list', { transport: deaf }, 30_000],
  ] as const) {
    const clock = new ManualClock();
    const told: string[] = [];
    const given = ports({ ...change, clock });
    const connection = connectionTo('https://gw.example');
    const checking = checkConnection(
      given,
      connection,
      'sk-1',
      (step) => told.push(step.name),
      new AbortController().signal,
    );
    await until(() => clock.pending === 1 && told.length === ['DNS', 'TLS', 'Model list'].indexOf(name) + 2);
    clock.pass(limitMs);
    const { steps } = await checking;
    assert.equal(steps.find((step) => step.name === name)?.status, 'failed', name);
    assert.equal(clock.pending, 0);
  }
});

test('stops at once when it is told to, and tells no step more', async () => {
  await withGateway(async (gateway) => {
    const { value: key } = gateway.createKey({ name: 'test' });
    gateway.setFault('never-answers');
    const abort = new AbortController();
    const told: CheckStep[] = [];
    const checking = checkConnection(
      ports(),
      connectionTo(gateway.baseUrl),
      key,
      (step) => told.push(step),
      abort.signal,
    );
    await until(() => gateway.requests().length === 1);
    abort.abort(new Error('closed'));
    await assert.rejects(checking, /closed/);
    assert.equal(told.at(-1)?.name, 'TLS');
    await assert.rejects(run(connectionTo(gateway.baseUrl), key, {}, AbortSignal.abort(new Error('before'))), /before/);
  });
});

test('says which proxy is on the way, and leaves names to it', async () => {
  const transport = answering(200, {}, '{"data":[{"id":"a"}]}');
  let hasLooked = false;
  const seen = await run(connectionTo('https://gw.example'), 'sk-1', {
    transport,
    probe: probe({
      routeTo: () => ({ proxy: 'http://proxy.example:3128', because: 'HTTPS_PROXY' }),
      lookUp: async () => {
        hasLooked = true;
        return [];
      },
    }),
  });
  assert.equal(seen.step('Network way').detail, 'Through the proxy http://proxy.example:3128: HTTPS_PROXY.');
  assert.deepEqual(
    [seen.step('DNS').status, seen.step('DNS').detail, hasLooked],
    ['skipped', 'The proxy finds the address of gw.example.', false],
  );
  assert.equal(seen.step('TLS').status, 'ok');
});

test('warns when a proxy carries a key in clear, also to a private address', async () => {
  const transport = answering(200, {}, '{"data":[{"id":"a"}]}');
  const route = { proxy: 'proxy.example:3128', because: 'http.proxy' };
  const way = async (address: string, change: Partial<CheckPorts> = {}) =>
    (await run(connectionTo(address), 'sk-1', { transport, probe: probe({ routeTo: () => route }), ...change })).step(
      'Network way',
    );
  for (const host of ['10.9.8.7', 'gw.example', '[fd00::7]']) {
    const { status, detail, remedy } = await way(`http://${host}:3000`);
    assert.equal(status, 'warning');
    assert.equal(
      detail,
      'Through the proxy proxy.example:3128: http.proxy. It can read key, questions and answers, because the address is http://.',
    );
    assert.equal(
      remedy,
      `Use https:// if the gateway offers it, or name ${host} in http.noProxy to go past the proxy.`,
    );
  }
  assert.equal((await way('https://10.9.8.7')).status, 'ok');
  assert.equal((await way('http://10.9.8.7', { probe: probe() })).status, 'ok');
  const hosts = async (address: string) => (await way(address, { carrier: 'host' })).detail;
  assert.match(await hosts('http://10.9.8.7'), /its part\. If a proxy is on the way, it can read key and questions/);
  assert.match(await hosts('http://localhost:1'), /its part\.$/);
  assert.match(await hosts('https://10.9.8.7'), /its part\.$/);
});

test('skips what depends on a step that failed, and says which', async () => {
  const fails = (code: string) => () => {
    throw Object.assign(new Error(code), { code });
  };
  let sent = 0;
  const transport: Transport = async () => {
    sent++;
    throw new Error('not to be asked');
  };
  const scenes: [CheckStepName, Partial<NetworkProbe>, RegExp, string][] = [
    ['Network way', { routeTo: fails('EPROXY') }, /could not be reached/, 'ok failed skipped skipped'],
    ['DNS', { lookUp: async () => fails('ENOTFOUND')() }, /name was not found/, 'ok ok failed skipped'],
    ['DNS', { lookUp: async () => [] }, /name was not found/, 'ok ok failed skipped'],
    ['TLS', { handshake: async () => fails('ECONNREFUSED')() }, /Nothing answers/, 'ok ok ok failed'],
  ];
  for (const [name, change, title, first] of scenes) {
    const seen = await run(connectionTo('https://gw.example'), 'sk-1', { transport, probe: probe(change) });
    assert.equal(statuses(seen), `${first} skipped skipped skipped skipped`);
    assert.match(seen.step(name).detail, title);
    assert.equal(seen.step('Streaming').detail, `Not possible, because the step “${name}” failed.`);
    assert.equal(seen.step('Streaming').ms, undefined);
  }
  assert.equal(sent, 0);
});

test('reads the certificate, and warns two weeks before its end', async () => {
  const transport = answering(200, {}, '{"data":[{"id":"a"}]}');
  const tls = async (change: Partial<TlsFacts>) => {
    const handshake = async () => facts(change);
    return (await run(connectionTo('https://gw.example'), 'sk-1', { transport, probe: probe({ handshake }) })).step(
      'TLS',
    );
  };
  const inDays = (days: number) => Date.now() + days * dayMs;
  const date = (at: number) => new Date(at).toISOString().slice(0, 10);
  const good = await tls({ validUntil: inDays(90.5) });
  assert.deepEqual(
    [good.status, good.detail],
    [
      'ok',
      `TLSv1.3, agreed on http/1.1 (ALPN). Certificate of gw.example, issued by Some Authority, good until ${date(inDays(90.5))}, 90 more days.`,
    ],
  );
  assert.equal((await tls({ validUntil: inDays(14.5) })).status, 'ok');
  const soon = await tls({ validUntil: inDays(13.9) });
  assert.deepEqual([soon.status, soon.remedy], ['warning', 'Whoever runs the gateway has to renew it soon.']);
  assert.match((await tls({ validUntil: inDays(1.5) })).detail, /1 more day\.$/);
  assert.match((await tls({ validUntil: inDays(-1) })).detail, /out of date since/);
  assert.match((await tls({ validUntil: Number.NaN })).detail, /without an end that can be read/);
  const { alpn: _, ...silent } = facts();
  const handshake = async () => silent;
  const seen = await run(connectionTo('https://gw.example'), 'sk-1', { transport, probe: probe({ handshake }) });
  assert.match(seen.step('TLS').detail, /^TLSv1\.3, no protocol agreed on \(ALPN\)\./);
});

/** A handshake with a real gateway, as Node does it. */
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

test('finds nothing wrong with a good gateway over TLS', async () => {
  await withGateway(
    async (gateway) => {
      const { value: key } = gateway.createKey({ name: 'test' });
      const seen = await run(connectionTo(gateway.baseUrl), key, {
        transport: plainTransport(gateway.authority),
        probe: probe({ handshake: realHandshake(gateway.authority) }),
      });
      assert.equal(statuses(seen), 'ok ok skipped ok ok ok ok ok');
      assert.match(seen.step('TLS').detail, /^TLSv1\.3, .*issued by Local gateway authority.*(?:29|30) more days\.$/);
    },
    { tls: 'good' },
  );
});

test('names what is wrong with a certificate, and sends nothing', async () => {
  for (const [tls, code] of [
    ['expired', 'CERT_HAS_EXPIRED'],
    ['wrong-host', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['unknown-chain', 'SELF_SIGNED_CERT_IN_CHAIN'],
  ] as const) {
    await withGateway(
      async (gateway) => {
        // Trusted where the fault is another one.
        const authority = tls === 'expired' || tls === 'wrong-host' ? gateway.authority : '';
        const handshake = realHandshake(authority || 'none');
        const seen = await run(connectionTo(gateway.baseUrl), 'sk-1', { probe: probe({ handshake }) });
        const step = seen.step('TLS');
        const { modelsUrl } = connectionTo(gateway.baseUrl).url;
        const error: unknown = await handshake(modelsUrl, 1, new AbortController().signal).catch((each) => each);
        const { host } = new URL(gateway.baseUrl);
        const { title, remedy } = advice(networkProblem(error, host, []), { host });
        assert.deepEqual([step.status, step.detail], ['failed', `${title} (${code}).`]);
        const today = new Date().toISOString().slice(0, 10);
        assert.equal(step.remedy, tls === 'expired' ? `${remedy} This machine’s date is ${today}.` : remedy);
        assert.equal(gateway.requests().length, 0);
      },
      { tls },
    );
  }
});

test('warns of an address that sends the key in clear', async () => {
  const transport = answering(200, {}, '{"data":[{"id":"a"}]}');
  const { status, detail, remedy } = (await run(connectionTo('http://gw.example'), 'sk-1', { transport })).step(
    'Address',
  );
  assert.equal(status, 'warning');
  assert.match(detail, /unencrypted/);
  assert.equal(remedy, 'Use https:// if the gateway offers it.');
});

test('holds the clocks against each other', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
  const at = async (headers: Record<string, string>) =>
    (
      await run(connectionTo('https://gw.example'), 'sk-1', {
        clock,
        transport: answering(200, headers, '{"data":[{"id":"a"}]}'),
        probe: probe({ handshake: async () => facts({ validUntil: clock.now() + 90 * dayMs }) }),
      })
    ).step('Clock');
  const date = (minutes: number) => new Date(clock.now() + minutes * 60_000).toUTCString();
  assert.deepEqual((await at({ date: date(-5) })).status, 'ok');
  assert.equal((await at({ date: date(-6) })).detail, 'This machine’s clock is 6 min ahead of the gateway’s.');
  const behind = await at({ date: date(90) });
  assert.deepEqual([behind.status, behind.detail], ['warning', 'This machine’s clock is 90 min behind the gateway’s.']);
  assert.match(behind.remedy ?? '', /^Set the clock/);
  assert.equal((await at({ date: date(-10), age: '600' })).status, 'ok', 'from a cache');
  assert.equal((await at({})).status, 'skipped');
  assert.equal((await at({ date: 'yesterday' })).status, 'skipped');
});

test('tells of streaming what calls without cost can tell', async () => {
  const list = '{"data":[{"id":"a"}]}';
  const streaming = async (headers: Record<string, string>) =>
    (await run(connectionTo('https://gw.example'), 'sk-1', { transport: answering(200, headers, list) })).step(
      'Streaming',
    );
  const proof = 'Whether replies really stream, only a question tells, and a question is paid for.';
  assert.deepEqual(await streaming({}).then(({ status, detail }) => [status, detail]), [
    'ok',
    `Spoken: http/1.1. ${proof}`,
  ]);
  assert.equal(
    (await streaming({ server: 'cloudflare', 'cf-ray': 'abc-FRA' })).detail,
    `Spoken: http/1.1. Headers: server: cloudflare; cf-ray: abc-FRA. In between: Cloudflare, which ends a request when nothing comes for about two minutes. ${proof}`,
  );
  assert.match(
    (await streaming({ server: 'nginx/1.29' })).detail,
    /nginx, which holds replies back unless it is told not to/,
  );
  assert.doesNotMatch((await streaming({ server: 'nginx/1.29', 'x-accel-buffering': 'no' })).detail, /In between/);
  const held = await streaming({ 'x-amz-apigw-id': 'x' });
  assert.deepEqual([held.status, /Amazon API Gateway/.test(held.detail)], ['warning', true]);
});

test('notices what compresses answers although none was to be compressed', async () => {
  await using server = await httpServer(({ headers }, response) => {
    response.setHeader('content-encoding', 'x-mangled');
    response.end(headers.authorization ? '{"data":[{"id":"a"}]}' : '{"error":{"message":"no key"}}');
  });
  const seen = await run(connectionTo(server.origin), 'sk-0123456789');
  assert.equal(server.requests[1]?.headers['accept-encoding'], 'identity');
  const { status, detail } = seen.step('Streaming');
  assert.equal(status, 'warning');
  assert.match(detail, /Something compresses answers although none was to be compressed \(x-mangled\)/);
});

test('leaves to the editor’s own network code what the probe can not see', async () => {
  const blind = () => {
    throw new Error('not to be asked');
  };
  const seen = await run(connectionTo('https://gw.example'), 'sk-1', {
    carrier: 'host',
    transport: answering(200, {}, '{"data":[{"id":"a"}]}'),
    probe: { routeTo: blind, lookUp: blind, handshake: blind },
  });
  assert.equal(statuses(seen), 'ok ok skipped skipped ok warning skipped ok');
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
    { name: 'Address', status: 'ok', detail: 'The base address is https://gw.example/v1.', ms: 0 },
    { name: 'DNS', status: 'skipped', detail: 'The proxy finds the address.' },
    {
      name: 'Key',
      status: 'failed',
      detail: 'This key has expired (HTTP 401).',
      remedy: 'Create a new key.',
      ms: 12.4,
    },
  ],
};

test('writes a report for the people who run the gateway, the same for the same check', () => {
  const report = checkReport(sample, reportFacts);
  assert.equal(
    report,
    `# Ask Model: connection check

\`\`\`text
Checked     2026-11-21T18:24:59.000Z
Ask Model   0.1.0
VS Code     1.104.0
System      Linux 6.1 x64
Connection  Work, https://gw.example/v1
Headers     x-tenant (15 characters), x-team (4 characters)
Key         present

ok          Address (0 ms)
            The base address is https://gw.example/v1.
skipped     DNS
            The proxy finds the address.
failed      Key (12 ms)
            This key has expired (HTTP 401).
            → Create a new key.
\`\`\`
`,
  );
  assert.equal(checkReport(sample, reportFacts), report);
  const { connection } = sample;
  const bare = { ...sample, hasKey: false, connection: { ...connection, headers: [] } };
  assert.match(checkReport(bare, { ...reportFacts, keyStatus: 'keyElsewhere' }), /\nKey {9}none \(keyElsewhere\)\n/);
  assert.match(checkReport(bare, reportFacts), /\nHeaders {5}none besides our own\nKey {9}none\n/);
});

test('lets nothing out of the report that tells a secret or a person, and nothing out of its block', () => {
  const said = (detail: string) => {
    const step = { name: 'TLS', status: 'failed', detail, ms: 1 } as const;
    return /1 ms\)\n {12}(.*)\n```\n$/.exec(checkReport({ ...sample, steps: [step] }, reportFacts))?.[1];
  };
  assert.equal(said('key sk-Loopback0123456789key here'), 'key [key] here');
  assert.equal(said('Authorization: Bearer abcdef123456'), 'Authorization: Bearer [key]');
  assert.equal(said('http://user:pass@proxy.example:1/x'), 'http://[user]@proxy.example:1/x');
  assert.equal(said('no such file /home/alice/.config/x'), 'no such file ~/.config/x');
  assert.equal(said('open /Users/Bob Miller/Library/x'), 'open ~/Library/x');
  assert.equal(said('at C:\\Users\\Jane Doe\\ca.pem'), 'at ~\\ca.pem');
  assert.equal(said('https://gw.example/home/v1'), 'https://gw.example/home/v1');
  assert.equal(said('a\n```\n# out <b>'), 'a ʼʼʼ # out <b>');
  assert.equal(said('a\u202eb\u0000c'), 'a b c');
});
