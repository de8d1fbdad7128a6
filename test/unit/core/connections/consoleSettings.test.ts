import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBaseUrl } from '../../../../src/core/connections/baseUrl.ts';
import { consoleAddress, readConsoleSettings } from '../../../../src/core/connections/consoleSettings.ts';
import { consolePages } from '../../../../src/core/errors/consolePage.ts';

function urlOf(address: string) {
  const url = parseBaseUrl(address);
  assert.ok(url.ok);
  return url.value;
}

const url = urlOf('https://api.example/v1');

function read(entry: Parameters<typeof readConsoleSettings>[0]) {
  const problems: string[] = [];
  return { ...readConsoleSettings(entry, (problem) => problems.push(problem)), problems };
}

test('knows the pages of a site that identified itself as new-api', () => {
  const addresses = (entry: Parameters<typeof read>[0], kind?: 'classic' | 'default') => {
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
