import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Transport } from '../../../src/core/http/transport.ts';
import { ManualClock } from '../core/base/manualClock.ts';
import { anyCharacter, isQuick } from '../propertyRuns.ts';
import { listen, newClient, type Received, readList, targetOf } from './wireCall.ts';

const key = 'sk-Property0123456789key';
const target = targetOf('https://gateway.test/v1', key);
const encoder = new TextEncoder();

/** A transport that answers with these pieces. */
function answering(pieces: Iterable<Uint8Array>, status = 200, headers: Record<string, string> = {}): Transport {
  return async () => ({
    status,
    headers,
    body: (async function* () {
      yield* pieces;
    })(),
  });
}

function readReply(pieces: Iterable<Uint8Array>, status?: number, headers?: Record<string, string>): Promise<Received> {
  return listen(newClient({ clock: new ManualClock(), transport: answering(pieces, status, headers) }), target)
    .received;
}

/** Splits bytes at these offsets, each a fraction of the length. */
function cutAt(bytes: Uint8Array, shares: readonly number[]): Uint8Array[] {
  const places = shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

const words = fc.string({ unit: anyCharacter, maxLength: 12 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Events in the forms that gateways send, each with the text it adds. */
const events = fc.array(
  fc.record({
    text: words,
    line: fc.constantFrom('\n', '\r\n', '\r'),
    prefix: fc.constantFrom('data: ', 'data:', ': PING\n\ndata: ', 'event: message\ndata: '),
    isReasoning: fc.boolean(),
  }),
  { maxLength: 8 },
);
const ending = fc.constantFrom('', 'data: [DONE]\n\n', 'data: {"choices":[],"usage":{"prompt_tokens":3}}\n\n');
const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';

const stream = fc.tuple(events, fc.boolean(), ending).map(([list, isFinished, last]) => {
  const frames = list.map(({ text, line, prefix, isReasoning }) => {
    const delta = isReasoning ? { reasoning_content: text } : { content: text };
    const frame = `${prefix}${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
    return frame.replaceAll('\n', line);
  });
  return encoder.encode(frames.join('') + (isFinished ? finish : '') + last);
});

test('reads the same text and verdict wherever a stream is split', async () => {
  await fc.assert(
    fc.asyncProperty(stream, fc.array(share, { maxLength: 12 }), async (bytes, shares) => {
      assert.deepEqual(await readReply(cutAt(bytes, shares)), await readReply([bytes]));
    }),
  );
});

test('keeps the text of a stream that is cut anywhere, and completes it only with a finish reason', async () => {
  await fc.assert(
    fc.asyncProperty(stream, share, async (bytes, where) => {
      const end = Math.floor(where * bytes.length);
      const whole = await readReply([bytes]);
      const part = await readReply([bytes.subarray(0, end)]);
      assert.ok(whole.text.startsWith(part.text));
      assert.ok(whole.reasoning.startsWith(part.reasoning));
      if (part.end.outcome === 'complete') {
        assert.equal(part.end.finishReason, 'stop');
      }
      // Text of complete events is never lost, whatever part of the next event follows.
      const textSoFar = new TextDecoder().decode(bytes.subarray(0, end));
      const closed = /^.*(?:\n\n|\r\n\r\n|\r\r)/s.exec(textSoFar)?.[0] ?? '';
      const fromClosed = await readReply([encoder.encode(closed)]);
      assert.ok(part.text.startsWith(fromClosed.text));
    }),
  );
});

const piece = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ unit: anyCharacter, maxLength: 30 }).map((text) => encoder.encode(text)),
  fc.json({ maxDepth: 3 }).map((text) => encoder.encode(`data: ${text}\n\n`)),
  fc.json({ maxDepth: 3 }).map((text) => encoder.encode(text)),
  fc
    .constantFrom('data: ', '\n\n', '\r', '{', '[', '"', '<html>', '<think>', 'error: ', '[DONE]', '\ufeff', finish)
    .map((text) => encoder.encode(text)),
);

test('ends a reply with an outcome for any bytes and any status', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 10 }), fc.integer({ min: 200, max: 599 }), async (pieces, status) => {
      const { end } = await readReply(pieces, status);
      assert.ok(['complete', 'incomplete', 'failed'].includes(end.outcome));
      assert.equal(end.outcome === 'complete', end.problem === undefined);
    }),
  );
});

test('returns a list or a problem for any bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), fc.integer({ min: 200, max: 599 }), async (pieces, status) => {
      const listed = await readList(
        newClient({ clock: new ManualClock(), transport: answering(pieces, status) }),
        target,
      );
      assert.ok('models' in listed || typeof listed.problem.kind === 'string');
    }),
  );
});

/** Any JSON that contains the key as a value, in a text, or as a property name. */
function leaking(key: string): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    keyText: fc.constantFrom(
      key,
      `Bearer ${key}`,
      `the key ${key} is bad`,
      `https://a.test/?k=${encodeURIComponent(key)}`,
    ),
    leaf: fc.oneof(tie('keyText'), words, fc.integer(), fc.boolean(), fc.constant(null)),
    name: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('error', 'message', 'code', 'type', 'detail', 'msg', 'err', 'title') },
      { weight: 3, arbitrary: fc.constantFrom('request_id', 'model', 'status', 'object', 'success', 'html-message') },
      { weight: 1, arbitrary: fc.constant(key) },
    ),
    node: fc.oneof(
      { maxDepth: 3 },
      tie('leaf'),
      fc.dictionary(tie('name') as fc.Arbitrary<string>, tie('node'), { maxKeys: 4 }),
      fc.array(tie('node'), { maxLength: 2 }),
      tie('node').map((inner) => JSON.stringify(inner)),
    ),
  })).node;
}

const wrappings = [
  (text: string) => text,
  (text: string) => `data: ${text}\n\n`,
  (text: string) => `event: error\ndata: ${text}\n\n`,
  (text: string) => `error: ${text}\n\n`,
  (text: string) => `<html><title>${text}</title></html>`,
] as const;

for (const secret of [key, 'a1b2c3d4e5f60718', 'K+e/y="x\\y"%41']) {
  test(`returns no field with a key from a body or header: ${secret}`, async () => {
    const headers = { 'x-request-id': `req ${secret}`, 'cf-ray': secret, 'retry-after': secret };
    const own = targetOf('https://gateway.test/v1', secret);
    const leaks = (value: unknown): boolean =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).some(([name, inner]) => leaks(name) || leaks(inner))
        : String(value).includes(secret) || String(value).includes(encodeURIComponent(secret));
    await fc.assert(
      fc.asyncProperty(
        leaking(secret),
        fc.constantFrom(...wrappings),
        fc.constantFrom(200, 302, 400, 401, 403, 404, 429, 500),
        async (body, wrap, status) => {
          const bytes = [encoder.encode(wrap(JSON.stringify(body)))];
          const client = newClient({ clock: new ManualClock(), transport: answering(bytes, status, headers) });
          const { end } = await listen(client, own).received;
          assert.ok(!leaks(end), JSON.stringify(end));
          const transport = answering(bytes, status, { ...headers, location: `https://b.test/${secret}` });
          const listed = await readList(newClient({ clock: new ManualClock(), transport }), own);
          assert.ok(!('problem' in listed) || !leaks(listed.problem), JSON.stringify(listed));
        },
      ),
    );
  });
}

const endless = {
  'an endless line': 'data: aaaaaaaaaaaaaaa',
  comments: `: ${'keep-alive '.repeat(100)}\n\n`,
  'lines of an endless event': 'data: aaaa\n',
  'an endless JSON document': '{"choices":[{"delta":{"content":"aaaa',
  'a web page': '<p>aaaa</p>',
  blanks: '\n\n\n\n',
  'empty events': `data: {"object":"${'a'.repeat(1_000)}"}\n\n`,
  text: `data: {"choices":[{"delta":{"content":"${'a'.repeat(100_000)}"}}]}\n\n`,
  reasoning: `data: {"choices":[{"delta":{"reasoning":"${'a'.repeat(100_000)}"}}]}\n\n`,
  'arguments of one call': `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"${'a'.repeat(1_000_000)}"}}]}}]}\n\n`,
  'a refusal': `data: {"choices":[{"delta":{"refusal":"${'a'.repeat(100_000)}"}}]}\n\n`,
} as const;

for (const [name, text] of Object.entries(endless)) {
  const isLong = name === 'lines of an endless event' || name === 'arguments of one call';
  test(`stops reading an endless answer: ${name}`, { skip: isQuick && isLong }, async () => {
    const megabyte = encoder.encode(text.repeat(Math.ceil(2 ** 20 / text.length)));
    let taken = 0;
    let isClosed = false;
    function* forever() {
      try {
        for (;;) {
          taken++;
          yield megabyte;
        }
      } finally {
        isClosed = true;
      }
    }
    const { end } = await readReply(forever());
    const kinds: Readonly<Record<string, string>> = { 'a web page': 'webPage', 'a refusal': 'contentFiltered' };
    assert.equal(end.problem?.kind, kinds[name] ?? 'tooLarge');
    assert.ok(taken <= 66, `${taken} MB`);
    assert.ok(isClosed, 'the body is closed');
  });
}
