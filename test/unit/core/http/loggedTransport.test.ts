import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loggedTransport } from '../../../../src/core/http/loggedTransport.ts';
import type { TransportRequest } from '../../../../src/core/http/transport.ts';
import { redact } from '../../../../src/core/secrets/redact.ts';
import { ManualClock } from '../base/manualClock.ts';

/** Of no shape that would give it away. */
const secret = 'Zq7Wm2Rt9Lx4Kb8Vn3Hc6Jd5';
const get: TransportRequest = { method: 'GET', url: 'https://g.example/v1/models', headers: {}, connectTimeoutMs: 1 };
const { signal } = new AbortController();

/** A log as the real one: what it is given is redacted. */
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

async function* pieces(...parts: (Uint8Array | Error)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) {
      throw part;
    }
    yield part;
  }
}

/** Reads an answer through the log, `most` pieces of it; what was read is what was sent. */
async function read(body: AsyncIterable<Uint8Array>, log = newLog(), most = Number.POSITIVE_INFINITY) {
  const transport = loggedTransport(async () => ({ status: 200, headers: {}, body }), log, new ManualClock());
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

/** No part of the secret that is long enough to tell something. */
function assertHidden(text: string, about: string): void {
  for (let at = 0; at + 6 <= secret.length; at++) {
    assert.ok(!text.includes(secret.slice(at, at + 6)), `${about}: ${text.slice(0, 300)}`);
  }
}

test('a key is hidden wherever the border of a piece cuts it, and all else is said', async () => {
  const message = Buffer.from(`{"error":{"message":"Incorrect API key provided: ${secret}, “ünï” 漢字"}}`);
  for (let cut = 0; cut <= message.length; cut++) {
    for (const also of [cut + 3, message.length]) {
      const { text, traced } = await read(
        pieces(message.subarray(0, cut), message.subarray(cut, also), message.subarray(also)),
      );
      assert.equal(text, message.toString());
      assert.equal(traced, '{"error":{"message":"Incorrect API key provided: [key], “ünï” 漢字"}}');
    }
  }
});

test('a stream is said line by line while it comes', async () => {
  const log = newLog();
  const seen: number[] = [];
  async function* body() {
    for (const piece of ['data: on', 'e\n\n', 'data: two\n', '\ndata: [DONE]\n\n']) {
      yield Buffer.from(piece);
      seen.push(log.traced.length);
    }
  }
  await read(body(), log);
  assert.deepEqual(seen, [0, 1, 2, 3]);
  assert.deepEqual(
    log.traced.map((block) => block.trim()),
    ['data: one', 'data: two', 'data: [DONE]'],
  );
});

test('a key that the line before it announces is hidden, although nobody knows it', async () => {
  const unknown = '7f3Kq9Zx2Mw8';
  for (const line of ['"api_key":', 'Authorization: Bearer', 'x-api-key =', '"access_token":\r']) {
    const { traced } = await read(pieces(Buffer.from(`a\n${line}\n`), Buffer.from(`${unknown}\nb\n`)));
    assert.ok(!traced.includes(unknown.slice(0, 6)), traced);
    assert.match(traced, /^a\n.*\s+\[key\]\nb\n?$/);
  }
});

test('of a line that is too long the beginning is said, and never a part of a key', async () => {
  const max = 64 * 1024;
  for (const size of [97, 7_001, 1_000_000]) {
    for (const before of [max - 10, max - 4_100, max + 4_090, 90_000]) {
      const line = `${'é'.repeat(before)}${secret}${'y'.repeat(100_000)}`;
      const whole = Buffer.from(`${line}\nand the next\n`);
      const parts: Uint8Array[] = [];
      for (let at = 0; at < whole.length; at += size) {
        parts.push(whole.subarray(at, at + size));
      }
      const { text, traced, blocks } = await read(pieces(...parts));
      assert.equal(text, whole.toString());
      assertHidden(traced, `${size} ${before}`);
      const [, shown = '', left] = /^(é+[^é…\n]*)\n?… \((\d+) more characters\)\nand the next\n?$/.exec(traced) ?? [];
      assert.ok(shown.length > max - 4_100 - 1 && shown.length <= max, `${shown.length}`);
      assert.ok(Number(left) + shown.length >= line.length - 200, `${left} of ${line.length}`);
      assert.ok(blocks.every((block) => block.length < max + 100));
    }
  }
});

test('what was cut is not said: it may be half a key', async () => {
  const half = Buffer.from(`data: 1\ndata: ${secret.slice(0, 14)}`);
  const broken = await read(pieces(half, new Error('cut')));
  assert.match(String(broken.failure), /cut/);
  assertHidden(broken.traced, 'broken');
  assert.equal(broken.traced, 'data: 1\n… (20 more characters)');
  const left = await read(pieces(half, Buffer.from('more\n')), newLog(), 1);
  assert.equal(left.traced, 'data: 1\n… (20 more characters)');
});

test('a question is said whole and without a key, at trace alone', async () => {
  for (const isTracing of [true, false]) {
    const log = newLog(isTracing);
    const body = pieces(Buffer.from('answer'));
    const transport = loggedTransport(async () => ({ status: 200, headers: {}, body }), log, new ManualClock());
    const response = await transport({ ...get, method: 'POST', body: `{"a":"${secret}"}` }, signal);
    assert.equal(response.body === body, !isTracing);
    assert.deepEqual(log.traced, isTracing ? ['POST https://g.example/v1/models\n{"a":"[key]"}'] : []);
    assert.deepEqual(log.debugged, ['POST https://g.example/v1/models: 200, no content type, headers after 0 ms']);
  }
});

test('an error is said by its code, by that of its cause, or by its name', async () => {
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
    const transport = loggedTransport(() => Promise.reject(error), log, new ManualClock());
    await assert.rejects(transport(get, signal), (thrown) => thrown === error);
    assert.deepEqual(log.debugged, [`GET https://g.example/v1/models: ${said} after 0 ms`]);
  }
});

test('a line full of keys gives none of them away where it is cut', async () => {
  const line = Buffer.from(`${secret} `.repeat(6_000));
  for (const size of [1_001, 70_003, 69_640]) {
    const parts = Array.from({ length: Math.ceil(line.length / size) }, (_, at) =>
      line.subarray(at * size, (at + 1) * size),
    );
    const { traced } = await read(pieces(...parts));
    assertHidden(traced, `${size}`);
    assert.match(traced, /^(?:\[key\] ){2000}/);
  }
});
