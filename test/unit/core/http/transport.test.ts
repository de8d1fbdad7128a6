import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayTransport, type Transport, type TransportRequest } from '../../../../src/core/http/transport.ts';
import { redact } from '../../../../src/core/secrets/redact.ts';
import { ManualClock } from '../base/manualClock.ts';

/** A secret that isn't recognised by its shape. */
const secret = 'Zq7Wm2Rt9Lx4Kb8Vn3Hc6Jd5';
const get: TransportRequest = { method: 'GET', url: 'https://g.example/v1/models', headers: {}, connectTimeoutMs: 1 };
const { signal } = new AbortController();

/** A log that, like the real one, redacts everything it is given. */
function newLog(isTracing = true) {
  const traced: string[] = [];
  const debugged: string[] = [];
  const hide = (text: string) => redact(text, [secret]);
  return {
    traced,
    debugged,
    isTracing,
    redact: hide,
    trace: (text: string) => void traced.push(hide(text)),
    debug: (text: string) => void debugged.push(hide(text)),
  };
}

function logged(send: Transport, log: ReturnType<typeof newLog>): Transport {
  return gatewayTransport(send, log, new ManualClock(), () => undefined);
}

async function* pieces(...parts: (Uint8Array | Error)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) {
      throw part;
    }
    yield part;
  }
}

/** Reads at most `most` pieces of a response through a logged transport. */
async function read(body: AsyncIterable<Uint8Array>, log = newLog(), most = Number.POSITIVE_INFINITY) {
  const transport = logged(async () => ({ status: 200, headers: {}, body }), log);
  const response = await transport(get, signal);
  const got: Uint8Array[] = [];
  let failure: unknown;
  try {
    for await (const piece of response.body) {
      got.push(piece);
      if (got.length >= most) {
        break;
      }
    }
  } catch (error) {
    failure = error;
  }
  return { text: Buffer.concat(got).toString(), traced: log.traced.join('\n'), blocks: log.traced, failure };
}

/** Fails when six consecutive characters of the secret are in the text. */
function assertHidden(text: string, about: string): void {
  for (let at = 0; at + 6 <= secret.length; at++) {
    assert.ok(!text.includes(secret.slice(at, at + 6)), `${about}: ${text.slice(0, 300)}`);
  }
}

test('hides a key wherever a piece ends inside it, and logs everything else', async () => {
  const message = Buffer.from(`{"error":{"message":"Incorrect API key provided: ${secret}, “ünï” 漢字"}}`);
  for (let cut = 0; cut <= message.length; cut++) {
    for (const secondCut of [cut + 3, message.length]) {
      const { text, traced } = await read(
        pieces(message.subarray(0, cut), message.subarray(cut, secondCut), message.subarray(secondCut)),
      );
      assert.equal(text, message.toString());
      assert.equal(traced, '{"error":{"message":"Incorrect API key provided: [key], “ünï” 漢字"}}');
    }
  }
});

test('logs a stream in one block when it has ended', async () => {
  const { blocks } = await read(
    pieces(...['data: on', 'e\n\n', 'data: [DONE]\n\n'].map((piece) => Buffer.from(piece))),
  );
  assert.deepEqual(blocks, ['data: one\n\ndata: [DONE]\n\n']);
});

test('hides an unknown key that the line before it announces', async () => {
  const unknown = '7f3Kq9Zx2Mw8';
  for (const line of ['"api_key":', 'Authorization: Bearer', 'x-api-key =', '"access_token":\r']) {
    const { traced } = await read(pieces(Buffer.from(`a\n${line}\n`), Buffer.from(`${unknown}\nb\n`)));
    assert.ok(!traced.includes(unknown.slice(0, 6)), traced);
    assert.match(traced, /^a\n.*\s+\[key\]\nb\n?$/);
  }
});

test('logs the beginning of a body that is too long, and never a part of a key', async () => {
  const max = 1024 * 1024;
  for (const size of [7_001, 1_000_000]) {
    for (const before of [max - 10, max - 4_100, max + 10, max - 90_000]) {
      const body = `${'é'.repeat(before)}${secret}${'y'.repeat(100_000)}`;
      const whole = Buffer.from(body);
      const parts = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
        whole.subarray(at * size, (at + 1) * size),
      );
      const { text, traced } = await read(pieces(...parts));
      assert.equal(text, body);
      assertHidden(traced, `${size} ${before}`);
      const [, shown = ''] = /^(é+[^é…\n]*)… \(cut\)$/.exec(traced) ?? [];
      assert.ok(shown.length > max - 4_100 - 24 && shown.length <= max, `${shown.length}`);
    }
  }
});

test('does not log the end of a body that was cut, because it may be half a key', async () => {
  const half = Buffer.from(`data: 1\ndata: ${secret.slice(0, 14)}`);
  const broken = await read(pieces(half, new Error('cut')));
  assert.match(String(broken.failure), /cut/);
  assertHidden(broken.traced, 'broken');
  assert.equal(broken.traced, 'data: 1\n… (cut)');
  const left = await read(pieces(half, Buffer.from('more\n')), newLog(), 1);
  assert.equal(left.traced, 'data: 1\n… (cut)');
});

test('logs a whole question without the key, and only at trace', async () => {
  for (const isTracing of [true, false]) {
    const log = newLog(isTracing);
    const body = pieces(Buffer.from('answer'));
    const transport = logged(async () => ({ status: 200, headers: {}, body }), log);
    const response = await transport({ ...get, method: 'POST', body: `{"a":"${secret}"}` }, signal);
    assert.equal(response.body === body, !isTracing);
    assert.deepEqual(log.traced, isTracing ? ['POST https://g.example/v1/models\n{"a":"[key]"}'] : []);
    assert.deepEqual(log.debugged, ['POST https://g.example/v1/models: 200, no content type, headers after 0 ms']);
  }
});

test('logs an error by its code, its cause’s code, or its name', async () => {
  const cause = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  const errors: [unknown, string][] = [
    [cause, 'ECONNRESET'],
    [new TypeError('fetch failed', { cause }), 'ECONNRESET'],
    [new TypeError(`Invalid header ${secret}`), 'TypeError'],
    [Object.assign(new Error('odd'), { code: { toString: () => secret } }), 'Error'],
    [secret, 'string'],
  ];
  for (const [error, said] of errors) {
    const log = newLog();
    const transport = logged(() => Promise.reject(error), log);
    await assert.rejects(transport(get, signal), (thrown) => thrown === error);
    assert.deepEqual(log.debugged, [`GET https://g.example/v1/models: ${said} after 0 ms`]);
  }
});

test('reveals no part of a key where a body full of keys is cut', async () => {
  const { traced } = await read(pieces(Buffer.from(`${secret} `.repeat(60_000))));
  assertHidden(traced, 'cut');
  assert.match(traced, /^(?:\[key\] ){2000}/);
});
