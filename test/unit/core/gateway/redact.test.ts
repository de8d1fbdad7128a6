import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { redact } from '../../../../src/core/gateway/redact.ts';

const key = 'Zq9+weird/key=="x"';

test('Q57 takes out the key as it is, in a URL, in JSON, in capitals', () => {
  for (const text of [
    `wrong key ${key}!`,
    `/v1/models?key=${encodeURIComponent(key)}`,
    JSON.stringify({ authorization: key }),
    `WRONG KEY ${key.toUpperCase()}`,
    key.toLowerCase() + key,
  ]) {
    const shown = redact(text, [key]);
    assert.match(shown, /\[key\]/);
    assert.doesNotMatch(shown, /weird/i, shown);
  }
});

test('Q57 takes out what is shaped like a key, part-masked ones too', () => {
  for (const [text, shown] of [
    ['TokenStatusExhausted[sk-abc***xyz]', 'TokenStatusExhausted[[key]]'],
    ['Incorrect API key provided: sk-proj-Abc_12345.', 'Incorrect API key provided: [key]'],
    ['key gsk_ABCDEF123 is disabled', 'key [key] is disabled'],
    ['SK-ABCDEF123456', '[key]'],
    ['Authorization: Bearer abcdef.ghi-jkl', 'Authorization: Bearer [key]'],
    ['authorization: bearer AIzaSyX_0123', 'authorization: bearer [key]'],
  ] as const) {
    assert.equal(redact(text), shown);
  }
});

test('leaves ordinary words alone', () => {
  for (const text of [
    'ask-model-please',
    'The risk-free task',
    'bearer token',
    'model gpt-4.1-mini not found',
    'sk-',
    '请求数限制',
  ]) {
    assert.equal(redact(text, []), text);
  }
});

test('does not blank out everything for a secret that is next to nothing', () => {
  assert.equal(redact('a b c', ['', 'a', 'b']), 'a b c');
});

test('takes a key for text and not for a pattern', () => {
  assert.equal(redact('axxxb a.*b', ['a.*b']), 'axxxb [key]');
  assert.equal(redact('$& [a-z]+', ['[a-z]+']), '$& [key]');
});

test('Q57 lets no body leak the key, in any case, wherever it stands', () => {
  const keyText = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.~+/=$^*(){}|\\"\''), minLength: 6, maxLength: 60 });
  const spelling = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    encodeURIComponent,
    (text) => JSON.stringify(text),
  );
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 30 })), keyText, spelling, (around, secret, spell) => {
      const shown = redact(around.join(spell(secret)), [secret]).toLowerCase();
      assert.ok(!shown.includes(secret.toLowerCase()), shown);
    }),
    { numRuns: 2_000 },
  );
});
