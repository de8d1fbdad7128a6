import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectError } from '../../../../src/core/network/connectError.ts';
import { Authorities } from '../../../../src/node/network/authorities.ts';
import { workerAnswer } from '../../../../src/node/network/workerAnswer.ts';
import { until } from '../../../until.ts';

const untrusted = Object.assign(new Error('x'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });

test('authorities that can’t be read to their end hold no request up longer than its own limit', async () => {
  let asked = 0;
  const authorities = new Authorities({}, () => {
    asked++;
    return new Promise<never>(() => undefined);
  });
  const error = new ConnectError(untrusted);
  const { signal } = new AbortController();
  // What is awaited alone keeps no process alive.
  const alive = setTimeout(() => undefined, 60_000);
  for (let time = 1; time <= 2; time++) {
    await assert.rejects(
      authorities.trusting(true, 100, signal, () => Promise.reject(error)),
      error,
    );
    assert.equal(asked, time);
  }
  const stop = new AbortController();
  const stopped = authorities.trusting(true, 60_000, stop.signal, () => Promise.reject(error));
  await until(() => asked === 3);
  stop.abort();
  await assert.rejects(stopped, error);
  clearTimeout(alive);
});

test('a request is made a second time only when the first one was certainly not sent', async () => {
  const authorities = new Authorities({}, async () => [
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  ]);
  const { signal } = new AbortController();
  let attempts = 0;
  const sent = authorities.trusting(true, 5_000, signal, async () => {
    attempts++;
    throw untrusted;
  });
  await assert.rejects(sent, untrusted);
  assert.equal(attempts, 1);
});

test('a thread answers, fails or is given up, and does not stay', async () => {
  const post = (what: string) => `require('node:worker_threads').parentPort.postMessage(${what})`;
  assert.deepEqual(await workerAnswer(post('[1, "two"]'), 10_000), [1, 'two']);
  assert.equal(await workerAnswer('for (;;);', 100), undefined);
  assert.equal(await workerAnswer('setInterval(() => undefined, 10)', 100), undefined);
  await assert.rejects(workerAnswer('throw new Error("no keychain")', 10_000), /no keychain/);
  await assert.rejects(workerAnswer('', 10_000), /without an answer/);
});
