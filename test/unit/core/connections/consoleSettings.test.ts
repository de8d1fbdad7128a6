import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consoleAddress, readConsoleSettings } from '../../../../src/core/connections/consoleSettings.ts';
import { consolePages } from '../../../../src/core/errors/gatewayProblem.ts';
import { urlOf } from './connectionTo.ts';

const url = urlOf('https://api.example/v1');

function read(entry: Record<string, unknown>) {
  const problems: string[] = [];
  return { ...readConsoleSettings(entry, url, (problem) => problems.push(problem)), problems };
}

test('resolves pages against the console, or else against the gateway', () => {
  const wallet = (consoleUrl: string | undefined, page: string) =>
    read({ consoleUrl, consolePages: { wallet: page } }).consolePages?.wallet;
  assert.equal(wallet('https://www.example/console', '/console/topup'), 'https://www.example/console/topup');
  assert.equal(wallet('https://www.example/console', '#/topup'), 'https://www.example/console#/topup');
  assert.equal(wallet('https://www.example/a/', 'topup?from=editor'), 'https://www.example/a/topup?from=editor');
  assert.equal(wallet(undefined, 'topup'), 'https://api.example/topup');
  assert.equal(wallet('https://www.example', 'https://api.example/wallet'), 'https://api.example/wallet');
});

test('refuses pages that a console could not be on', () => {
  for (const [page, reason] of [
    ['https://user:Abc_0123@www.example/topup', /user name/],
    ['http://www.example/topup', /unencrypted/],
    ['javascript:alert(1)', /must start with/],
    ['/topup?token=sk-Abc_0123456789', /contains a key/],
    ['/sk-Abc_0123456789', /contains a key/],
    ['https://', /isn't an address/],
  ] as const) {
    const { consolePages: pages, problems } = read({ consoleUrl: 'https://www.example', consolePages: { keys: page } });
    assert.equal(pages, undefined, page);
    assert.match(problems.join(), /^consolePages\.keys is ignored\. /);
    assert.match(problems.join(), reason);
    assert.ok(!problems.join().includes('Abc_0123'));
  }
});

test('knows the pages of a site that identified itself as new-api, unless the person set some', () => {
  const addresses = (entry: Record<string, unknown>, kind?: 'classic' | 'default') => {
    const { problems, ...settings } = read(entry);
    assert.deepEqual(problems, []);
    return [undefined, ...consolePages].map((page) => consoleAddress({ ...settings, url }, page, kind));
  };
  const consoleUrl = 'https://www.example/console';
  assert.deepEqual(addresses({}), [undefined, undefined, undefined, undefined, undefined]);
  assert.deepEqual(addresses({ consoleUrl }), Array(5).fill(consoleUrl));
  assert.deepEqual(addresses({ consoleUrl }, 'classic'), [
    consoleUrl,
    'https://www.example/console/token',
    'https://www.example/console/topup',
    'https://www.example/pricing',
    'https://www.example/console/log',
  ]);
  assert.deepEqual(addresses({}, 'default'), [
    undefined,
    'https://api.example/keys',
    'https://api.example/wallet',
    'https://api.example/pricing',
    'https://api.example/usage-logs',
  ]);
  const set = { consoleUrl, consolePages: { wallet: '/pay' } };
  assert.deepEqual(addresses(set, 'default'), [
    consoleUrl,
    consoleUrl,
    'https://www.example/pay',
    consoleUrl,
    consoleUrl,
  ]);
  // The pages of such a console have their names after the `#`.
  const hash = `${consoleUrl}#/`;
  assert.deepEqual(addresses({ consoleUrl: hash }, 'classic'), Array(5).fill(hash));
});

test('opens no page of a known site whose password would be sent unencrypted', () => {
  assert.equal(consoleAddress({ url: urlOf('http://api.example/v1') }, 'wallet', 'classic'), undefined);
  assert.equal(
    consoleAddress({ url: urlOf('http://127.0.0.1:3000/v1') }, 'wallet', 'classic'),
    'http://127.0.0.1:3000/console/topup',
  );
});
