import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cleanApiKey } from '../../../../src/core/secrets/apiKey.ts';
import { cpuMs } from '../base/cpuMs.ts';

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
  `{"key":"${key}"}`,
  ` {"name":"work","api_key":"${key}","quota":5} `,
  `{"apiKey": "Bearer ${key}"}`,
  `{"OPENAI_API_KEY":"${key}","OPENAI_BASE_URL":"https://gateway.example"}`,
  `curl https://gateway.example/v1/models -H "Authorization: Bearer ${key}"`,
  `$ curl https://gateway.example/v1/models \\\n  -H 'Authorization: Bearer ${key}' \\\n  -d '{"model":"m"}'`,
  `curl -H "Authorization: Bearer ${key}" https://a.example; curl -H "Authorization: Bearer ${key}" https://b.example`,
]) {
  test(`Q87 takes the key out of ${JSON.stringify(pasted)}`, () => {
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
  ['sk-HIDDEN\nX-Evil: 1', /more than one line/],
  ['sk-HIDDEN\r\nX-Evil: 1', /more than one line/],
  ['sk-HID\u0000DEN', /control character/],
  ['sk-HIDDEN\u007f', /control character/],
  ['sk-HIDDEN other', /blank inside/],
  ['sk-HIDDEN\u00a0other', /blank inside/],
  ['sk-HID\u200bDEN', /plain ASCII/],
  ['sk-HIDDÉN', /plain ASCII/],
  ['“sk-HIDDEN”', /plain ASCII/],
  ['ｓｋ-HIDDEN', /plain ASCII/],
  ['密钥HIDDEN', /plain ASCII/],
  [`sk-HIDDEN${'x'.repeat(4_100)}`, /too long/],
  ['sk-HID**********DEN', /middle hidden/],
  ['sk-HID…DEN', /middle hidden/],
  ['sk-HID...DEN', /middle hidden/],
  ['sk-HID••••', /middle hidden/],
  ['https://HIDDEN.example/v1', /an address/],
  ['https://gateway.example/v1?key=sk-HIDDEN0123', /an address/],
  ['$HIDDEN_API_KEY', /stands for a key/],
  [`Bearer $\{HIDDEN}`, /stands for a key/],
  ['$env:HIDDEN', /stands for a key/],
  ['%HIDDEN_KEY%', /stands for a key/],
  ['<HIDDEN_KEY>', /stands for a key/],
  ['YOUR_API_KEY', /stands for a key/],
  ['{"HIDDEN":1}', /stands for a key/],
  ['["sk-HIDDEN"]', /stands for a key/],
  ['{"key":"sk-HIDDEN1","token":"sk-HIDDEN2"}', /stands for a key/],
  ['sk-HIDDEN1,sk-HIDDEN2', /two keys/],
  ['sk-HIDDEN1;sk-HIDDEN2', /two keys/],
  ['sk-HIDDEN1\nsk-HIDDEN2', /more than one line/],
  ['Basic dXNlcjpISURERU4=', /blank inside/],
  ['curl https://gateway.example -d HIDDEN', /blank inside/],
  ['curl -H "Authorization: Bearer HIDDEN1" x -H "Authorization: Bearer HIDDEN2"', /blank inside/],
  ['😀HIDDEN', /plain ASCII/],
  ['\ud800HIDDEN', /plain ASCII/],
] as const) {
  test(`Q87 refuses ${JSON.stringify(pasted.slice(0, 40))} without repeating it`, () => {
    const result = cleanApiKey(pasted);
    assert.ok(!result.ok);
    assert.match(result.reason, reason);
    assert.doesNotMatch(result.reason, /HID|Evil/);
  });
}

test('keeps keys of any length and prefix, because the format is not shown', () => {
  for (const each of ['a', 'sk-or-v1-0123', 'gsk_x', 'AIzaSy-x', '0'.repeat(64), 'Bearerish', "it's"]) {
    assert.deepEqual(cleanApiKey(each), { ok: true, value: each });
  }
});

test('Q87 lets through nothing that could not be a header value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (pasted) => {
      const result = cleanApiKey(pasted);
      if (result.ok) {
        assert.match(result.value, /^[\x21-\x7e]+$/);
        assert.deepEqual(cleanApiKey(result.value), result);
      }
    }),
    { numRuns: 3_000 },
  );
});

/** What a clipboard may hold, put around a key, in front of it, behind it and inside. */
const junk = [
  '\r\nHost: evil',
  '\r',
  '\n',
  '\n\n',
  '\r\n',
  '\t',
  '\v',
  '\f',
  '\u0000',
  '\u0001',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u00ad',
  '\u200b',
  '\u200d',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2060',
  '\u3000',
  '\ufeff',
  '\ufffd',
  '\ud83d',
  '\udc00',
  '"',
  "'",
  '`',
  '"\'',
  '""',
  "'''",
  '“',
  '”',
  '«',
  'é',
  'ß',
  '密',
  '🔑',
  'а',
  'Ｋ',
  ' ',
  ', ',
  ';',
  '=',
  '==',
  ':',
  ': ',
  '\\',
  '\\n',
  '%0d%0a',
  '\\r\\n',
  '&#10;',
  'Bearer ',
  'Bearer Bearer ',
  'Authorization: ',
  'authorization:bearer ',
  'Basic ',
  'export X_KEY=',
  'key=',
  '{"key":"',
  '"}',
  '{',
  '}',
  '<key>',
  '</key>',
  '<!--',
  '$(',
  ')',
  '`id`',
  '../',
  'https://',
  '?key=',
  '#',
  '***',
  '…',
  'x-api-key: ',
  'curl -H "',
  'Set-Cookie: a=b',
  '\t\tX: y',
];
const around = (piece: string): string[] => [
  `${piece}SeCrEt0`,
  `SeCrEt0${piece}`,
  `SeC${piece}rEt0`,
  `${piece}SeCrEt0${piece}`,
];
const hostile = junk.flatMap(around);

test(`Q87 makes a header value of each of ${hostile.length} hostile texts, or refuses it without a word of it`, () => {
  assert.ok(hostile.length >= 200);
  for (const pasted of hostile) {
    const result = cleanApiKey(pasted);
    if (result.ok) {
      assert.match(result.value, /^[\x21-\x7e]+$/, JSON.stringify(pasted));
      assert.doesNotThrow(() => new Headers({ authorization: `Bearer ${result.value}` }));
      assert.ok(pasted.includes(result.value) && result.value.includes('rEt0'), JSON.stringify(pasted));
      assert.deepEqual(cleanApiKey(result.value), result);
    } else {
      assert.doesNotMatch(result.reason, /SeC|rEt0|evil|Cookie/, JSON.stringify(pasted));
      assert.match(result.reason, /^[A-Z][^\n]{15,160}[.]$/);
    }
  }
});

test('keeps what belongs to a key: the end of base64, and marks inside', () => {
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

test('a megabyte on the clipboard is answered at once', () => {
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
      const ms = cpuMs(() => {
        for (const text of [pasted, `x${pasted}x`]) {
          const result = cleanApiKey(text);
          assert.ok(!result.ok || result.value.length <= 4_096);
        }
      });
      assert.ok(ms < 60, `${JSON.stringify(unit)} of ${size}: ${ms} ms`);
    }
  }
});
