import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProxyError } from '../../../../src/core/network/networkErrors.ts';
import { chooseProxy, type Environment, type NetworkSettings } from '../../../../src/core/network/route.ts';
import { defaultNetworkSettings } from './defaultNetworkSettings.ts';

type Given = { url?: string; settings?: Partial<NetworkSettings>; environment?: Environment };

function choose({ url = 'https://api.example/v1', settings = {}, environment = {} }: Given) {
  return chooseProxy(new URL(url), { ...defaultNetworkSettings, ...settings }, environment);
}

/** The proxy's name and the setting that names it, or `direct`. */
function describeRoute(given: Given): string {
  const proxy = choose(given);
  return proxy ? `${proxy.name}: ${proxy.setting}` : 'direct';
}

test('chooses the same route as VS Code and curl for each setting and variable', () => {
  const both = { http_proxy: 'http://h:1', HTTPS_PROXY: 'http://s:2', ALL_PROXY: 'http://a:3' };
  const rows: [Given, string][] = [
    [{}, 'direct'],
    [{ settings: { proxy: 'http://p:3128' } }, 'p:3128: http.proxy'],
    [{ settings: { proxy: '  p:3128 ' } }, 'p:3128: http.proxy'],
    [{ settings: { proxy: 'https://p' } }, 'p:443: http.proxy'],
    [{ settings: { proxy: 'http://[::1]:3128' } }, '[::1]:3128: http.proxy'],
    [{ settings: { proxy: 'http://p:1' }, environment: both }, 'p:1: http.proxy'],
    [{ settings: { proxy: 'http://p:1', usesProxy: false }, environment: both }, 'direct'],
    [{ settings: { proxy: 'http://p:1', usesProxy: true } }, 'p:1: http.proxy'],
    [{ environment: both }, 's:2: HTTPS_PROXY'],
    [{ environment: { ...both, https_proxy: 'l:9' } }, 'l:9: https_proxy'],
    [{ environment: both, url: 'http://api.example/v1' }, 'h:1: http_proxy'],
    [{ environment: { HTTP_PROXY: 'g:1' }, url: 'http://api.example/v1' }, 'g:1: HTTP_PROXY'],
    [{ environment: { HTTP_PROXY: 'g:1' } }, 'direct'],
    [{ environment: { ALL_PROXY: 'a:3', HTTPS_PROXY: ' ' } }, 'a:3: ALL_PROXY'],
    [{ environment: { all_proxy: 'b:3', ALL_PROXY: 'a:3' }, url: 'http://api.example' }, 'b:3: all_proxy'],
  ];
  for (const [given, expected] of rows) {
    assert.equal(describeRoute(given), expected, JSON.stringify(given));
  }
});

test('reaches this machine directly, whatever is set', () => {
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
    assert.equal(choose({ settings, url: `http://${host}:8787/v1` }), undefined, host);
  }
  for (const host of ['localhost.example', '128.0.0.1', '[::2]', 'notlocalhost']) {
    assert.equal(choose({ settings, url: `http://${host}:8787/v1` })?.name, 'p:1', host);
  }
});

test('matches the entries of http.noProxy and NO_PROXY as VS Code and curl do', () => {
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
    [
      'api-*.example.com',
      ['https://api-1.example.com'],
      ['https://web.example.com', 'https://api-1.example.com.evil.test'],
    ],
    ['example.com:8443', ['https://example.com:8443'], ['https://example.com', 'http://example.com']],
    ['example.com:443', ['https://a.example.com'], ['http://a.example.com']],
    ['10.1.2.3', ['http://10.1.2.3'], ['http://10.1.2.30', 'http://110.1.2.3', 'https://a.10.1.2.3.test']],
    ['10.0.0.0/8', ['http://10.200.3.4'], ['http://11.0.0.1', 'https://ten.test']],
    ['0.0.0.0/0', ['http://9.9.9.9'], ['http://[2001:db8::1]']],
    ['2001:db8::1', ['http://[2001:DB8:0:0::1]'], ['http://[2001:db8::2]']],
    ['[2001:db8::1]', ['http://[2001:db8::1]:8080'], []],
    ['[2001:db8::1]:8080', ['http://[2001:db8::1]:8080'], ['http://[2001:db8::1]']],
    ['2001:db8::/32', ['http://[2001:db8:ffff::1]'], ['http://[2001:db9::1]', 'http://10.0.0.1']],
    ['::ffff:10.1.2.3', ['http://10.1.2.3'], []],
    ['xn--bcher-kva.test', ['https://bücher.test', 'https://a.xn--bcher-kva.test'], ['https://bucher.test']],
    ['10.0.0.0/99', [], ['http://10.0.0.0']],
    ['.', [], ['https://example.com']],
    ['a+b(', [], ['https://example.com']],
  ];
  for (const [entry, matches, others] of rows) {
    for (const [urls, proxy] of [
      [matches, undefined],
      [others, 'p:1'],
    ] as const) {
      for (const url of urls) {
        const settings = { proxy: 'http://p:1', noProxy: ['other.test', ` ${entry} `] };
        assert.equal(choose({ url, settings })?.name, proxy, `${entry} and ${url}`);
        assert.equal(
          choose({ url, settings: { proxy: 'p:1' }, environment: { NO_PROXY: `other.test,${entry}` } })?.name,
          proxy,
        );
      }
    }
  }
});

test('replaces NO_PROXY by http.noProxy as VS Code does, and names the one that decided', () => {
  const environment = { NO_PROXY: 'api.example', HTTPS_PROXY: 'e:1' };
  assert.equal(describeRoute({ environment }), 'direct');
  assert.equal(describeRoute({ environment: { ...environment, no_proxy: 'b.test c.test' } }), 'e:1: HTTPS_PROXY');
  assert.equal(describeRoute({ environment, settings: { noProxy: ['b.test'] } }), 'e:1: HTTPS_PROXY');
  assert.equal(describeRoute({ environment, settings: { noProxy: [''] } }), 'direct');
  assert.equal(describeRoute({ environment, settings: { noProxy: ['.example'] } }), 'direct');
});

test('sends name and password to the proxy as Basic, unless http.proxyAuthorization is set', () => {
  const authorization = (proxy: string, proxyAuthorization?: string) => {
    const choice = choose({ settings: { proxy, proxyAuthorization } });
    assert.ok(choice && !/@|secret|p%/.test(choice.origin + choice.name));
    return choice.authorization;
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

test('names a proxy that can’t be used with its setting, and never goes direct instead', () => {
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
    assert.throws(
      () => choose(given),
      (error) => {
        assert.ok(error instanceof ProxyError, JSON.stringify(given));
        assert.deepEqual([error.facts.cause, error.facts.setting, error.facts.proxy], ['setting', setting, proxy]);
        assert.doesNotMatch(error.message + JSON.stringify(error.facts), /secret/);
        return true;
      },
    );
  }
});
