import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cleanApiKey } from '../../../../src/core/gateway/apiKey.ts';

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
