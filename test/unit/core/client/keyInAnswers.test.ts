import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkConnection } from '../../../../src/core/check/checkConnection.ts';
import { defaultLimits, GatewayClient } from '../../../../src/core/client/gatewayClient.ts';
import { GatewayError } from '../../../../src/core/errors/gatewayProblem.ts';
import type { Transport } from '../../../../src/core/http/transport.ts';
import { AccountsOfKey } from '../account/accountsFixture.ts';
import { ManualClock } from '../base/manualClock.ts';
import { connectionTo, urlOf } from '../connections/connectionTo.ts';
import { defaultNetworkSettings } from '../network/defaultNetworkSettings.ts';
import { bytesOf, cutAt } from '../reply/pieces.ts';
import { chunk, completion, done, readPieces, readText, stop } from '../reply/replyFixture.ts';
import { keys, leakedKey, type Spelling, spellings } from '../secrets/spelledKeys.ts';

const key = keys[8] ?? assert.fail();
const secrets = [key];
const target = { url: urlOf('https://gw.example/v1'), key };
const request = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] } as const;
const never = new AbortController().signal;

function cut(text: string, length: number): string[] {
  return text.match(new RegExp(`.{1,${length}}`, 'gsu')) ?? [];
}

/** Asserts that a value read from an answer does not contain the key. */
function assertClean(value: unknown, spelling: Spelling): void {
  const json = JSON.stringify(value);
  assert.equal(leakedKey(key, json), undefined, `${spelling.name}: ${json}`);
}

function answering(body: string, status = 200, headers: Record<string, string> = {}): Transport {
  return async () => ({
    status,
    headers,
    body: (async function* () {
      yield* cutAt(bytesOf(body), [3, 40, 41]);
    })(),
  });
}

function clientOf(transport: Transport): GatewayClient {
  return new GatewayClient({ transport, clock: new ManualClock(), limits: defaultLimits, userAgent: 'test/1' });
}

for (const spelling of spellings) {
  const spelled = spelling.spell(key);

  test(`Q57 removes the key (${spelling.name}) from text and reasoning in alternating deltas`, () => {
    const [text, thinking] = [`It is ${spelled}, is it?`, `So ${spelled}…`];
    for (const length of [1, 3, 7]) {
      const deltas = cut(text, length).flatMap((content, index) => {
        const reasoning = cut(thinking, length)[index];
        return [chunk({ content }), ...(reasoning === undefined ? [] : [chunk({ reasoning_content: reasoning })])];
      });
      const read = readPieces(deltas.map(bytesOf).concat(bytesOf(stop + done)), { secrets });
      const whole = readText(completion({ content: text, reasoning_content: thinking }), { secrets });
      assert.deepEqual([read.text, read.reasoning], [whole.text, whole.reasoning]);
      assert.match(read.text, /^It is .*\[key removed\].*, is it\?$/);
      assert.match(read.reasoning, /^So .*\[key removed\].*…$/);
      assertClean(read, spelling);
    }
  });

  test(`Q57 removes the key (${spelling.name}) from all other fields of a reply`, () => {
    const more = { model: `m ${spelled}`, id: spelled, usage: { prompt_tokens: spelled, cost: spelled } };
    assertClean(
      readText(chunk({ content: 'Hi' }, spelled, more) + done, {
        secrets,
        headers: { 'x-request-id': spelled, 'x-litellm-response-cost': spelled },
      }),
      spelling,
    );
    assertClean(readText(completion({ content: null, refusal: `No ${spelled}` }), { secrets }), spelling);
    for (const error of [
      { message: `bad ${spelled}` },
      { message: 'bad', code: spelled, type: spelled },
      { message: `bad (request id: ${spelled})`, request_id: spelled },
    ]) {
      assertClean(readText(JSON.stringify({ error }), { secrets, status: 401 }), spelling);
      assertClean(readText(`event: error\ndata: ${JSON.stringify(error)}\n\n`, { secrets }), spelling);
    }
    assertClean(readText(`<title>${spelled}</title>`, { secrets, status: 502 }), spelling);
    assertClean(readText(`not JSON: ${spelled}`, { secrets, status: 400 }), spelling);
  });

  test(`Q57 leaves out tool calls that contain the key (${spelling.name})`, () => {
    const good = { id: 'g', type: 'function', function: { name: 'find', arguments: '{"word":"a"}' } };
    const calls = [
      { ...good, id: spelled },
      { ...good, function: { name: spelled, arguments: '{}' } },
      { ...good, id: 'a', function: { name: 'find', arguments: JSON.stringify({ word: `x ${spelled}` }) } },
      { ...good, id: 'b', function: { name: 'find', arguments: JSON.stringify({ [spelled]: 1 }) } },
      { ...good, id: 'c', extra_content: { signature: spelled } },
      good,
    ];
    const pieces = calls.flatMap(({ function: { name, arguments: given }, ...call }, index) => [
      chunk({ tool_calls: [{ ...call, index, function: { name, arguments: '' } }] }),
      ...cut(given, 4).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
    ]);
    const { verdict } = readText(pieces.join('') + chunk({}, 'tool_calls') + done, { secrets });
    assert.deepEqual(verdict.toolCalls, [{ id: 'g', name: 'find', arguments: '{"word":"a"}' }]);
    assert.equal(verdict.callsWithKey, 5);
    assert.equal(verdict.outcome, 'complete');
    assertClean(verdict, spelling);
  });

  test(`Q57 leaves out models and metadata that contain the key (${spelling.name})`, async () => {
    const items = [
      { id: spelled },
      { id: `relay/${spelled}`, owned_by: 'x' },
      {
        id: 'good',
        owned_by: spelled,
        description: `For ${spelled}`,
        [spelled]: [{ deep: spelled }],
        display_name: `D ${spelled}`,
      },
      { id: 'plain', owned_by: 'x' },
    ];
    // An ordinary list, one with escapes as Go writes them, a map by id, a nested list, and plain ids.
    for (const body of [
      JSON.stringify({ object: 'list', data: items }),
      JSON.stringify({ data: items }).replaceAll('&', '\\u0026').replaceAll('/', '\\/'),
      JSON.stringify({ data: Object.fromEntries(items.map((item) => [item.id, item])) }),
      JSON.stringify({ data: { data: items } }),
      JSON.stringify([spelled, `relay/${spelled}`, 'good', 'plain']),
    ]) {
      const { items: kept, ...list } = await clientOf(answering(body)).listModels(target, never);
      assert.deepEqual(
        list.models.map(({ id }) => id),
        ['good', 'plain'],
      );
      assert.equal(list.dropped, 2);
      assertClean([list, kept], spelling);
      assert.equal(kept.length, 2);
    }
  });

  test(`Q57 removes the key (${spelling.name}) from the error of a failed list`, async () => {
    for (const [status, body, headers] of [
      [401, JSON.stringify({ error: { message: `wrong ${spelled}`, code: spelled } }), { 'x-request-id': spelled }],
      [200, `<html><title>${spelled}</title></html>`, {}],
      [200, JSON.stringify({ [spelled]: 1 }), {}],
      [307, '', { location: `https://other.example/?k=${spelled}` }],
    ] as const) {
      await assert.rejects(clientOf(answering(body, status, headers)).listModels(target, never), (error) => {
        assert.ok(error instanceof GatewayError);
        assertClean([error.problem, error.message], spelling);
        return true;
      });
    }
  });

  test(`Q57 removes the key (${spelling.name}) from a connection check and account facts`, async () => {
    const list = JSON.stringify({ data: [{ id: spelled }, { id: 'good', owned_by: spelled }] });
    for (const transport of [
      answering(list, 200, { server: spelled, via: spelled, 'content-type': spelled }),
      answering(JSON.stringify({ error: { message: spelled, code: spelled } }), 401, { 'x-request-id': spelled }),
    ]) {
      const clock = new ManualClock();
      const client = new GatewayClient({ transport, clock, limits: defaultLimits, userAgent: 'test/1' });
      const connection = { url: target.url, headers: {} };
      const steps = await checkConnection(client, clock, defaultNetworkSettings, {}, connection, key, never);
      assertClean(steps, spelling);
    }
    const site = {
      success: true,
      data: { system_name: spelled, quota_display_type: spelled, quota_per_unit: 500_000 },
    };
    const usage = {
      code: true,
      data: { object: 'token_usage', name: `my ${spelled}`, total_granted: 9, total_used: 1, total_available: 8 },
    };
    const transport: Transport = (request, signal) =>
      answering(JSON.stringify(request.url.endsWith('/api/status') ? site : usage))(request, signal);
    const { accounts } = new AccountsOfKey(transport, new ManualClock(), key);
    const facts = await accounts.read(connectionTo(target.url.base));
    assert.ok(facts?.remaining !== undefined, 'the account was read');
    assertClean(facts, spelling);
  });
}

test('reads a tool call with thirteen megabytes of arguments', async () => {
  const given = JSON.stringify({ text: '"'.repeat(2_000_000) + 'x'.repeat(9_000_000) });
  const pieces = cut(given, 1_000_000).map((part) =>
    chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'write', arguments: part } }] }),
  );
  const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 };
  const body = chunk({ content: 'Hi' }) + pieces.join('') + chunk({}, 'tool_calls', { usage }) + done;
  let shown = '';
  const end = await clientOf(answering(body)).chat(target, request, ({ text }) => (shown += text), never);
  assert.deepEqual([shown, end.outcome, end.problem], ['Hi', 'complete', undefined]);
  assert.equal(end.usage?.totalTokens, 8);
  assert.ok(end.toolCalls?.[0]?.arguments === given);
});

test('lists a model with fifteen megabytes of description', async () => {
  const items = [{ id: 'long', description: `"\\ ${'d'.repeat(15_000_000)} ${key}` }, { id: 'short' }];
  for (const body of [JSON.stringify({ data: items }), JSON.stringify({ data: items }).replaceAll(key, 'e')]) {
    const list = await clientOf(answering(body)).listModels(target, never);
    assert.deepEqual(
      list.models.map(({ id }) => id),
      ['long', 'short'],
    );
    assert.equal(JSON.stringify(list.items[0]).includes(key), false);
  }
});

test('returns a failed outcome with usage when the last delta cannot be delivered', async () => {
  const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 };
  // The last word may be the start of the key, so it is held back until the end.
  const body = chunk({ content: `Hi ${key.slice(0, 9)}` }, null, { usage });
  let shown = '';
  const onDelta = ({ text }: { text: string }) => {
    if (shown !== '') {
      throw new RangeError('Invalid string length');
    }
    shown += text;
  };
  const end = await clientOf(answering(body)).chat(target, request, onDelta, never);
  assert.deepEqual([shown, end.outcome, end.usage?.totalTokens], ['Hi ', 'failed', 8]);
});
