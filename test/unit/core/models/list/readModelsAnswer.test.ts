import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInSlices } from '../../../../../src/core/base/runInSlices.ts';
import type { AnswerFacts } from '../../../../../src/core/errors/classify.ts';
import { readModelList, readModelsPage } from '../../../../../src/core/models/list/modelList.ts';
import { KeyRemover, keyMark } from '../../../../../src/core/secrets/keyRemover.ts';
import { newClient } from '../../../wire/wireCall.ts';
import { StepClock } from '../../base/stepClock.ts';
import { urlOf } from '../../connections/connectionTo.ts';
import { responseWith } from '../../http/plainTransport.ts';
import { bytesOf } from '../../reply/pieces.ts';

const ownKey = new KeyRemover(keyMark, true, ['sk-secret']);
const facts: AnswerFacts = { status: 200, headers: {}, secrets: ['sk-secret'], now: 0 };

const read = (text: string) => readModelList(readModelsPage(text, facts).items, ownKey);

const bigItem = (index: number) => ({
  id: `vendor-${index % 50}/model-${index}`,
  name: `Model ${index}`,
  description: 'Words about it, “quoted”. '.repeat(80),
  context_length: 1_000 + index,
  architecture: { input_modalities: ['text'], output_modalities: ['text'] },
  pricing: { prompt: '0.00000125', completion: '0.00001' },
});

test('pauses every few milliseconds while it reads a long list', async () => {
  const body = JSON.stringify({ data: Array.from({ length: 2_000 }, (_, index) => bigItem(index)) });
  const clock = new StepClock();
  const { models } = await runInSlices(clock, read(body));
  assert.equal(models.length, 2_000);
  // Each reading of the clock advances it by a millisecond. A model takes two steps: reading its item and building it.
  assert.ok(clock.pauses >= 1_000, String(clock.pauses));
});

test('rejects when the caller aborts while the list is being read', async () => {
  const body = bytesOf(JSON.stringify({ data: Array.from({ length: 500 }, (_, index) => bigItem(index)) }));
  for (const abortingPause of [1, 60]) {
    const abort = new AbortController();
    let now = 0;
    let pauses = 0;
    const client = newClient({
      transport: async () => responseWith(body),
      clock: {
        now: () => now++,
        after: (delayMs, run) => {
          if (delayMs === 0) {
            pauses++;
            if (pauses === abortingPause) {
              abort.abort(new Error('aborted by the test'));
            }
            setImmediate(run);
          }
          return { dispose: () => undefined };
        },
      },
    });
    const target = { url: urlOf('https://gateway.example'), key: 'sk-secret' };
    await assert.rejects(client.listModels(target, abort.signal), /aborted by the test/);
    assert.ok(pauses >= abortingPause, String(pauses));
  }
});
