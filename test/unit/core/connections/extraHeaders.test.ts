import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkHeader, headerLimits, readExtraHeaders } from '../../../../src/core/connections/extraHeaders.ts';
import { anyCharacter } from '../../propertyRuns.ts';

for (const [name, value] of [
  ['X-Title', 'Ask Model'],
  ['HTTP-Referer', 'https://team.example/page?x=1'],
  ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)'],
  ['x-team', 'a\tb; c="d", {}~'],
  ['x-trace', '0af7651916cd43dd8448eb211c80319c'],
  ["!#$%&'*+-.^_`|~09az", 'x'],
  ['x-long', 'v'.repeat(headerLimits.value)],
  ['cf-access-client-id', 'abc.access'],
  ['x-monkey', 'x'],
] as const) {
  test(`accepts ${name}`, () => assert.equal(checkHeader(name, value), undefined));
}

for (const [name, value, reason] of [
  ['', 'x', /letters, digits/],
  [' ', 'x', /letters, digits, and hyphens/],
  ['x title', 'x', /letters, digits/],
  ['x\r\nhost', 'x', /letters, digits/],
  ['é', 'x', /letters, digits/],
  ['x\u0000', 'x', /letters, digits/],
  ['n'.repeat(101), 'x', /letters, digits/],
  [':authority', 'x', /letters, digits/],
  ['sk-Abc_0123456789', 'x', /can't be set here. Keys/],
  ...[
    'Authorization',
    'proxy-authorization',
    'Cookie',
    'X-Api-Key',
    'x-auth-token',
    'cf-access-client-secret',
    'ocp-apim-subscription-key',
    'password',
    'idempotency-key',
  ].map((name) => [name, 'HIDDEN', /belong in secret storage/] as const),
  ...[
    'anthropic-version',
    'X-HTTP-Method-Override',
    'Host',
    'connection',
    'Upgrade',
    'TE',
    'Transfer-Encoding',
    'expect',
    'proxy-connection',
    'Content-Length',
    'content-type',
    'Accept',
    'range',
    'sec-fetch-mode',
  ].map((name) => [name, 'HIDDEN', /would change how requests are sent/] as const),
  ['x-a', '', /must be one line/],
  ['x-a', 'HIDDEN\r\nhost: evil', /one line of at most 4,096 ASCII/],
  ['x-a', '\rHIDDEN', /one line/],
  ['x-a', 'HIDDEN\u0000', /one line/],
  ['x-a', 'HIDDÉN', /one line/],
  ['x-a', 'HIDDEN\ud800', /one line/],
  ['x-a', `HIDDEN${'v'.repeat(4_096)}`, /at most 4,096/],
  ['x-a', 'sk-HIDDEN0123456789', /can't be set here. Keys/],
  ['x-a', 'Bearer HIDDEN0123', /can't be set here. Keys/],
  ['x-a', 'team AIzaHIDDEN0123456789abcdef', /can't be set here. Keys/],
] as const) {
  test(`refuses ${JSON.stringify(name.slice(0, 30))} with ${JSON.stringify(value.slice(0, 30))}`, () => {
    const problem = checkHeader(name, value) ?? '';
    assert.match(problem, reason);
    assert.doesNotMatch(problem, /HIDD|evil|undefined/);
  });
}

test('reads valid headers with names in lower case, and reports the others', () => {
  const { headers, problems } = readExtraHeaders({
    'X-Team': ' blue ',
    'x-number': 5,
    authorization: 'Bearer HIDDEN0123',
    'bad name': 'HIDDEN',
    'user-agent': 'curl/8',
    'sk-HIDDEN0123456789': 7,
  });
  assert.deepEqual({ ...headers }, { 'x-team': 'blue', 'user-agent': 'curl/8' });
  assert.deepEqual(problems, [
    'The value of the header x-number must be text.',
    "The header authorization can't be set here. Keys belong in secret storage, because settings are plain text.",
    'Use only letters, digits, and hyphens in a header name.',
    'The value of the header [key] must be text.',
  ]);
});

test('reads a missing setting as no headers, and reports a value that is not a record', () => {
  assert.deepEqual(readExtraHeaders(undefined).problems, []);
  assert.deepEqual(Object.keys(readExtraHeaders({}).headers), []);
  for (const value of [null, 5, 'x-a: b', ['x-a'], true]) {
    const { headers, problems } = readExtraHeaders(value);
    assert.deepEqual([Object.keys(headers), problems.length], [[], 1]);
  }
});

test('accepts only headers that fetch accepts, and never the key’s header', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 30 });
  const name = fc.oneof(text, fc.constantFrom('Authorization', 'x-a', 'HOST', 'Cookie', 'content-length', 'sec-x'));
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(name, fc.oneof(text, fc.anything())), fc.anything()), (value) => {
      const { headers } = readExtraHeaders(value);
      const sent = new Headers(Object.entries(headers));
      for (const each of ['authorization', 'cookie', 'host', 'content-length', 'sec-x']) {
        assert.equal(sent.has(each), false);
      }
      for (const [each, one] of Object.entries(headers)) {
        assert.equal(each, each.toLowerCase());
        assert.equal(sent.get(each), one);
      }
    }),
  );
});
