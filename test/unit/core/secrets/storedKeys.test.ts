import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removedKey, StoredKeys } from '../../../../src/core/secrets/storedKeys.ts';
import { keyShapes, leakedPart, spellings } from './spelledKeys.ts';

function stored(...keys: readonly string[]): StoredKeys {
  const all = new StoredKeys();
  for (const key of keys) {
    all.add(key);
  }
  return all;
}

test('removes stored keys of every shape, in every spelling, with quotes around and inside', () => {
  const keys = stored(...keyShapes.map(({ key }) => key));
  for (const shape of keyShapes) {
    for (const { name, spell } of spellings) {
      const text = `before "${spell(shape.key)}" after`;
      // A shorter key is found in its whole length only, and base64 at an offset has no such length.
      if (shape.secret.length >= 16) {
        const clean = keys.without(text);
        assert.equal(leakedPart(shape, clean), undefined, `${shape.key} ${name}: ${clean}`);
        assert.match(clean, /^before ".*REMOVED_CONNECTION_KEY.*" after$/);
      }
    }
    assert.equal(keys.without(`key: '${shape.key}'`), `key: '${removedKey}'`);
  }
  const [{ key }] = keyShapes as [(typeof keyShapes)[number]];
  assert.equal(keys.without(`"${key.slice(0, 25)}" + "${key.slice(25)}"`), `"${removedKey}" + "${removedKey}"`);
});

test('finds a key that was added last, and nothing without keys', () => {
  const keys = stored();
  assert.equal(keys.without('use Zk7qPw2vTn9rXb4mLc8d'), 'use Zk7qPw2vTn9rXb4mLc8d');
  keys.add('Zk7qPw2vTn9rXb4mLc8d');
  assert.equal(keys.without('use Zk7qPw2vTn9rXb4mLc8d'), `use ${removedKey}`);
  keys.add('another-key');
  assert.equal(keys.without('another-key Zk7qPw2vTn9rXb4mLc8d'), `${removedKey} ${removedKey}`);
});

test('finds the keys of a long text in steps, wherever its blocks end', () => {
  const key = 'Zk7qPw2vTn9rXb4mLc8d';
  const keys = stored(key);
  for (let shift = 0; shift < 30; shift++) {
    const text = `${'x'.repeat(65_500 + shift)} ${key}, ${'line\n'.repeat(30_000)}${key}`;
    const steps = keys.removing(text);
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      count++;
    }
    assert.equal(step.value, text.replaceAll(key, removedKey));
    assert.ok(count >= text.length / 66_000, `${count} steps`);
  }
});

test('removes a short key only as a whole token, and never a plain word', () => {
  const keys = stored('data', 'Local', 'k3y+x', 'lm-9f2');
  const text = 'data = load("k3y+x", data); k3y+xyz, Locally, my-lm-9f2, K3Y+X';
  assert.equal(keys.without(`${text}\nlm-9f2`), `${text.replace('"k3y+x"', `"${removedKey}"`)}\n${removedKey}`);
});
