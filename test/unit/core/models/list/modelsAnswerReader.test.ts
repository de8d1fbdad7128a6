import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Clock } from '../../../../../src/core/base/clock.ts';
import { JsonItems } from '../../../../../src/core/base/jsonItems.ts';
import { GatewayClient } from '../../../../../src/core/client/gatewayClient.ts';
import { parseBaseUrl } from '../../../../../src/core/connections/baseUrl.ts';
import type { AnswerFacts } from '../../../../../src/core/errors/classify.ts';
import { GatewayError } from '../../../../../src/core/errors/gatewayProblem.ts';
import { defaultLimits } from '../../../../../src/core/http/requestTimers.ts';
import type { ModelListAnswer } from '../../../../../src/core/models/list/model.ts';
import { ModelsAnswerReader } from '../../../../../src/core/models/list/modelsAnswerReader.ts';
import { readModelsAnswer } from '../../../../../src/core/models/list/readModelsAnswer.ts';
import { OwnKey } from '../../../../../src/core/secrets/ownKey.ts';
import { ManualClock } from '../../base/manualClock.ts';
import { bytesOf, cutAt } from '../../reply/pieces.ts';
import { gateways, oddBodies, oddTexts } from '../fixtures/gateways.ts';

const ownKey = new OwnKey(['sk-secret']);
const facts = (status = 200): AnswerFacts => ({ status, headers: {}, secrets: ['sk-secret'], now: 0 });

/**
 * All that can be told of an answer: the list with each item's meaning, or the problem. A number beyond the range of a
 * double means nothing: item by item it is kept as it was written, and with the whole text it is read and lost.
 */
function told(answer: ModelListAnswer) {
  const meaning = (item = 'null') => JSON.parse(JSON.stringify(JSON.parse(item)));
  return { ...answer, items: answer.models.map(({ id }) => meaning(answer.items.get(id))) };
}

function wholly(text: string, status = 200) {
  try {
    return told(readModelsAnswer(text, facts(status), ownKey));
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    return { problem: error.problem };
  }
}

async function piecewise(pieces: readonly Uint8Array[], status = 200) {
  const reader = new ModelsAnswerReader(new ManualClock(), ownKey);
  for (const piece of pieces) {
    await reader.feed(piece);
  }
  try {
    return told(await reader.end(facts(status)));
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    return { problem: error.problem };
  }
}

const bodies = [...Object.values(gateways).map(({ body }) => body), ...Object.values(oddBodies)];
const texts = [
  ...bodies.map((body) => JSON.stringify(body)),
  ...bodies.map((body) => JSON.stringify(body, undefined, 2)),
  ...oddTexts,
];

test('reads every list in single bytes and at once as it reads the whole text', async () => {
  for (const text of texts) {
    const bytes = bytesOf(text);
    const whole = wholly(new TextDecoder().decode(bytes));
    assert.deepEqual(await piecewise([bytes]), whole, text.slice(0, 80));
    assert.deepEqual(
      await piecewise(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))),
      whole,
      text.slice(0, 80),
    );
  }
});

test('reads every list the same wherever it is cut, and cut off, under any status', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...texts),
      fc.array(fc.nat(5_000), { maxLength: 6 }),
      fc.option(fc.nat(5_000), { freq: 4 }),
      fc.constantFrom(200, 401, 502),
      async (text, places, end, status) => {
        const bytes = bytesOf(text).subarray(0, end ?? undefined);
        const pieces = cutAt(
          bytes,
          places.map((place) => place % (bytes.length + 1)),
        );
        assert.deepEqual(await piecewise(pieces, status), wholly(new TextDecoder().decode(bytes), status));
      },
    ),
    { numRuns: 800 },
  );
});

test('reads any JSON, whole or damaged in one place, as it reads the whole text', async () => {
  const item = fc.oneof(fc.record({ id: fc.string(), owned_by: fc.string(), x: fc.jsonValue() }), fc.jsonValue());
  const list = fc.oneof(fc.array(item), fc.jsonValue());
  const body = fc.oneof(
    list,
    fc.record({ data: list, models: list, error: fc.jsonValue() }, { requiredKeys: [] }),
    fc.record({ object: fc.constant('list'), first: fc.jsonValue(), data: fc.array(item), last: fc.jsonValue() }),
  );
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.constantFrom(undefined, 1, 2),
      fc.option(fc.tuple(fc.nat(2_000), fc.constantFrom('', ',', ']', '}', '[', '{', '"', '\\', ' ', ':', '\u00a0'))),
      fc.nat(2_000),
      async (value, indent, damage, place) => {
        const good = JSON.stringify(value, undefined, indent);
        const at = damage ? damage[0] % good.length : 0;
        const text = damage ? good.slice(0, at) + damage[1] + good.slice(at + 1) : good;
        const bytes = bytesOf(text);
        assert.deepEqual(
          await piecewise(cutAt(bytes, [place % (bytes.length + 1)])),
          wholly(new TextDecoder().decode(bytes)),
        );
      },
    ),
    { numRuns: 1_500 },
  );
});

test('cuts the usual shapes into items without ever needing the whole text', () => {
  for (const [who, { body }] of Object.entries(gateways)) {
    if (who === 'Ollama with nothing') {
      continue;
    }
    const items = new JsonItems();
    const found = [...items.push(JSON.stringify(body))];
    const list = items.places.includes('data') ? items.places.indexOf('data') : 0;
    const record = body as { data?: unknown[]; models?: unknown[] };
    const expected = Array.isArray(body) ? body : (record.data ?? record.models);
    assert.equal(items.isOdd, false, who);
    assert.deepEqual(
      found.filter((item) => item.list === list).map(({ text }) => JSON.parse(text)),
      JSON.parse(JSON.stringify(expected)),
      who,
    );
    assert.ok(JSON.parse(items.end() ?? ''), who);
  }
});

const bigItem = (index: number) => ({
  id: `vendor-${index % 50}/model-${index}`,
  name: `Model ${index}`,
  description: 'Words about it, “quoted”. '.repeat(80),
  context_length: 1_000 + index,
  architecture: { input_modalities: ['text'], output_modalities: ['text'] },
  pricing: { prompt: '0.00000125', completion: '0.00001' },
});

test('gives way every few milliseconds of work, in the middle of a piece and at the end too', async () => {
  const body = bytesOf(JSON.stringify({ data: Array.from({ length: 2_000 }, (_, index) => bigItem(index)) }));
  let now = 0;
  let pauses = 0;
  // Each look at the clock is as if a millisecond had gone by: one step.
  const stepping: Clock = {
    now: () => now++,
    after: (delayMs, run) => {
      assert.equal(delayMs, 0);
      pauses++;
      setImmediate(run);
      return { dispose: () => undefined };
    },
  };
  const reader = new ModelsAnswerReader(stepping, ownKey);
  await reader.feed(body);
  const whileReading = pauses;
  assert.ok(whileReading >= 2_000 / 10, String(whileReading));
  const { models } = await reader.end(facts());
  assert.equal(models.length, 2_000);
  assert.ok(pauses - whileReading >= 2_000 / 10, String(pauses - whileReading));
});

for (const count of [5_000, 20_000]) {
  test(`reads ${count} models in any order to the same list`, async () => {
    const size = count === 5_000 ? 80 : 20;
    const items = Array.from({ length: count }, (_, index) => ({
      ...bigItem(index),
      description: 'x'.repeat(size),
    }));
    const whole = wholly(JSON.stringify({ data: items }));
    const shuffled = items.map((item, index) => items[(index * 7_919) % count] ?? item);
    const bytes = bytesOf(JSON.stringify({ object: 'list', data: shuffled }));
    const pieces = Array.from({ length: Math.ceil(bytes.length / 16_384) }, (_, index) =>
      bytes.subarray(index * 16_384, (index + 1) * 16_384),
    );
    assert.deepEqual(await piecewise(pieces), whole);
  });
}

test('gives no list to somebody who left while it was being read', async () => {
  const body = bytesOf(JSON.stringify({ data: Array.from({ length: 500 }, (_, index) => bigItem(index)) }));
  for (const pauseOfLeaving of [1, 60]) {
    const abort = new AbortController();
    let now = 0;
    let pauses = 0;
    const client = new GatewayClient({
      transport: async () => ({
        status: 200,
        headers: {},
        body: (async function* () {
          yield body;
        })(),
      }),
      clock: {
        now: () => now++,
        after: (delayMs, run) => {
          if (delayMs === 0) {
            pauses++;
            if (pauses === pauseOfLeaving) {
              abort.abort(new Error('left'));
            }
            setImmediate(run);
          }
          return { dispose: () => undefined };
        },
      },
      limits: defaultLimits,
      userAgent: 'test',
    });
    const url = parseBaseUrl('https://gateway.example');
    assert.ok(url.ok);
    await assert.rejects(client.listModels({ url: url.value, key: 'sk-secret' }, abort.signal), /left/);
    assert.ok(pauses >= pauseOfLeaving, String(pauses));
  }
});
