import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { parseBaseUrl } from '../../../../src/core/connections/baseUrl.ts';
import { describeHost } from '../../../../src/core/network/hostName.ts';

/** Q65: each looks like another name, or holds letters that are not what they look like. */
for (const [host, why] of [
  ['аpple.example', 'a Cyrillic а'],
  ['pаypal.example', 'a Cyrillic а inside'],
  ['аррӏе.example', 'Cyrillic letters alone, all of them lookalikes'],
  ['ехе.example', 'Cyrillic lookalikes'],
  ['οpenai.example', 'a Greek omicron'],
  ['ορ.example', 'Greek lookalikes'],
  ['օрen.example', 'Armenian, Cyrillic and Latin'],
  ['ɡateway.example', 'the script g'],
  ['gatewaу.example', 'a Cyrillic у'],
  ['gạteway.example', 'a dot below'],
  ['gateẉay.example', 'a dot below w'],
  ['łocal.example', 'a stroke'],
  ['gıthub.example', 'a dotless i'],
  ['日本aр.example', 'Cyrillic beside Japanese'],
  ['api.gаteway.example', 'in one label of three'],
] as const) {
  test(`Q65 warns of ${host}: ${why}`, () => {
    const ascii = new URL(`https://${host}`).hostname;
    const { asciiHost, unicodeHost, warning } = describeHost(ascii);
    assert.deepEqual([asciiHost, unicodeHost], [ascii, host]);
    assert.match(asciiHost, /xn--/);
    assert.ok(warning?.includes(asciiHost) && warning.includes(unicodeHost), warning);
  });
}

for (const host of [
  'gateway.example',
  'a-b.gateway.example',
  'münchen.example',
  'café.example',
  'faß.example',
  '例え.example',
  'ひらカナ漢字abc.example',
  '한국abc.example',
  '中国.example',
  '中国abc.example',
  'пример.example',
  'παράδειγμα.example',
  'דוגמה.example',
  'مثال.example',
  'ไทย.example',
  'उदाहरण.example',
  'col·lecció.example',
  '[::1]',
  '127.0.0.1',
]) {
  test(`says nothing against ${host}`, () => {
    const { unicodeHost, warning } = describeHost(new URL(`https://${host}`).hostname);
    assert.deepEqual([unicodeHost, warning], [host, undefined]);
  });
}

test('a base address knows both spellings of its host', () => {
  const result = parseBaseUrl('https://Gаteway.example:8443/v1');
  assert.ok(result.ok);
  const { asciiHost, unicodeHost, warning, base } = result.value;
  assert.deepEqual(
    [asciiHost, unicodeHost, base],
    ['xn--gteway-3nf.example', 'gаteway.example', 'https://xn--gteway-3nf.example:8443/v1'],
  );
  assert.match(warning ?? '', /xn--gteway-3nf\.example/);
  const plain = parseBaseUrl('gateway.example');
  assert.ok(plain.ok && !('warning' in plain.value));
});

test('takes no punycode for none', () => {
  for (const label of ['xn--a-é', 'xn--99999999', 'xn--zzzzzzzzzzzz']) {
    assert.equal(describeHost(label).unicodeHost, label);
  }
});

test('decodes what Node decodes, for every host that a URL can have', () => {
  const label = fc.string({ unit: fc.constantFrom(...'abz09éßаяωא日本語ไ한\u0301'), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(label, (text) => {
      const url = URL.canParse(`https://${text}.example`) ? new URL(`https://${text}.example`) : undefined;
      if (url !== undefined) {
        assert.equal(describeHost(url.hostname).unicodeHost, domainToUnicode(url.hostname));
      }
    }),
    { numRuns: 2_000 },
  );
});
