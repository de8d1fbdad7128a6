import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import { keyFingerprint } from '../../../../src/node/system/keyFingerprint.ts';

const secret = 'a random secret of this installation';
const key = 'sk-Loopback0123456789key';

test('names a key by a keyed hash, the same at every start', async () => {
  const fingerprint = await keyFingerprint(async () => secret)(key);
  assert.match(fingerprint, /^[0-9a-f]{32}$/);
  assert.equal(fingerprint, await keyFingerprint(async () => secret)(key));
  assert.equal(fingerprint, createHmac('sha256', secret).update(key).digest('hex').slice(0, 32));
});

test('is another one for another key and under another secret, and no plain hash', async () => {
  const name = keyFingerprint(async () => secret);
  const all = [
    await name(key),
    await name(`${key}x`),
    await name(key.toLowerCase()),
    await keyFingerprint(async () => `${secret}2`)(key),
    createHash('sha256').update(key).digest('hex').slice(0, 32),
    createHmac('sha256', '').update(key).digest('hex').slice(0, 32),
  ];
  assert.equal(new Set(all).size, all.length);
});

test('asks for the secret once, and again after it could not be had', async () => {
  const answers = [() => Promise.reject(new Error('locked')), async () => '', async () => secret];
  let asked = 0;
  const name = keyFingerprint(() => answers[asked++]?.() ?? Promise.reject(new Error('asked too often')));
  await assert.rejects(name(key), /locked/);
  await assert.rejects(name(key), /missing or too short/);
  const [one, other] = await Promise.all([name(key), name(key)]);
  assert.equal(one, other);
  assert.equal(await name(key), one);
  assert.equal(asked, 3);
});
