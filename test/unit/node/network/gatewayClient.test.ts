import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { constants, createGzip, gzipSync } from 'node:zlib';
import type { Clock } from '../../../../src/core/base/clock.ts';
import type { Target, TimerLimits } from '../../../../src/core/client/gatewayClient.ts';
import { GatewayError, type GatewayProblem } from '../../../../src/core/errors/gatewayProblem.ts';
import { systemClock } from '../../../../src/node/system/machine.ts';
import { until } from '../../../until.ts';
import { ManualClock } from '../../core/base/manualClock.ts';
import { done, stop, text } from '../../core/reply/replyFixture.ts';
import { newClient } from '../../wire/wireCall.ts';
import { httpServer, key, rawServer } from './gatewayServer.ts';
import { send } from './standardNetwork.ts';

const run = promisify(execFile);
const request = { model: 'm/x', messages: [{ role: 'user', content: 'Hi “you”' }] } as const;
const eventStream = { 'content-type': 'text/event-stream' };
const whole = text('Hel') + text('lo') + stop + done;

function client(clock: Clock = systemClock, limits: Partial<TimerLimits> = {}) {
  return newClient({ transport: send, clock, limits });
}

/** Sends one chat request, and returns the text shown and the end. */
async function ask(
  target: Target,
  clock?: Clock,
  limits?: Partial<TimerLimits>,
  signal = new AbortController().signal,
) {
  let shown = '';
  const end = await client(clock, limits).chat(target, request, (delta) => (shown += delta.text), signal);
  return { shown, end };
}

/** Starts a reply with a clock that the test moves. */
function begin(target: Target, limits?: Partial<TimerLimits>) {
  const clock = new ManualClock();
  const abort = new AbortController();
  const state = { shown: '', reasoning: '', settled: false };
  const end = client(clock, limits)
    .chat(target, request, (delta) => (state.shown += delta.text), abort.signal)
    .finally(() => (state.settled = true));
  return { clock, abort, state, end };
}

async function problemOf(listing: Promise<unknown>): Promise<GatewayProblem> {
  try {
    await listing;
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    return error.problem;
  }
  assert.fail('a list was returned');
}

const list = (target: Target, clock?: Clock) => client(clock).listModels(target, new AbortController().signal);

test('sends one POST with exactly the specified body and headers', async () => {
  await using server = await httpServer((_, response) => response.writeHead(200, eventStream).end(whole));
  const { shown, end } = await ask(server.target);
  assert.equal(shown, 'Hello');
  assert.equal(end.outcome, 'complete');
  const [received] = server.requests;
  assert.equal(server.requests.length, 1);
  assert.equal(`${received?.method} ${received?.path}`, 'POST /v1/chat/completions');
  assert.equal(
    received?.body,
    '{"model":"m/x","messages":[{"role":"user","content":"Hi “you”"}],"stream":true,"stream_options":{"include_usage":true}}',
  );
  assert.deepEqual(Object.fromEntries(Object.entries(received?.headers ?? {}).filter(([name]) => name !== 'host')), {
    authorization: `Bearer ${key}`,
    accept: 'text/event-stream, application/json;q=0.9',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(received?.body ?? '')),
    'user-agent': 'ask-model/1.0',
    connection: 'keep-alive',
  });
});

test('reads the list without any header that could make a gateway answer in another dialect', async () => {
  await using server = await httpServer((_, response) =>
    response.end('{"object":"list","data":[{"id":"b"},{"id":"a"}]}'),
  );
  const { models } = await list(server.target);
  assert.deepEqual(
    models.map(({ id }) => id),
    ['a', 'b'],
  );
  const [received] = server.requests;
  assert.equal(`${received?.method} ${received?.path} ${received?.body}`, 'GET /v1/models ');
  assert.deepEqual(Object.keys(received?.headers ?? {}).sort(), [
    'accept',
    'accept-encoding',
    'authorization',
    'connection',
    'host',
    'user-agent',
  ]);
});

test('adds no global to the process, where other extensions would read it', async () => {
  await using server = await httpServer((_, response) => response.writeHead(200, eventStream).end(whole));
  // A separate process, because the test runner has already changed this one.
  const program = `
    const names = () => Reflect.ownKeys(globalThis).map(String).sort().join();
    const before = names();
    const { send, close } = await import(${JSON.stringify(new URL('standardNetwork.ts', import.meta.url))});
    const request = { method: 'POST', url: '${server.target.url.chatUrl}', headers: {}, body: '{}', connectTimeoutMs: 1000 };
    const { body } = await send(request, new AbortController().signal);
    let size = 0;
    for await (const bytes of body) size += bytes.length;
    await close();
    console.log(JSON.stringify({ isSame: names() === before, size }));
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  assert.deepEqual(JSON.parse(stdout), { isSame: true, size: whole.length });
});

/** Failures on the wire; none may lead to a second POST. */
const failing: Record<string, (socket: import('node:net').Socket) => void> = {
  'Q72 closed before headers': (socket) => socket.end(),
  'closed in the middle of the headers': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Ty'),
  'no HTTP at all': (socket) => socket.end('SSH-2.0-OpenSSH_9.0\r\n'),
  'Q47 503 with Retry-After 0': (socket) => socket.end('HTTP/1.1 503 X\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n'),
  '408 that asks for a retry': (socket) =>
    socket.end('HTTP/1.1 408 X\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
  '409 and x-should-retry': (socket) =>
    socket.end('HTTP/1.1 409 X\r\nx-should-retry: true\r\nContent-Length: 0\r\n\r\n'),
  '425 too early': (socket) => socket.end('HTTP/1.1 425 X\r\nContent-Length: 0\r\n\r\n'),
  'Q61 301 to itself': (socket) =>
    socket.end('HTTP/1.1 301 X\r\nLocation: /v1/chat/completions/\r\nContent-Length: 0\r\n\r\n'),
  '401 with a challenge': (socket) =>
    socket.end('HTTP/1.1 401 X\r\nWWW-Authenticate: Bearer\r\nContent-Length: 0\r\n\r\n'),
};

for (const [how, answer] of Object.entries(failing)) {
  test(`sends exactly one POST: ${how}`, async () => {
    await using server = await rawServer(answer);
    const { end } = await ask(server.target);
    assert.notEqual(end.outcome, 'complete');
    assert.ok(end.problem, 'reports the problem');
    assert.notEqual(end.problem.kind, 'unreachable', 'what was sent may be charged');
    assert.notEqual(end.problem.kind, 'defect');
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(server.requests.length, 1);
  });
}

test('reports no problem when the connection breaks after the finish reason', async () => {
  await using server = await rawServer((socket) =>
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n${text('Hel')}${stop}`, () =>
      setTimeout(() => socket.resetAndDestroy(), 30),
    ),
  );
  const { end } = await ask(server.target);
  assert.deepEqual([end.outcome, end.problem], ['complete', undefined]);
});

/** Lists the models of a gateway with these pages by query; others are answered with 500. */
async function listPages(pages: Readonly<Record<string, unknown>>, clock?: Clock) {
  await using server = await httpServer(({ path }, response) => {
    const page = pages[path.replace('/v1/models', '')];
    response.writeHead(page === undefined ? 500 : 200).end(JSON.stringify(page));
  });
  const { models, isPartial } = await list(server.target, clock);
  return { ids: models.map(({ id }) => id).join(' '), isPartial, requests: server.requests.length };
}

const ids = (...all: string[]) => all.map((id) => ({ id }));

for (const [who, pages] of Object.entries({
  'Anthropic, NousResearch/hermes-agent#98211': {
    '': { data: ids('a', 'b'), has_more: true, first_id: 'a', last_id: 'b' },
    '?after_id=b': { data: ids('c'), has_more: true, first_id: 'c', last_id: 'c' },
    '?after_id=c': { data: ids('d'), has_more: false, first_id: 'd', last_id: 'd' },
  },
  'without a last_id, databricks/unity-gateway#680': {
    '': { data: ids('a', 'v/b:1'), has_more: true, first_id: null, last_id: null },
    '?after_id=v%2Fb%3A1': { data: ids('c', 'd'), has_more: false, first_id: null, last_id: null },
  },
  'OpenCode Go, Hmbown/Codewhale#6009': {
    '': { object: 'list', data: ids('a', 'b'), has_more: true, last_id: 'b' },
    '?after=b': { object: 'list', data: ids('c', 'd'), has_more: false },
  },
  'Gemini, appstrate/appstrate#1387': {
    '': { models: [{ name: 'a' }, { name: 'b' }], nextPageToken: 'x/+=' },
    '?pageToken=x%2F%2B%3D': { models: [{ name: 'c' }, { name: 'd' }] },
  },
  OpenRouter: {
    '': { data: ids('a'), total_count: 4, links: { next: '/api/v1/models?offset=1&limit=1' } },
    '?offset=1&limit=1': { data: ids('b'), links: { next: 'https://elsewhere.invalid/v1/models?offset=2&limit=9' } },
    '?offset=2&limit=9': { data: ids('c', 'd'), links: { next: null } },
  },
  'Merge Gateway': {
    '': { data: ids('a', 'b'), object: 'list', has_more: true, next_cursor: 'n=' },
    '?cursor=n%3D': { data: ids('c', 'd'), object: 'list', has_more: false, next_cursor: null },
  },
})) {
  test(`1.1 reads all pages of a list (${who})`, async () => {
    const { ids: read, ...rest } = await listPages(pages);
    assert.equal(read.replaceAll('v/b:1', 'b').split(' ').sort().join(''), 'abcd');
    assert.deepEqual(rest, { isPartial: undefined, requests: Object.keys(pages).length });
  });
}

test('1.1 keeps the pages that were read, and says that the list is partial', async () => {
  const more = { has_more: true, last_id: 'b' };
  const first = { data: ids('a', 'b'), ...more };
  for (const [pages, expected] of [
    // The next page fails, has no list, or is the same one again.
    [{ '': first }, 'a b in 2'],
    [{ '': first, '?after_id=b': { error: { message: 'no' } } }, 'a b in 2'],
    [{ '': first, '?after_id=b': first }, 'a b in 2'],
    // There is no way to the next page, or it would repeat the key in the address.
    [{ '': { data: ids('a'), links: { next: '/v1/models' } } }, 'a in 1'],
    [{ '': { data: ids('a', key), has_more: true } }, 'a in 1'],
    // All pages together are too large.
    [{ '': first, '?after_id=b': { data: ids('c'), x: 'x'.repeat(20 * 1024 * 1024) } }, 'a b in 2'],
  ] as const) {
    const { ids: read, isPartial, requests } = await listPages(pages);
    assert.deepEqual([`${read} in ${requests}`, isPartial], [expected, true]);
  }
});

test('1.1 reads at most 20 pages', async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 30 }, (_, page) => [
      page === 0 ? '' : `?pageToken=${page}`,
      { models: [{ name: `m-${page}` }], nextPageToken: `${page + 1}` },
    ]),
  );
  const { ids: read, ...rest } = await listPages(pages);
  assert.deepEqual([read.split(' ').length, rest], [20, { isPartial: true, requests: 20 }]);
});

test('1.1 keeps the first page when the next one never comes, and rejects when the caller aborts', async () => {
  for (const isAborted of [false, true]) {
    const clock = new ManualClock();
    const abort = new AbortController();
    await using server = await httpServer(({ path }, response) => {
      if (path === '/v1/models') {
        response.end(JSON.stringify({ data: ids('a'), has_more: true, last_id: 'a' }));
      }
    });
    const listing = client(clock).listModels(server.target, abort.signal);
    await until(() => server.requests.length === 2);
    if (isAborted) {
      abort.abort(new Error('aborted by the test'));
      await assert.rejects(listing, /aborted by the test/);
    } else {
      clock.pass(60_000);
      const { models, isPartial } = await listing;
      assert.deepEqual([models.map(({ id }) => id), isPartial], [['a'], true]);
    }
  }
});

test('Q61 follows at most three redirects of the list within its origin', async () => {
  await using server = await httpServer(({ path }, response) => {
    const hop = Number(/hop=(\d)/.exec(path)?.[1] ?? 0);
    if (hop < 3) {
      response.writeHead(hop === 0 ? 301 : 307, { location: `/v1/models/?hop=${hop + 1}` }).end();
    } else {
      response.end('{"data":[{"id":"a"}]}');
    }
  });
  assert.equal((await list(server.target)).models.length, 1);
  assert.deepEqual(
    server.requests.map(({ path, headers }) => [path, headers.authorization]),
    [
      ['/v1/models', `Bearer ${key}`],
      ['/v1/models/?hop=1', `Bearer ${key}`],
      ['/v1/models/?hop=2', `Bearer ${key}`],
      ['/v1/models/?hop=3', `Bearer ${key}`],
    ],
  );
  await using loop = await httpServer((_, response) => response.writeHead(302, { location: '/v1/models' }).end());
  assert.equal((await problemOf(list(loop.target))).kind, 'redirected');
  assert.equal(loop.requests.length, 4);
});

test('Q19 counts the text and not the JSON around it: a long reply may be many megabytes on the wire', async () => {
  const padding = 'p'.repeat(16_000);
  const piece = text('a').replace('{', `{"obfuscation":"${padding}",`).repeat(64);
  const pieces = Math.ceil((72 * 1024 * 1024) / piece.length);
  await using server = await httpServer(async (_, response) => {
    response.writeHead(200, eventStream);
    // Enough text that the JSON around it is not too large in comparison.
    response.write(text('word '.repeat(10_000)));
    for (let at = 0; at < pieces; at++) {
      if (!response.write(piece)) {
        await once(response, 'drain');
      }
    }
    response.end(stop + done);
  });
  const { shown, end } = await ask(server.target);
  assert.deepEqual([end.outcome, end.problem], ['complete', undefined]);
  assert.equal(shown.length, 50_000 + 64 * pieces);
});

test('ends a reply that exceeds the total limit', async () => {
  await using server = await httpServer((_, response) => {
    response.writeHead(200, eventStream);
    const timer = setInterval(() => response.write(text('a')), 5);
    response.on('close', () => clearInterval(timer));
  });
  const { clock, state, end } = begin(server.target, { totalMs: 1_000 });
  await until(() => state.shown.length > 3);
  clock.pass(1_000);
  assert.deepEqual((await end).problem, { kind: 'timedOut', timer: 'total', limitMs: 1_000 });
  await until(() => server.disconnects === 1);
});

test('Q8 waits thirty seconds for usage after a finish reason, and completes five seconds after it', async () => {
  let usage = () => undefined as unknown;
  await using server = await httpServer((_, response) => {
    response.writeHead(200, eventStream).write(text('Hel') + stop);
    usage = () => response.write('data: {"choices":[],"usage":{"prompt_tokens":7}}\n\n');
  });
  const { clock, state, end } = begin(server.target);
  await until(() => state.shown === 'Hel' && clock.pending > 2);
  clock.pass(29_999);
  usage();
  await until(() => clock.isDueIn(5_000));
  clock.pass(4_999);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(state.settled, false);
  clock.pass(1);
  const { outcome, problem, usage: reported } = await end;
  assert.deepEqual([outcome, problem, reported], ['complete', undefined, { promptTokens: 7 }]);
  await until(() => server.disconnects === 1);
});

test('leaves no listener on the signal of the caller', async () => {
  await using server = await httpServer((_, response) => response.end(whole));
  const { signal } = new AbortController();
  await ask(server.target, undefined, undefined, signal);
  await client()
    .listModels(server.target, signal)
    .catch(() => undefined);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('Q75 streams a compressed stream: what the server flushed is shown before the rest arrives', async () => {
  await using server = await httpServer((_, response) => {
    response.writeHead(200, { ...eventStream, 'content-encoding': 'gzip' });
    const gzip = createGzip();
    gzip.pipe(response);
    gzip.write(text('Hel'));
    gzip.flush(constants.Z_SYNC_FLUSH);
  });
  const { state, abort, end } = begin(server.target);
  await until(() => state.shown === 'Hel');
  abort.abort();
  assert.equal((await end).outcome, 'stopped');
  await until(() => server.disconnects === 1);
});

test('Q19 ends a reply that decompresses without end', async () => {
  await using server = await httpServer((_, response) => {
    response
      .writeHead(200, { ...eventStream, 'content-encoding': 'gzip' })
      .end(gzipSync(`${': ping\n'.repeat(2_000)}\n`.repeat(6_000)));
  });
  const { end } = await ask(server.target);
  assert.equal(end.problem?.kind, 'tooLarge');
});

test('handles repeated headers, and header names that are properties of Object.prototype', async () => {
  await using server = await rawServer((socket) =>
    socket.end(
      'HTTP/1.1 429 X\r\n__proto__: a\r\nconstructor: b\r\nX-Request-Id: one\r\nX-Request-Id: two\r\nRetry-After: 7\r\nConnection: close\r\n\r\n{"error":{"message":"slow"}}',
    ),
  );
  const { end } = await ask(server.target);
  assert.deepEqual(end.problem, {
    kind: 'rateLimited',
    status: 429,
    words: 'slow',
    requestId: 'one, two',
    retryAfterMs: 7_000,
  });
});
