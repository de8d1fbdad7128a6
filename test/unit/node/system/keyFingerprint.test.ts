import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import { keyFingerprint } from '../../../../src/node/system/machine.ts';

const secret = 'a random secret of this installation';
const key = 'sk-Loopback0123456789key';

test('returns a keyed hash of a key, the same at every start', async () => {
  const fingerprint = await keyFingerprint(async () => secret)(key);
  assert.match(fingerprint, /^[0-9a-f]{32}$/);
  assert.equal(fingerprint, await keyFingerprint(async () => secret)(key));
  assert.equal(fingerprint, createHmac('sha256', secret).update(key).digest('hex').slice(0, 32));
});

test('differs for another key or another secret, and is not a plain hash', async () => {
  const fingerprintOf = keyFingerprint(async () => secret);
  const all = [
    await fingerprintOf(key),
    await fingerprintOf(`${key}x`),
    await fingerprintOf(key.toLowerCase()),
    await keyFingerprint(async () => `${secret}2`)(key),
    createHash('sha256').update(key).digest('hex').slice(0, 32),
    createHmac('sha256', '').update(key).digest('hex').slice(0, 32),
  ];
  assert.equal(new Set(all).size, all.length);
});
