import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Transport } from '../../../src/core/http/transport.ts';
import { ManualClock } from '../core/base/manualClock.ts';
import { type Heard, listen, newClient, readList, targetOf } from './wireCall.ts';

const key = 'sk-Property0123456789key';
const target = targetOf('https://gateway.test/v1', key);
const encoder = new TextEncoder();

/** Hands in these bytes as an answer, one piece after the other. */
function handing(pieces: Iterable<Uint8Array>, status = 200, headers: Record<string, string> = {}): Transport {
  return async () => ({
    status,
    headers,
    body: (async function* () {
      yield* pieces;
    })(),
  });
}

function hear(pieces: Iterable<Uint8Array>, status?: number, headers?: Record<string, string>): Promise<Heard> {
  return listen(newClient({ clock: new ManualClock(), transport: handing(pieces, status, headers) }), target).heard;
}

/** Cuts bytes at these places, each a share of the length. */
function cutAt(bytes: Uint8Array, shares: readonly number[]): Uint8Array[] {
  const places = shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

const words = fc.string({ unit: 'binary', maxLength: 12 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Events of a stream in the ways gateways write them, each with the text it adds. */
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

test('a stream cut into any pieces gives the same text and the same verdict', async () => {
  await fc.assert(
    fc.asyncProperty(stream, fc.array(share, { maxLength: 12 }), async (bytes, shares) => {
      assert.deepEqual(await hear(cutAt(bytes, shares)), await hear([bytes]));
    }),
    { numRuns: 400 },
  );
});

test('a stream that ends anywhere keeps what had come till then, and is complete only with its finish reason', async () => {
  await fc.assert(
    fc.asyncProperty(stream, share, async (bytes, where) => {
      const end = Math.floor(where * bytes.length);
      const whole = await hear([bytes]);
      const part = await hear([bytes.subarray(0, end)]);
      assert.ok(whole.text.startsWith(part.text));
      assert.ok(whole.reasoning.startsWith(part.reasoning));
      if (part.end.outcome === 'complete') {
        assert.equal(part.end.finishReason, 'stop');
      }
      // Nothing of an event that was there in full is missing: more bytes of the next one add nothing.
      const sofar = new TextDecoder().decode(bytes.subarray(0, end));
      const closed = /^.*(?:\n\n|\r\n\r\n|\r\r)/s.exec(sofar)?.[0] ?? '';
      const kept = await hear([encoder.encode(closed)]);
      assert.ok(part.text.startsWith(kept.text));
    }),
    { numRuns: 400 },
  );
});

const piece = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => encoder.encode(text)),
  fc.json({ maxDepth: 3 }).map((text) => encoder.encode(`data: ${text}\n\n`)),
  fc.json({ maxDepth: 3 }).map((text) => encoder.encode(text)),
  fc
    .constantFrom('data: ', '\n\n', '\r', '{', '[', '"', '<html>', '<think>', 'error: ', '[DONE]', '\ufeff', finish)
    .map((text) => encoder.encode(text)),
);

test('whatever bytes come under whatever status, a reply ends in time and with an outcome', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 10 }), fc.integer({ min: 200, max: 599 }), async (pieces, status) => {
      const { end } = await hear(pieces, status);
      assert.ok(['complete', 'incomplete', 'failed'].includes(end.outcome));
      assert.equal(end.outcome === 'complete', end.problem === undefined);
    }),
    { numRuns: 1_500, interruptAfterTimeLimit: 8_000, markInterruptAsFailure: false },
  );
});

test('whatever bytes come as a list, there is a list or a reason', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), fc.integer({ min: 200, max: 599 }), async (pieces, status) => {
      const listed = await readList(
        newClient({ clock: new ManualClock(), transport: handing(pieces, status) }),
        target,
      );
      assert.ok('models' in listed || typeof listed.problem.kind === 'string');
    }),
    { numRuns: 800, interruptAfterTimeLimit: 6_000, markInterruptAsFailure: false },
  );
});

/** Any JSON in which the key stands as a value, inside of a text, or as a name. */
function leaking(key: string): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    said: fc.constantFrom(
      key,
      `Bearer ${key}`,
      `the key ${key} is bad`,
      `https://a.test/?k=${encodeURIComponent(key)}`,
    ),
    leaf: fc.oneof(tie('said'), words, fc.integer(), fc.boolean(), fc.constant(null)),
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
  test(`no body and no header of an error carries the key into any field: ${secret}`, async () => {
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
          const asked = newClient({ clock: new ManualClock(), transport: handing(bytes, status, headers) });
          const { end } = await listen(asked, own).heard;
          assert.ok(!leaks(end), JSON.stringify(end));
          const transport = handing(bytes, status, { ...headers, location: `https://b.test/${secret}` });
          const listed = await readList(newClient({ clock: new ManualClock(), transport }), own);
          assert.ok(!('problem' in listed) || !leaks(listed.problem), JSON.stringify(listed));
        },
      ),
      { numRuns: 600, interruptAfterTimeLimit: 5_000, markInterruptAsFailure: false },
    );
  });
}

const endless = {
  'one line without an end': 'data: aaaaaaaaaaaaaaa',
  comments: ': keep-alive\n\n',
  'lines of an event that never ends': 'data: aaaa\n',
  'a JSON text without an end': '{"choices":[{"delta":{"content":"aaaa',
  'a web page': '<p>aaaa</p>',
  blanks: '\n\n\n\n',
  'empty events': 'data: {}\n\n',
  text: `data: {"choices":[{"delta":{"content":"${'a'.repeat(100_000)}"}}]}\n\n`,
  reasoning: `data: {"choices":[{"delta":{"reasoning":"${'a'.repeat(100_000)}"}}]}\n\n`,
  'arguments of one call': `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"${'a'.repeat(100_000)}"}}]}}]}\n\n`,
  'a refusal': `data: {"choices":[{"delta":{"refusal":"${'a'.repeat(100_000)}"}}]}\n\n`,
} as const;

for (const [name, text] of Object.entries(endless)) {
  test(`gives up on an answer without an end: ${name}`, async () => {
    const megabyte = encoder.encode(text.repeat(Math.ceil(2 ** 20 / text.length)));
    let taken = 0;
    let isLeft = false;
    function* forever() {
      try {
        for (;;) {
          taken++;
          yield megabyte;
        }
      } finally {
        isLeft = true;
      }
    }
    const { end } = await hear(forever());
    const kinds: Readonly<Record<string, string>> = { 'a web page': 'webPage', 'a refusal': 'contentFiltered' };
    assert.equal(end.problem?.kind, kinds[name] ?? 'tooLarge');
    assert.ok(taken <= 66, `${taken} MB`);
    assert.ok(isLeft, 'the connection is let go');
  });
}
