import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSecret } from '../../../../src/core/secrets/keyRemover.ts';
import { holdsKey, isKeyShaped, redact } from '../../../../src/core/secrets/redact.ts';
import { anyCharacter, runs } from '../../propertyRuns.ts';
import { leastCpuMs } from '../base/cpuMs.ts';

const key = 'Zq9+weird/key=="x"';

test('Q57 removes the key as it is, in a URL, in JSON and in upper case', () => {
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

test('Q57 removes what is shaped like a key, even when it is partly masked', () => {
  for (const [text, shown] of [
    ['TokenStatusExhausted[sk-abc***xyz]', 'TokenStatusExhausted[[key]]'],
    ['Incorrect API key provided: sk-proj-Abc_12345.', 'Incorrect API key provided: [key]'],
    ['key gsk_ABCDEF123 is disabled', 'key [key] is disabled'],
    ['SK-ABCDEF123456', '[key]'],
    ['Authorization: Bearer abcdef.ghi-jkl', 'Authorization: Bearer [key]'],
    ['authorization: bearer AIzaSyX_0123', 'authorization: bearer [key]'],
    ['[sk-abc***xyz] 该令牌额度已用尽', '[[key]] 该令牌额度已用尽'],
    ['wrong key sk-ab…yz', 'wrong key [key]'],
    ['wrong key sk-ab...yz', 'wrong key [key]'],
    ['sk-…', '[key]'],
    ['sk-ab••••••yz', '[key]'],
    ['sk_live_0123456789', '[key]'],
    ['AIzaSyA0123456789abcdefghijkl', '[key]'],
    ['with hf_AbCdEfGhIjKlMnOpQrSt.', 'with [key].'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-x_y', '[key]'],
    ['GET /v1/models?key=abc&limit=5', 'GET /v1/models?key=[key]&limit=5'],
    ['https://a.example/?limit=5&api_key=abc#top', 'https://a.example/?limit=5&api_key=[key]#top'],
    ['https://a.example/?access_token=abc"', 'https://a.example/?access_token=[key]"'],
    ['<a href="?a=1&amp;key=abc">', '<a href="?a=1&amp;key=[key]">'],
    ['{"api_key":"abcdef0123"}', '{"api_key":"[key]"}'],
    ['x-api-key: abcdef0123', 'x-api-key: [key]'],
    ['X-Goog-Api-Key = abcdef0123, next', 'X-Goog-Api-Key = [key], next'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [key]'],
    ['Bearer%20abc-def-0123', 'Bearer%20[key]'],
  ] as const) {
    assert.equal(redact(text), shown);
    assert.equal(redact(shown), shown);
  }
});

test('Q57 removes the key inside base64 at any offset', () => {
  const known = 'a1B2c3D4e5F6g7H8';
  for (const before of ['', 'Bearer ', 'a', 'ab', 'abc', 'user:', '{"key":"']) {
    for (const behind of ['', '"}', 'x']) {
      for (const alphabet of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(before + known + behind).toString(alphabet);
        const shown = redact(`<${encoded}>`, [known]);
        assert.match(shown, /\[key\]/, `${before}|${behind}`);
        const left = shown.replace(/<|>|\[key\].*/g, '');
        assert.doesNotMatch(Buffer.from(left, 'base64').toString(), /a1B/, shown);
      }
    }
  }
});

test('distinguishes keys from names and words', () => {
  for (const text of [
    'sk-Abc_0123456789',
    'gsk_0123456789abcdef',
    'AIzaSyA0123456789abcdefghijkl',
    'sk-ant-api03-a.b-c_d',
  ]) {
    assert.equal(isKeyShaped(text), true, text);
  }
  for (const text of [
    '',
    'sk-',
    'sk-learn',
    'pk-gateway',
    'gateway.example',
    'a sk-Abc_0123456789',
    'Mozilla/5.0',
    'org-AbCdEf0123',
  ]) {
    assert.equal(isKeyShaped(text), false, text);
  }
  assert.equal(holdsKey('team sk-Abc_0123456789 blue'), true);
  assert.equal(holdsKey('team blue'), false);
});

test('leaves ordinary words unchanged', () => {
  for (const text of [
    'ask-model-please',
    'The risk-free task',
    'bearer token',
    'model gpt-4.1-mini not found',
    'sk-',
    '请求数限制',
    'Bearer authentication is required.',
    'Basic authentication required',
    'The key: expired',
    'Invalid API key: unauthorized',
    'an API key = a secret',
    'the key is **bold**',
    'see *this* and **that**…',
    'wait...',
    'token limit: 4096 tokens',
    'need quota: 100, user quota: 5',
    'request id: 20251101123456789',
    'monkey ** business',
    'https://a.example/?model=gpt-4.1&limit=5',
  ]) {
    assert.equal(redact(text, []), text);
  }
});

test('ignores secrets that are too short', () => {
  assert.equal(redact('a b c', ['', 'a', 'b']), 'a b c');
});

test('matches a key literally and not as a pattern', () => {
  assert.equal(redact('axxxb a.*b', ['a.*b']), 'axxxb [key]');
  assert.equal(redact('$& [a-z]+', ['[a-z]+']), '$& [key]');
});

const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  encodeURIComponent,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
];

test('Q57 removes the key from any text, as it is and as it is spelled in JSON and URLs', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 30 }), { minLength: 2 }),
      fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.~+/=$^*(){}|\\"\'&<>'), minLength: 6, maxLength: 60 }),
      fc.constantFrom(...encodings),
      (around, secret, spell) => {
        const shown = redact(around.join(spell(secret)), [secret]);
        assert.ok(isSecret(secret) && !shown.includes(secret) && !shown.includes(spell(secret)), shown);
      },
    ),
    { numRuns: 50 * runs },
  );
});

test('Q57 removes the base64 of any key', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.'), minLength: 12, maxLength: 60 }),
      fc.string({ maxLength: 9 }),
      fc.string({ maxLength: 9 }),
      (secret, before, behind) => {
        const shown = redact(Buffer.from(before + secret + behind).toString('base64'), [secret]);
        const left = Buffer.from(shown.split('[key]')[0] ?? '', 'base64').toString('latin1');
        assert.match(shown, /\[key\]/);
        assert.ok(!left.includes(secret.slice(0, 5)), shown);
      },
    ),
    { numRuns: 20 * runs },
  );
});

test('never throws, and is idempotent', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.string({ unit: anyCharacter, maxLength: 40 }),
      (text, secret) => {
        const once = redact(text);
        assert.equal(redact(once), once);
        assert.equal(typeof redact(text + secret + text, [secret]), 'string');
      },
    ),
    { numRuns: 30 * runs },
  );
  assert.equal(redact('a \ud800 b', ['\ud800\ud800\ud800\ud800']), 'a \ud800 b');
  assert.equal(redact(`x ${'k'.repeat(9_000)} y`, ['k'.repeat(9_000)]), 'x [key] y');
});

test('redacts a megabyte of any text quickly, and an ordinary message in a millisecond', () => {
  const known = 'sk-Fixture0123456789key';
  const units = [
    'a',
    ' ',
    '*',
    '…',
    '***a',
    'key ***a ',
    'sk-',
    'sk-a ',
    'bearer ',
    'bearer',
    'api_key',
    'api_key: ',
    '&key=',
    'eyJ',
    'eyJaaaaaaaa.',
    'AIza',
    known.slice(0, -1),
    'QmVhcmVyIHNr',
    '%73',
    '\\u0073',
    '=',
    ':',
    '"',
    'a1',
    'authorization: basic ',
  ];
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    const ms = leastCpuMs(1_500, () => redact(text, [known]));
    assert.ok(ms < 1_500, `${unit}: ${ms} ms`);
  }
  const ms = leastCpuMs(1_000, () => {
    for (let times = 0; times < 1_000; times++) {
      redact('This model is not open to the group of your key. (request id: 2026)', [known]);
    }
  });
  assert.ok(ms < 1_000, `${ms} ms`);
});
