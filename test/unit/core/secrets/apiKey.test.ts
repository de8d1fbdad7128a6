import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cleanApiKey } from '../../../../src/core/secrets/apiKey.ts';
import { anyCharacter, runs } from '../../propertyRuns.ts';
import { leastCpuMs } from '../base/cpuMs.ts';

const key = 'sk-AbC_123.def~ghi';

for (const pasted of [
  key,
  ` ${key} `,
  `${key}\n`,
  `\r\n\t${key}\r\n`,
  `"${key}"`,
  `'${key}'`,
  `\`${key}\``,
  `Bearer ${key}`,
  `bearer   ${key}`,
  `BEARER\t${key}`,
  `Authorization: Bearer ${key}`,
  `authorization:bearer ${key}`,
  `"Bearer ${key}"`,
  `Bearer "${key}"`,
  ` " Bearer ' ${key} ' " `,
  `\ufeff${key}`,
  `\u00a0${key}\u00a0`,
  `\u200b${key}\u200b`,
  `\u202a${key}\u202c\n`,
  `Bearer Bearer ${key}`,
  `Bearer bearer "BEARER ${key}"`,
  `Authorization: "Bearer ${key}"`,
  `Authorization: ${key}`,
  `"Authorization": "Bearer ${key}",`,
  `'Authorization': 'Bearer ${key}'`,
  `-H "Authorization: Bearer ${key}"`,
  `--header 'authorization: bearer ${key}'`,
  `x-api-key: ${key}`,
  `api-key:${key}`,
  `OPENAI_API_KEY=${key}`,
  `OPENAI_API_KEY="${key}"`,
  `export OPENAI_API_KEY=${key}`,
  `export OPENAI_API_KEY='${key}'`,
  `set GATEWAY_TOKEN=${key}`,
  `$env:OPENAI_API_KEY = "${key}"`,
  `GATEWAY_SECRET: ${key}`,
  `key=${key}`,
  `key: ${key}`,
  `"key": "${key}"`,
  `API key: ${key}`,
  `apiKey = "${key}";`,
  `密钥：${key}`,
  `令牌: ${key}`,
]) {
  test(`Q87 extracts the key from ${JSON.stringify(pasted)}`, () => {
    assert.deepEqual(cleanApiKey(pasted), { ok: true, value: key });
  });
}

for (const [pasted, reason] of [
  ['', /Paste the key/],
  ['  \n', /Paste the key/],
  ['""', /Paste the key/],
  ['Bearer', /Paste the key/],
  ['Bearer ', /Paste the key/],
  ['"Bearer "', /Paste the key/],
  ['sk-HIDDEN\nX-Evil: 1', /line break/],
  ['sk-HIDDEN\r\nX-Evil: 1', /line break/],
  ['sk-HID\u0000DEN', /control character/],
  ['sk-HIDDEN\u007f', /control character/],
  ['sk-HIDDEN other', /contains a space/],
  ['sk-HIDDEN\u00a0other', /contains a space/],
  ['sk-HID\u200bDEN', /isn't ASCII/],
  ['sk-HIDDÉN', /isn't ASCII/],
  ['“sk-HIDDEN”', /isn't ASCII/],
  ['ｓｋ-HIDDEN', /isn't ASCII/],
  ['密钥HIDDEN', /isn't ASCII/],
  [`sk-HIDDEN${'x'.repeat(4_100)}`, /isn't one key/],
  ['sk-HID**********DEN', /middle of this key is hidden/],
  ['sk-HID…DEN', /middle of this key is hidden/],
  ['sk-HID...DEN', /middle of this key is hidden/],
  ['sk-HID••••', /middle of this key is hidden/],
  ['https://HIDDEN.example/v1', /isn't one key/],
  ['https://gateway.example/v1?key=sk-HIDDEN0123', /isn't one key/],
  ['$HIDDEN_API_KEY', /is a placeholder/],
  [`Bearer $\{HIDDEN}`, /is a placeholder/],
  ['$env:HIDDEN', /is a placeholder/],
  ['%HIDDEN_KEY%', /is a placeholder/],
  ['<HIDDEN_KEY>', /is a placeholder/],
  ['YOUR_API_KEY', /is a placeholder/],
  ['{HIDDEN}', /is a placeholder/],
  ['["sk-HIDDEN"]', /isn't one key/],
  ['{"key":"sk-HIDDEN"}', /isn't one key/],
  ['{\n  "key": "sk-HIDDEN"\n}', /isn't one key/],
  ['sk-HIDDEN1,sk-HIDDEN2', /isn't one key/],
  ['sk-HIDDEN1;sk-HIDDEN2', /isn't one key/],
  ['sk-HIDDEN1\nsk-HIDDEN2', /line break/],
  ['Basic dXNlcjpISURERU4=', /contains a space/],
  ['curl https://gateway.example -d HIDDEN', /contains a space/],
  ['curl https://gateway.example -H "Authorization: Bearer HIDDEN"', /contains a space/],
  ['😀HIDDEN', /isn't ASCII/],
  ['\ud800HIDDEN', /isn't ASCII/],
] as const) {
  test(`Q87 refuses ${JSON.stringify(pasted.slice(0, 40))} without repeating it`, () => {
    const result = cleanApiKey(pasted);
    assert.ok(!result.ok);
    assert.match(result.reason, reason);
    assert.doesNotMatch(result.reason, /HID|Evil/);
  });
}

test('accepts keys of any length and prefix, because their format is not documented', () => {
  for (const each of ['a', 'sk-or-v1-0123', 'gsk_x', 'AIzaSy-x', '0'.repeat(64), 'Bearerish', "it's"]) {
    assert.deepEqual(cleanApiKey(each), { ok: true, value: each });
  }
});

/** What is copied with a key, or breaks a header. */
const fragments = [
  '\r\nHost: evil',
  'Bearer ',
  'Authorization: ',
  'Basic ',
  'export X_KEY=',
  'key=',
  '{"key":"',
  '"}',
  'https://',
  'curl -H "',
  'Set-Cookie: a=b',
];
const marks = [...'"\'`“;,.=:\\{}()<>$#*…& \t\v\r\n\u0000\u001b\u007f\u0085\u00a0\u00ad\u200b\u2028\u202e\ufeff'];
const fragment = fc.oneof(
  fc.constantFrom(...fragments),
  fc.constantFrom(...marks),
  fc.string({ unit: anyCharacter, maxLength: 3 }),
);

test('Q87 extracts a header value from a key with anything around or inside it, or refuses it without repeating it', () => {
  fc.assert(
    fc.property(fragment, fragment, fragment, (before, inside, after) => {
      const pasted = `${before}SeC${inside}rEt0${after}`;
      const result = cleanApiKey(pasted);
      if (result.ok) {
        assert.match(result.value, /^[\x21-\x7e]+$/);
        assert.doesNotThrow(() => new Headers({ authorization: `Bearer ${result.value}` }));
        assert.ok(pasted.includes(result.value) && result.value.includes('rEt0'));
        assert.deepEqual(cleanApiKey(result.value), result);
      } else {
        assert.doesNotMatch(result.reason, /SeC|rEt0|evil|Cookie/);
        assert.match(result.reason, /^[A-Z][^\n]{15,160}[.]$/);
      }
    }),
    { numRuns: 30 * runs },
  );
});

test('keeps the padding of base64 and the punctuation inside a key', () => {
  for (const each of [
    'c2VjcmV0LWtleQ==',
    'abc=',
    'key==',
    'a:b',
    'a=b',
    'a,b',
    'monkey',
    'tokenish',
    'a"b',
    'k'.repeat(4_096),
  ]) {
    assert.deepEqual(cleanApiKey(each), { ok: true, value: each });
  }
});

test('handles a megabyte from the clipboard without delay', () => {
  const units = [
    'a',
    ' ',
    '"',
    '\'"',
    '\n',
    '\u200b',
    'Bearer ',
    'key=',
    '{',
    '{"key":',
    '\u00e9',
    'sk-a,',
    '*',
    'Authorization: ',
    'export ',
    '$',
    '<',
    'a ',
  ];
  cleanApiKey('warm');
  for (const unit of units) {
    for (const size of [1_000_000, 16_000]) {
      const pasted = unit.repeat(size / unit.length);
      const ms = leastCpuMs(60, () => {
        for (const text of [pasted, `x${pasted}x`]) {
          const result = cleanApiKey(text);
          assert.ok(!result.ok || result.value.length <= 4_096);
        }
      });
      assert.ok(ms < 60, `${JSON.stringify(unit)} of ${size}: ${ms} ms`);
    }
  }
});
