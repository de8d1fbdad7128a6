import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  defaultNetworkSettings,
  type Environment,
  type NetworkSettings,
} from '../../../../src/core/network/networkSettings.ts';
import { carriesInClear, chooseRoute } from '../../../../src/core/network/route.ts';

type Given = { url?: string; settings?: Partial<NetworkSettings>; environment?: Environment };

function choose({ url = 'https://api.example/v1', settings = {}, environment = {} }: Given) {
  return chooseRoute(url, { ...defaultNetworkSettings, ...settings }, environment);
}

/** The proxy's name, or the way, and what decided it. */
function told(given: Given): string {
  const choice = choose(given);
  return `${choice.way === 'proxy' ? choice.proxy.name : choice.way}: ${choice.because}`;
}

test('each setting and variable leads where VS Code and curl go', () => {
  const both = { http_proxy: 'http://h:1', HTTPS_PROXY: 'http://s:2', ALL_PROXY: 'http://a:3' };
  const rows: [Given, string][] = [
    [{}, 'direct: no proxy is set'],
    [{ settings: { proxy: 'http://p:3128' } }, 'p:3128: http.proxy'],
    [{ settings: { proxy: '  p:3128 ' } }, 'p:3128: http.proxy'],
    [{ settings: { proxy: 'https://p' } }, 'p:443: http.proxy'],
    [{ settings: { proxy: 'http://p/' } }, 'p:80: http.proxy'],
    [{ settings: { proxy: 'http://[::1]:3128' } }, '[::1]:3128: http.proxy'],
    [{ settings: { proxy: 'http://p:1' }, environment: both }, 'p:1: http.proxy'],
    [{ settings: { proxy: 'http://p:1', proxySupport: 'off' }, environment: both }, 'direct: http.proxySupport is off'],
    [{ settings: { proxy: 'http://p:1', proxySupport: 'on' } }, 'p:1: http.proxy'],
    [{ settings: { proxy: 'http://p:1', proxySupport: 'fallback' } }, 'p:1: http.proxy'],
    [{ environment: both }, 's:2: HTTPS_PROXY'],
    [{ environment: { ...both, https_proxy: 'l:9' } }, 'l:9: https_proxy'],
    [{ environment: both, url: 'http://api.example/v1' }, 'h:1: http_proxy'],
    [{ environment: { HTTP_PROXY: 'g:1' }, url: 'http://api.example/v1' }, 'g:1: HTTP_PROXY'],
    [{ environment: { HTTP_PROXY: 'g:1' } }, 'direct: no proxy is set'],
    [{ environment: { ALL_PROXY: 'a:3', HTTPS_PROXY: ' ' } }, 'a:3: ALL_PROXY'],
    [{ environment: { all_proxy: 'b:3', ALL_PROXY: 'a:3' }, url: 'http://api.example' }, 'b:3: all_proxy'],
    [
      { environment: { HTTP_PROXY: 'evil:1', REQUEST_METHOD: 'GET' }, url: 'http://api.example' },
      'direct: no proxy is set',
    ],
  ];
  for (const [given, expected] of rows) {
    assert.equal(told(given), expected, JSON.stringify(given));
  }
});

test('this machine is reached directly, whatever is set', () => {
  const settings = { proxy: 'http://p:1' };
  for (const host of [
    'localhost',
    'a.localhost',
    '127.0.0.1',
    '127.8.8.8',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
  ]) {
    assert.equal(choose({ settings, url: `http://${host}:8787/v1` }).way, 'direct', host);
  }
  for (const host of ['localhost.example', '128.0.0.1', '[::2]', 'notlocalhost']) {
    assert.equal(choose({ settings, url: `http://${host}:8787/v1` }).way, 'proxy', host);
  }
});

test('an entry without a proxy names a host as VS Code and curl read it', () => {
  const rows: [entry: string, matches: string[], others: string[]][] = [
    ['*', ['https://a.test', 'http://10.0.0.1'], []],
    [
      'example.com',
      ['https://example.com', 'https://a.Example.com.', 'http://a.b.example.com:99'],
      ['https://badexample.com', 'https://example.com.evil.test'],
    ],
    ['.example.com', ['https://example.com', 'https://a.example.com'], ['https://badexample.com']],
    [
      '*.example.com',
      ['https://a.example.com', 'https://a.b.example.com'],
      ['https://example.com', 'https://badexample.com'],
    ],
    ['EXAMPLE.com.', ['https://example.com'], []],
    [
      'api-*.example.com',
      ['https://api-1.example.com'],
      ['https://web.example.com', 'https://api-1.example.com.evil.test'],
    ],
    ['example.com:8443', ['https://example.com:8443'], ['https://example.com', 'http://example.com']],
    ['example.com:443', ['https://a.example.com'], ['http://a.example.com']],
    ['10.1.2.3', ['http://10.1.2.3'], ['http://10.1.2.30', 'http://110.1.2.3', 'https://a.10.1.2.3.test']],
    ['10.1.2.3:8080', ['http://10.1.2.3:8080'], ['http://10.1.2.3']],
    ['10.0.0.0/8', ['http://10.200.3.4'], ['http://11.0.0.1', 'https://ten.test']],
    ['172.16.0.0/12', ['http://172.31.255.255'], ['http://172.32.0.0']],
    ['0.0.0.0/0', ['http://9.9.9.9'], ['http://[2001:db8::1]']],
    ['2001:db8::1', ['http://[2001:DB8:0:0::1]'], ['http://[2001:db8::2]']],
    ['[2001:db8::1]', ['http://[2001:db8::1]:8080'], []],
    ['[2001:db8::1]:8080', ['http://[2001:db8::1]:8080'], ['http://[2001:db8::1]']],
    ['2001:db8::/32', ['http://[2001:db8:ffff::1]'], ['http://[2001:db9::1]', 'http://10.0.0.1']],
    ['::ffff:10.1.2.3', ['http://10.1.2.3'], []],
    ['bücher.test', ['https://bücher.test', 'https://a.xn--bcher-kva.test'], ['https://bucher.test']],
    ['10.0.0.0/99', [], ['http://10.0.0.0']],
    ['10.0.0.0/x', [], ['http://10.0.0.0']],
    ['.', [], ['https://example.com']],
    ['a+b(', [], ['https://example.com']],
  ];
  for (const [entry, matches, others] of rows) {
    for (const [urls, way] of [
      [matches, 'direct'],
      [others, 'proxy'],
    ] as const) {
      for (const url of urls) {
        const settings = { proxy: 'http://p:1', noProxy: ['other.test', ` ${entry} `] };
        assert.equal(choose({ url, settings }).way, way, `${entry} and ${url}`);
        assert.equal(
          choose({ url, settings: { proxy: 'p:1' }, environment: { NO_PROXY: `other.test,${entry}` } }).way,
          way,
        );
      }
    }
  }
});

test('http.noProxy replaces NO_PROXY as it does in VS Code, and says so', () => {
  const environment = { NO_PROXY: 'api.example', HTTPS_PROXY: 'e:1' };
  assert.equal(told({ environment }), 'direct: NO_PROXY names api.example');
  assert.equal(told({ environment: { ...environment, no_proxy: 'b.test c.test' } }), 'e:1: HTTPS_PROXY');
  assert.equal(told({ environment, settings: { noProxy: ['b.test'] } }), 'e:1: HTTPS_PROXY');
  assert.equal(told({ environment, settings: { noProxy: [''] } }), 'direct: NO_PROXY names api.example');
  assert.equal(told({ environment, settings: { noProxy: ['.example'] } }), 'direct: http.noProxy names .example');
});

test('a name and a password go to the proxy as Basic, and http.proxyAuthorization wins', () => {
  const authorization = (proxy: string, proxyAuthorization?: string) => {
    const choice = choose({ settings: { proxy, proxyAuthorization } });
    assert.equal(choice.way, 'proxy');
    assert.ok(choice.way === 'proxy' && !/@|secret|p%/.test(choice.proxy.origin + choice.proxy.name));
    return choice.proxy.authorization;
  };
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  assert.equal(authorization('http://p:1'), undefined);
  assert.equal(authorization('http://me:secret@p:1'), basic('me:secret'));
  assert.equal(authorization('me:secret@p:1'), basic('me:secret'));
  assert.equal(authorization('http://me@p:1'), basic('me:'));
  assert.equal(authorization('http://DOM%5Cme:p%40ss%3Aw%C3%B6rd@p:1'), basic('DOM\\me:p@ss:wörd'));
  assert.equal(authorization('http://me:100%@p:1'), basic('me:100%'));
  assert.equal(authorization('http://me:secret@p:1', 'Bearer x'), 'Bearer x');
  assert.equal(authorization('http://p:1', '  '), undefined);
});

test('a proxy that can not be used is named with its setting, and never means a direct way', () => {
  const rows: [Given, string, string][] = [
    [{ settings: { proxy: 'socks5://me:secret@p:1080' } }, 'http.proxy', 'p:1080'],
    [{ environment: { ALL_PROXY: 'socks://p:1080' } }, 'ALL_PROXY', 'p:1080'],
    [{ environment: { https_proxy: 'ftp://p' } }, 'https_proxy', 'p'],
    [{ settings: { proxy: 'http://' } }, 'http.proxy', ''],
    [{ settings: { proxy: 'http://p:99999' } }, 'http.proxy', ''],
    [{ settings: { proxy: 'http://me:secret@' } }, 'http.proxy', ''],
    [{ settings: { proxy: 'p:1', proxyAuthorization: 'Basic x\r\nhost: evil' } }, 'http.proxyAuthorization', 'p:1'],
  ];
  for (const [given, setting, proxy] of rows) {
    const choice = choose(given);
    assert.ok(choice.way === 'none', JSON.stringify(given));
    assert.deepEqual([choice.setting, choice.proxy], [setting, proxy]);
    assert.doesNotMatch(JSON.stringify(choice), /secret/);
  }
});

test('whatever stands in the settings, there is a choice, and no password in what people see', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.webUrl(), fc.domain(), fc.ipV6());
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 4 }), text, fc.boolean(), (proxy, noProxy, host, isEnvironment) => {
      const url = URL.canParse(`https://${host}`) ? `https://${host}` : 'https://api.example';
      const environment = isEnvironment ? { HTTPS_PROXY: proxy, NO_PROXY: noProxy.join(',') } : {};
      const settings = isEnvironment ? {} : { proxy, noProxy };
      const choice = choose({ url, settings, environment });
      // With a proxy set, only an entry, this machine or nothing legible but blanks leads past it.
      if (choice.way === 'direct' && proxy.trim() !== '') {
        assert.match(choice.because, / names |this machine/);
      }
    }),
    { numRuns: 2_000 },
  );
  const word = fc.stringMatching(/^[A-Za-z0-9]{8,16}$/);
  fc.assert(
    fc.property(word, fc.constantFrom('http', 'https', 'socks5', 'gopher'), (password, scheme) => {
      const choice = choose({ settings: { proxy: `${scheme}://me:${password}@proxy.test:8` } });
      const shown = choice.way === 'proxy' ? { ...choice.proxy, authorization: '' } : choice;
      assert.ok(!JSON.stringify(shown).includes(password));
    }),
  );
});

test('an address and a block of addresses agree with their bits', () => {
  const part = fc.nat({ max: 255 });
  fc.assert(
    fc.property(
      fc.tuple(part, part, part, part),
      fc.tuple(part, part, part, part),
      fc.nat({ max: 32 }),
      (a, b, bits) => {
        fc.pre(a[0] !== 127);
        const number = (parts: readonly number[]) => parts.reduce((sum, each) => sum * 256 + each, 0);
        const size = 2 ** (32 - bits);
        const isInside = Math.floor(number(a) / size) === Math.floor(number(b) / size);
        const settings = { proxy: 'http://p:1', noProxy: [`${b.join('.')}/${bits}`] };
        assert.equal(choose({ url: `http://${a.join('.')}`, settings }).way, isInside ? 'direct' : 'proxy');
      },
    ),
    { numRuns: 500 },
  );
});

test('a key is in clear with a proxy that carries an http: address, and with nobody else', () => {
  const settings = { proxy: 'https://me:secret@p:1' };
  const rows: [Given, boolean][] = [
    [{ settings, url: 'http://10.9.8.7:3000/v1' }, true],
    [{ settings, url: 'http://api.example/v1' }, true],
    [{ settings, url: 'https://10.9.8.7/v1' }, false],
    [{ settings, url: 'http://localhost:1/v1' }, false],
    [{ settings: { ...settings, noProxy: ['10.0.0.0/8'] }, url: 'http://10.9.8.7/v1' }, false],
    [{ settings: { proxy: 'socks5://p:1' }, url: 'http://10.9.8.7/v1' }, false],
    [{ url: 'http://10.9.8.7/v1' }, false],
  ];
  for (const [given, expected] of rows) {
    assert.equal(carriesInClear(choose(given), given.url ?? ''), expected, JSON.stringify(given));
  }
  assert.equal(carriesInClear({ proxy: 'p:1', because: 'http.proxy' }, 'http://10.9.8.7/v1'), true);
  assert.equal(carriesInClear({ because: 'no proxy is set' }, 'http://10.9.8.7/v1'), false);
});
