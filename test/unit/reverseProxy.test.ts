import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { openReverseProxy } from '../vscode/reverseProxy.ts';
import { makeTemporary } from '../vscode/temporary.ts';

test('the VS Code of the tests and of npm start protects its secrets from other users and other web sites', {
  skip: process.platform === 'win32',
}, async () => {
  const profileDir = makeTemporary('profile');
  const { url, close } = await openReverseProxy(join(profileDir, 'none'), profileDir, () => '/');
  const status = (headers: Record<string, string>) =>
    new Promise((resolve, reject) => {
      request(new URL('mint-key', url), { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
  try {
    assert.equal(statSync(join(profileDir, 'mint-key')).mode & 0o777, 0o600);
    assert.equal(await status({}), 200);
    assert.equal(await status({ origin: 'http://elsewhere.example' }), 403);
    assert.equal(await status({ host: 'elsewhere.example' }), 403);
  } finally {
    await close();
  }
});
