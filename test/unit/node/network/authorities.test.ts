import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectError } from '../../../../src/core/network/networkErrors.ts';
import { Authorities } from '../../../../src/node/network/authorities.ts';
import { until } from '../../../until.ts';

const untrusted = Object.assign(new Error('x'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });

test('a request waits for unreadable authorities no longer than its own limit', async () => {
  let reads = 0;
  const authorities = new Authorities({}, () => {
    reads++;
    return new Promise<never>(() => undefined);
  });
  const error = new ConnectError(untrusted);
  const { signal } = new AbortController();
  // A pending promise alone does not keep the process alive.
  const alive = setTimeout(() => undefined, 60_000);
  for (let time = 1; time <= 2; time++) {
    await assert.rejects(
      authorities.withTrust(true, 100, signal, () => Promise.reject(error)),
      error,
    );
    assert.equal(reads, time);
  }
  const stop = new AbortController();
  const stopped = authorities.withTrust(true, 60_000, stop.signal, () => Promise.reject(error));
  await until(() => reads === 3);
  stop.abort();
  await assert.rejects(stopped, error);
  clearTimeout(alive);
});

test('a request is repeated only when the first one was certainly not sent', async () => {
  const authorities = new Authorities({}, async () => [
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  ]);
  const { signal } = new AbortController();
  let attempts = 0;
  const sent = authorities.withTrust(true, 5_000, signal, async () => {
    attempts++;
    throw untrusted;
  });
  await assert.rejects(sent, untrusted);
  assert.equal(attempts, 1);
});
