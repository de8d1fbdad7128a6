import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkHeader, headerLimits, readExtraHeaders } from '../../../../src/core/connections/extraHeaders.ts';

for (const [name, value] of [
  ['x-title', 'Ask Model'],
  ['X-Title', 'Ask Model'],
  ['HTTP-Referer', 'https://team.example/page?x=1'],
  ['OpenAI-Organization', 'org-AbCdEf0123'],
  ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)'],
  ['x-team', 'a\tb; c="d", {}~'],
  ['x-trace', '0af7651916cd43dd8448eb211c80319c'],
  ["!#$%&'*+-.^_`|~09az", 'x'],
  ['x-long', 'v'.repeat(headerLimits.value)],
  ['accept-language', 'en, zh;q=0.5'],
  ['cf-access-client-id', 'abc.access'],
  ['x-monkey', 'x'],
  ['tenant', 'blue'],
] as const) {
  test(`takes ${name}`, () => assert.equal(checkHeader(name, value), undefined));
}

for (const [name, value, reason] of [
  ['', 'x', /needs a name/],
  [' ', 'x', /letters, digits and hyphens/],
  ['x title', 'x', /letters, digits/],
  ['x:title', 'x', /letters, digits/],
  ['x\r\nhost', 'x', /letters, digits/],
  ['é', 'x', /letters, digits/],
  ['名', 'x', /letters, digits/],
  ['x\u0000', 'x', /letters, digits/],
  ['x(', 'x', /letters, digits/],
  ['n'.repeat(101), 'x', /letters, digits/],
  [':authority', 'x', /begin with a colon/],
  [':path', 'x', /begin with a colon/],
  ['sk-Abc_0123456789', 'x', /name looks like a key/],
  ...[
    'Authorization',
    'proxy-authorization',
    'Cookie',
    'set-cookie',
    'X-Api-Key',
    'api-key',
    'apikey',
    'x-goog-api-key',
    'x-auth-token',
    'cf-access-client-secret',
    'ocp-apim-subscription-key',
    'x_secret',
    'password',
    'idempotency-key',
  ].map((name) => [name, 'HIDDEN', /belongs in secret storage|settings are plain text/] as const),
  ['anthropic-version', '2023-06-01', /in another form/],
  ['X-HTTP-Method-Override', 'GET', /another one/],
  ...[
    'Host',
    'connection',
    'keep-alive',
    'Upgrade',
    'TE',
    'trailer',
    'Transfer-Encoding',
    'expect',
    'proxy-connection',
    'http2-settings',
  ].map((name) => [name, 'HIDDEN', /belongs to the connection/] as const),
  ...['Content-Length', 'content-type', 'content-encoding'].map((name) => [name, 'HIDDEN', /request’s body/] as const),
  ...['Accept', 'accept-encoding', 'range'].map((name) => [name, 'HIDDEN', /can be read/] as const),
  ...['sec-fetch-mode', 'Sec-CH-UA'].map((name) => [name, 'HIDDEN', /only browsers/] as const),
  ['x-a', '', /needs a value/],
  ['x-a', ' \t ', /needs a value/],
  ['x-a', 'HIDDEN\r\nhost: evil', /one line of plain ASCII/],
  ['x-a', 'HIDDEN\n', /one line/],
  ['x-a', '\rHIDDEN', /one line/],
  ['x-a', 'HIDDEN\u0000', /one line/],
  ['x-a', 'HIDDEN\u007f', /one line/],
  ['x-a', 'HIDDÉN', /one line/],
  ['x-a', 'HIDDEN密', /one line/],
  ['x-a', 'HIDDEN\ud800', /one line/],
  ['x-a', `HIDDEN${'v'.repeat(4_096)}`, /more than 4096/],
  ['x-a', 'sk-HIDDEN0123456789', /looks like a key/],
  ['x-a', 'Bearer HIDDEN0123', /looks like a key/],
  ['x-a', 'team AIzaHIDDEN0123456789abcdef', /looks like a key/],
] as const) {
  test(`refuses ${JSON.stringify(name.slice(0, 30))} with ${JSON.stringify(value.slice(0, 30))}`, () => {
    const problem = checkHeader(name, value) ?? '';
    assert.match(problem, reason);
    assert.doesNotMatch(problem, /HIDD|evil|undefined/);
  });
}

test('reads what is good, with names in lower case, and names what is not', () => {
  const { headers, problems } = readExtraHeaders({
    'X-Team': ' blue ',
    'x-number': 5,
    authorization: 'Bearer HIDDEN0123',
    'x-team': 'red',
    'bad name': 'HIDDEN',
    'user-agent': 'curl/8',
    'sk-HIDDEN0123456789': 7,
  });
  assert.deepEqual({ ...headers }, { 'x-team': 'blue', 'user-agent': 'curl/8' });
  assert.deepEqual(problems, [
    'The value of the header x-number is no text.',
    'The header authorization can not be set here: a key belongs in secret storage, because settings are plain text.',
    'The header x-team is there twice.',
    'A header’s name is made of letters, digits and hyphens.',
    'The value of the header [key] is no text.',
  ]);
});

test('takes nothing for no headers, and names what is no record', () => {
  assert.deepEqual(readExtraHeaders(undefined).problems, []);
  assert.deepEqual(Object.keys(readExtraHeaders({}).headers), []);
  for (const value of [null, 5, 'x-a: b', ['x-a'], true]) {
    const { headers, problems } = readExtraHeaders(value);
    assert.deepEqual([Object.keys(headers), problems.length], [[], 1]);
  }
});

test('takes twenty and says that there were more', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'v']));
  const { headers, problems } = readExtraHeaders(many);
  assert.equal(Object.keys(headers).length, 20);
  assert.deepEqual(problems, ['There are more than 20 extra headers; the others are left out.']);
});

test('a name that every object has is a name like any other, and nothing without being set', () => {
  const { headers, problems } = readExtraHeaders(JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}'));
  assert.deepEqual(Object.entries(headers), [
    ['__proto__', 'a'],
    ['constructor', 'b'],
    ['tostring', 'c'],
  ]);
  assert.deepEqual(problems, []);
  assert.equal(Object.getPrototypeOf(headers), null);
  assert.equal(readExtraHeaders({}).headers.constructor, undefined);
  assert.equal(({} as Record<string, unknown>).a, undefined);
});

test('whatever it takes, fetch takes too, and it never holds the key’s header', () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 });
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
    { numRuns: 3_000 },
  );
});
