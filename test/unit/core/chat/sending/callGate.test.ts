import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CallGate, type CallOrigin, type PaidEnd } from '../../../../../src/core/chat/sending/callGate.ts';
import { type ChatRequest, defaultLimits, GatewayClient } from '../../../../../src/core/client/gatewayClient.ts';
import type { TransportRequest, TransportResponse } from '../../../../../src/core/http/transport.ts';
import { ConnectError, ProxyError } from '../../../../../src/core/network/networkErrors.ts';
import type { ReplyDelta } from '../../../../../src/core/reply/replyContent.ts';
import { readLine } from '../../../../../src/core/usage/ledgerLine.ts';
import type { KnownPrices } from '../../../../../src/core/usage/prices/prices.ts';
import { until } from '../../../../until.ts';
import { anyCharacter } from '../../../propertyRuns.ts';
import { targetOf } from '../../../wire/wireCall.ts';
import { chunk, completion, done, stop, text } from '../../reply/replyFixture.ts';
import { openLimiter } from '../../usage/limiterFixture.ts';
import { MemoryLedger, noon, openLedger } from '../../usage/memoryLedger.ts';
import { settle } from './chatScene.ts';

const encoder = new TextEncoder();
const { url, key } = targetOf('https://gateway.example/v1', 'sk-PaidCalls0123456789key');
const panel: CallOrigin = { id: 'a', caller: { kind: 'panel' }, conversation: 'k' };
const request: ChatRequest = { model: 'm', messages: [{ role: 'user', content: 'Why?' }] };

/** A piece of a body: text, a pause, an error that breaks the connection, or silence until the call is stopped. */
type Piece = string | { readonly ms: number } | Error | 'silence';

/** How the gateway answers: never, by an error before any answer, or by these pieces. */
type Answer =
  | 'silence'
  | Error
  | { readonly pieces: readonly Piece[]; readonly status?: number; readonly headers?: Record<string, string> };

/** A ledger whose writing the test can hold up. */
class HeldLedger extends MemoryLedger {
  #hold: Promise<void> = Promise.resolve();

  /** @returns what lets writing go on. */
  holdUp(): () => void {
    let release = () => {};
    this.#hold = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  override async append(month: string, lines: string): Promise<void> {
    await this.#hold;
    await super.append(month, lines);
  }
}

function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** The gate with the real client and the real ledger, and a gateway that answers as the test says. */
class Gate {
  readonly store = new HeldLedger();
  readonly #opened = openLedger({ store: this.store });
  readonly clock = this.#opened.clock;
  readonly posts: TransportRequest[] = [];
  readonly deltas: ReplyDelta[] = [];
  readonly abort = new AbortController();
  answer: Answer;
  prices: KnownPrices | undefined;
  onPost = () => {};
  onDelta = () => {};
  readonly logged: string[] = [];
  readonly calls: CallGate;

  constructor(answer: Answer = { pieces: [text('Hello'), stop, done] }) {
    this.answer = answer;
    const client = new GatewayClient({
      transport: (post, signal) => this.#send(post, signal),
      clock: this.clock,
      limits: defaultLimits,
      userAgent: 'test/1',
    });
    this.calls = new CallGate({
      client,
      limiter: openLimiter(this.#opened.ledger, this.clock),
      clock: this.clock,
      priceNow: (connection, model) => (connection === 'c1' && model === request.model ? this.prices : undefined),
      log: { info: (text) => this.logged.push(text) },
    });
  }

  get ledger() {
    return this.#opened.ledger;
  }

  /** All lines that were written, each of which must be readable. */
  get lines() {
    return this.store.appended
      .flatMap((lines) => lines.trimEnd().split('\n'))
      .map((line) => readLine(line) ?? assert.fail(line));
  }

  start(facts = panel, asked = request, secret = key): Promise<PaidEnd> {
    const connection = { id: 'c1', url, headers: { 'x-team': 'blue' } };
    const onDelta = (delta: ReplyDelta) => {
      this.deltas.push(delta);
      this.onDelta();
    };
    return this.calls.send({ connection, key: secret }, asked, facts, onDelta, this.abort.signal);
  }

  /** Sends one call to its end. @returns its only end in the ledger. */
  async send(facts = panel, asked = request, secret = key) {
    const reply = await this.start(facts, asked, secret);
    await this.calls.settled();
    const [start, end, ...more] = this.lines;
    assert.ok(start?.type === 'start' && end?.type === 'end');
    assert.deepEqual([start.id, end.id, more], [facts.id, facts.id, []]);
    return { reply, start, end };
  }

  async #send(post: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    this.posts.push(post);
    this.onPost();
    const { answer, clock } = this;
    if (answer === 'silence') {
      return stopped(signal);
    }
    if (answer instanceof Error) {
      throw answer;
    }
    const { pieces, status = 200, headers = {} } = answer;
    async function* body() {
      for (const piece of pieces) {
        if (piece instanceof Error) {
          throw piece;
        }
        if (typeof piece === 'object') {
          clock.pass(piece.ms);
        } else {
          yield piece === 'silence' ? await stopped(signal) : encoder.encode(piece);
        }
      }
    }
    return { status, headers, body: body() };
  }
}

const withId = { 'x-request-id': 'req_1' };
const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET', syscall: 'read' });
const unresolved = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' });
const usage = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 };
const read = { promptTokens: 7, completionTokens: 2, totalTokens: 9 };
const blockedPage = '<html><title>Attention Required! | Cloudflare</title><p>Error 1010</p></html>';
const refused = new ProxyError({ proxy: 'proxy.example:3128', cause: 'refused', setting: 'http.proxy' });

const prices: KnownPrices = { input: 1_000, output: 10_000, unit: 'CNY', source: 'stated' };

test('a call without a reported cost costs its tokens times the prices that are known at its end', async () => {
  const gate = new Gate({ pieces: [text('Hello'), chunk({}, 'stop', { usage }), done] });
  gate.onDelta = () => {
    gate.prices = prices;
  };
  const { reply, end } = await gate.send();
  const cost = { amount: 0.027, unit: 'CNY', source: 'stated' };
  assert.deepEqual([reply.cost, end.cost], [cost, cost]);
});

for (const [title, facts] of [
  ['a reported cost', { usage: { ...usage, cost: 0.5 } }],
  ['tokens of the input alone', { usage: { prompt_tokens: 7 } }],
  ['no tokens', {}],
  ['a report of no tokens at all', { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }],
  ['an input of 0 (MiXaiLL76/auto_ai_router#142)', { usage: { prompt_tokens: 0, completion_tokens: 9 } }],
] as const) {
  test(`${title} is not replaced by a calculated cost`, async () => {
    const gate = new Gate({ pieces: [text('Hello'), chunk({}, 'stop', facts), done] });
    gate.prices = prices;
    const { reply, end } = await gate.send();
    assert.deepEqual([reply.cost, end.cost], [undefined, undefined]);
  });
}

test('enters a call with all that is known of it before the POST, and its end after it', async () => {
  const gate = new Gate({
    headers: withId,
    pieces: [
      { ms: 300 },
      chunk({ role: 'assistant', content: '' }, null, { model: 'm-2026' }),
      { ms: 40 },
      chunk({ content: 'Hello' }, null, { model: 'm-2026' }),
      { ms: 60 },
      chunk({ content: '!' }, 'stop', {
        model: 'm-2026',
        usage: {
          ...usage,
          prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
          completion_tokens_details: { reasoning_tokens: 1 },
          cost: 0.0125,
        },
      }),
      done,
    ],
  });
  gate.onPost = () => assert.equal(gate.lines.length, 1, 'the line is in the ledger when the request is sent');
  const { reply, start, end } = await gate.send();
  assert.equal(reply.outcome, 'complete');
  const { estimate, ...started } = start;
  assert.deepEqual(started, {
    v: 1,
    type: 'start',
    id: 'a',
    at: noon,
    connection: 'c1',
    host: 'gateway.example',
    model: 'm',
    caller: { kind: 'panel' },
    conversation: 'k',
  });
  assert.ok(estimate > 4 && estimate < 10);
  assert.deepEqual(end, {
    v: 1,
    type: 'end',
    id: 'a',
    at: noon + 400,
    state: 'complete',
    answered: 'm-2026',
    usage: { ...read, cachedTokens: 4, cacheWriteTokens: 1, reasoningTokens: 1, cost: 0.0125 },
    requestId: 'req_1',
    firstTokenMs: 340,
    totalMs: 400,
  });
  assert.equal(gate.posts.length, 1);
  assert.equal(gate.posts[0]?.headers.authorization, `Bearer ${key}`);
  assert.equal(gate.posts[0]?.headers['x-team'], 'blue');
  assert.deepEqual(gate.logged, ['gateway.example m for panel: complete after 400 ms, request req_1']);
});

test('leaves out the model that answered when it is the one that was asked', async () => {
  const { end } = await new Gate().send();
  assert.equal('answered' in end, false);
});

test('enters the extension that asked, also when VS Code does not name it', async () => {
  const named = await new Gate().send({ id: 'x', caller: { kind: 'extension', id: 'p.n' } });
  assert.deepEqual(named.start.caller, { kind: 'extension', id: 'p.n' });
  const unnamed = await new Gate().send({ id: 'y', caller: { kind: 'extension' } });
  assert.deepEqual(unnamed.start.caller, { kind: 'extension' });
  assert.ok(!('conversation' in unnamed.start) && !('turn' in unnamed.start));
});

const outcomes: readonly (readonly [what: string, answer: Answer, end: object])[] = [
  [
    'a whole completion',
    { pieces: [completion({ role: 'assistant', content: 'Hi' })] },
    { state: 'complete', usage: { promptTokens: 3, completionTokens: 5, totalTokens: 8 }, firstTokenMs: 0 },
  ],
  [
    'a reply of tool calls alone',
    { pieces: [chunk({ tool_calls: [{ index: 0, id: 'i', function: { name: 'f', arguments: '{}' } }] }), stop, done] },
    { state: 'complete' },
  ],
  ['text without an end', { pieces: [text('Hel')] }, { state: 'incomplete', firstTokenMs: 0 }],
  ['text, then a cut', { pieces: [text('Hel'), reset] }, { state: 'incomplete', firstTokenMs: 0 }],
  [
    'text, then an error',
    { pieces: [text('Hel'), 'data: {"error":{"message":"Upstream error"}}\n\n'] },
    { state: 'failed', firstTokenMs: 0 },
  ],
  [
    'an error with a status',
    { status: 429, pieces: ['{"error":{"message":"rate limit"}}'], headers: withId },
    { state: 'failed', isFree: true, requestId: 'req_1' },
  ],
  ['an error with a status alone', { status: 500, pieces: [] }, { state: 'failed' }],
  ['an error under status 200', { pieces: ['{"error":{"message":"do request failed"}}'] }, { state: 'failed' }],
  ['a failure that was charged', { pieces: [chunk({}, 'stop', { usage }), done] }, { state: 'failed', usage: read }],
  ['a failing server behind a proxy', { status: 502, pieces: ['<html>Bad Gateway</html>'] }, { state: 'failed' }],
  ['an address that is not found', new ConnectError(unresolved), { state: 'notSent' }],
  ['a proxy that refuses', new ConnectError(refused), { state: 'notSent' }],
  ['a proxy that may have passed the request on', refused, { state: 'unknown' }],
  ['a page of a protection service', { status: 403, pieces: [blockedPage] }, { state: 'unknown' }],
  [
    'a page of a protection service with its own id',
    { status: 403, pieces: [blockedPage], headers: { 'cf-ray': '8a1b2c3d4e5f-FRA' } },
    { state: 'unknown', requestId: '8a1b2c3d4e5f-FRA' },
  ],
  ['a sign-in page', { pieces: ['<html><title>Sign in</title></html>'] }, { state: 'unknown' }],
  ['a redirect', { status: 302, headers: { location: 'https://other.example/' }, pieces: [] }, { state: 'unknown' }],
  ['a connection that is cut before any answer', reset, { state: 'unknown' }],
  ['a connection that is cut after the headers', { pieces: [reset] }, { state: 'unknown' }],
  [
    'a connection that is cut after headers with a request id',
    { pieces: [reset], headers: withId },
    { state: 'failed', requestId: 'req_1' },
  ],
  ['an error that is not known', new Error('something else'), { state: 'unknown' }],
];

for (const [what, answer, expected] of outcomes) {
  test(`makes one POST and enters one start and one end for ${what}`, async () => {
    const gate = new Gate(answer);
    const { end } = await gate.send();
    assert.equal(gate.posts.length, 1);
    assert.deepEqual(end, { v: 1, type: 'end', id: 'a', at: noon, ...expected, totalMs: 0 });
  });
}

test('the outcome is unknown when no answer came in time', async () => {
  const gate = new Gate('silence');
  gate.onPost = () => setImmediate(() => gate.clock.pass(defaultLimits.firstByteMs));
  const { reply, end } = await gate.send();
  assert.equal(reply.problem?.kind, 'timedOut');
  assert.deepEqual([end.state, end.totalMs], ['unknown', defaultLimits.firstByteMs]);
});

test('enters a call that was stopped after text', async () => {
  const gate = new Gate({ pieces: [text('Hel'), 'silence'] });
  gate.onDelta = () => setImmediate(() => gate.abort.abort());
  const { reply, end } = await gate.send();
  assert.deepEqual([reply.outcome, end.state, end.firstTokenMs], ['stopped', 'stopped', 0]);
  assert.equal(gate.posts.length, 1);
});

test('enters a call as stopped when the gateway had begun to answer, though without text', async () => {
  for (const begun of [
    { pieces: ['silence'], headers: withId },
    { pieces: [chunk({ role: 'assistant', content: '' }), 'silence'] },
  ] as const) {
    const gate = new Gate(begun);
    gate.onPost = () => setTimeout(() => gate.abort.abort(), 5);
    const { reply, end } = await gate.send();
    assert.deepEqual([reply.outcome, end.state], ['stopped', 'stopped']);
  }
});

test('the outcome of a call that was stopped before any sign of an answer is unknown', async () => {
  const gate = new Gate('silence');
  gate.onPost = () => setImmediate(() => gate.abort.abort());
  const { reply, end } = await gate.send();
  assert.deepEqual([reply.outcome, end.state], ['stopped', 'unknown']);
  assert.equal(gate.posts.length, 1);
});

test('sends nothing for a call that was stopped before, and enters that', async () => {
  const gate = new Gate();
  gate.abort.abort();
  const { reply, end } = await gate.send();
  assert.deepEqual([reply, end.state, gate.posts.length], [{ outcome: 'stopped', isUnsent: true }, 'notSent', 0]);
});

test('sends the request only after its line is stored, and not if it was stopped meanwhile', async () => {
  for (const isStopped of [false, true]) {
    const gate = new Gate();
    const release = gate.store.holdUp();
    const sent = gate.send();
    for (let turn = 0; turn < 20; turn++) {
      await settle();
    }
    assert.deepEqual([gate.posts.length, gate.lines.length], [0, 0]);
    gate.clock.pass(80);
    if (isStopped) {
      gate.abort.abort();
    }
    release();
    const { reply, end } = await sent;
    assert.equal(gate.posts.length, isStopped ? 0 : 1);
    assert.equal(reply.outcome, isStopped ? 'stopped' : 'complete');
    // The time before the request doesn't count.
    assert.deepEqual([end.state, end.at - end.totalMs], [isStopped ? 'notSent' : 'complete', noon + 80]);
  }
});

test('does not hold up an answer while its end is being stored', async () => {
  const gate = new Gate();
  let release = () => {};
  gate.onPost = () => {
    release = gate.store.holdUp();
  };
  assert.equal((await gate.start()).outcome, 'complete');
  let isSettled = false;
  const settled = gate.calls.settled().then(() => {
    isSettled = true;
  });
  for (let turn = 0; turn < 20; turn++) {
    await settle();
  }
  assert.deepEqual([isSettled, gate.lines.length], [false, 1]);
  release();
  await settled;
  assert.equal(gate.lines.length, 2);
});

test('rejects a second call with the same id and sends nothing for it', async () => {
  const gate = new Gate({ pieces: [text('Hel'), 'silence'] });
  const first = gate.start();
  await assert.rejects(gate.start(), /already sent/);
  await until(() => gate.deltas.length === 1);
  await assert.rejects(gate.start(), /already sent/);
  gate.abort.abort();
  await first;
  await gate.calls.settled();
  await assert.rejects(gate.start({ ...panel, conversation: 'other' }), /already sent/);
  await gate.calls.settled();
  assert.equal(gate.posts.length, 1);
  assert.deepEqual(
    gate.lines.map(({ type, id }) => [type, id]),
    [
      ['start', 'a'],
      ['end', 'a'],
    ],
  );
});

test('a ledger that cannot be written does not stop a call, and gets its lines later', async () => {
  const gate = new Gate();
  gate.store.failure = new Error('the disk is full');
  assert.equal((await gate.start()).outcome, 'complete');
  await gate.calls.settled();
  assert.deepEqual([gate.posts.length, gate.lines.length], [1, 0]);
  assert.equal((await gate.ledger.totals(0, Number.MAX_SAFE_INTEGER)).states.complete, 1);
  gate.store.failure = undefined;
  gate.clock.pass(60_000);
  await until(() => gate.lines.length === 2);
  assert.deepEqual(
    gate.lines.map(({ type }) => type),
    ['start', 'end'],
  );
});

test('the outcome of a call whose client throws is unknown, and the error is passed on', async () => {
  const { ledger, store, clock } = openLedger();
  const failure = new Error('a defect');
  const client = { chat: () => Promise.reject(failure) };
  const calls = new CallGate({
    client,
    limiter: openLimiter(ledger, clock),
    clock,
    priceNow: () => undefined,
    log: { info() {} },
  });
  const connection = { id: 'c1', url, headers: {} };
  const sent = calls.send({ connection, key }, request, panel, () => {}, new AbortController().signal);
  await assert.rejects(sent, failure);
  await calls.settled();
  assert.deepEqual(
    store.appended.map((line) => readLine(line)).map((line) => (line?.type === 'end' ? line.state : line?.type)),
    ['start', 'unknown'],
  );
});

const phrase = fc.string({ unit: anyCharacter, minLength: 12, maxLength: 40 });
const secret = fc.oneof(fc.stringMatching(/^sk-[A-Za-z0-9]{16,48}$/), fc.stringMatching(/^[A-Za-z0-9._-]{20,60}$/));
const quotes = (what: string) => JSON.stringify(what).slice(1, -1);

test('writes nothing of the texts of a request, of an answer or of the key', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(phrase, { minLength: 1, maxLength: 4 }),
      secret,
      fc.nat(4),
      fc.boolean(),
      async (texts, ownKey, how, isFull) => {
        const [first = '', ...rest] = texts;
        const said = texts.join(' ');
        const echo = { error: { message: `${said} Bearer ${ownKey}`, code: ownKey } };
        const headers = { 'x-request-id': `r-${ownKey}` };
        const model = `${ownKey}/m`;
        const answers: readonly Answer[] = [
          { headers, pieces: [chunk({ content: said }, null, { model }), stop, done] },
          { headers, pieces: [chunk({ reasoning_content: said }, null, { model }), reset] },
          { headers, status: 400, pieces: [JSON.stringify(echo)] },
          new Error(`${said} ${ownKey}`),
          { headers, status: 403, pieces: [`<html><title>${quotes(said)} ${ownKey}</title></html>`] },
        ];
        const gate = new Gate(answers[how]);
        const asked: ChatRequest = {
          model: 'm',
          messages: [
            { role: 'system', content: first },
            ...rest.map((content) => ({ role: 'user', content }) as const),
            { role: 'user', content: [{ type: 'text', text: first }] },
          ],
          tools: [{ type: 'function', function: { name: 'find', description: said, parameters: {} } }],
          options: { user: ownKey },
        };
        // The caller may hand over more than belongs into a line.
        const more = { ...panel, question: said, key: ownKey, caller: { kind: 'panel', key: ownKey } } as const;
        if (isFull) {
          gate.store.failure = new Error('full');
          await gate.start(more, asked, ownKey);
          gate.store.failure = undefined;
          gate.clock.pass(60_000);
          await until(() => gate.lines.length === 2);
        } else {
          await gate.send(more, asked, ownKey);
        }
        const written = gate.store.appended.join('');
        for (const hidden of [...texts, ownKey].flatMap((each) => [each, quotes(each)])) {
          assert.ok(!written.includes(hidden), `${JSON.stringify(hidden)} in ${written}`);
        }
        assert.equal(gate.posts.length, 1);
        assert.ok(gate.posts[0]?.body?.includes(quotes(first)));
      },
    ),
  );
});
