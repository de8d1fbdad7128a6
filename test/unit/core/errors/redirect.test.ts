import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { advice } from '../../../../src/core/errors/advice.ts';

function saidOf(target: string, host = 'gateway.example'): string {
  const { title, remedy } = advice({ kind: 'redirected', target }, { host });
  return `${title}. ${remedy}`;
}

for (const target of [
  'https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=x',
  'https://accounts.google.com/o/saml2/idp',
  'https://team.okta.com/app/x',
  'https://team.cloudflareaccess.com/cdn-cgi/access/x',
  'https://sso.team.example/x',
  'https://auth2.team.example/x',
  'https://gateway.example/login',
  'https://gateway.example/users/sign_in',
  'https://gateway.example/login?next=/v1/models',
  'https://gateway.example/login.html?next=/v1/models',
  'http://captive.network.example/',
  'http://wifi:8080/start',
  'http://10.0.0.1/hotspot/start',
  'https://idp.example/x?SAMLRequest=abc',
  'https://passport.example/',
]) {
  test(`Q60 and Q80 take ${target} for a sign-in page`, () => {
    assert.match(saidOf(target), /^Network sign-in required.* Nothing was sent there\. Sign in to the network or VPN/);
    assert.ok(saidOf(target).includes(target));
  });
}

test('Q60 shows any other address that a gateway redirects to, to which nothing was sent', () => {
  for (const [target, host] of [
    ['https://gateway.example/v1/models', 'gateway.example'],
    ['https://www.gateway.example/v1/models', 'gateway.example'],
    ['https://auth.gateway.example/v1/models', 'auth.gateway.example'],
    ['https://blogin.example/catalogue', 'gateway.example'],
    ['https://api.example/accounts/acme/v1/models', 'gateway.example'],
    ['https://passport-api.example/v1/models', 'gateway.example'],
    ['https://eu.accounts.example/v1/models', 'gateway.example'],
    ['javascript:alert(1)', 'gateway.example'],
    ['http://[', 'gateway.example'],
  ] as const) {
    const said = saidOf(target, host);
    assert.match(said, /^The gateway redirects to another address\. .*Nothing was sent there/, target);
    assert.ok(said.includes(target), said);
  }
  assert.match(saidOf('https://auth.gateway.example/login', 'auth.gateway.example'), /^Network sign-in required/);
  assert.match(saidOf(''), /doesn't say where/);
});

test('advises for a redirect to any text', () => {
  fc.assert(fc.property(fc.oneof(fc.webUrl(), fc.string()), (target) => assert.ok(saidOf(target).length > 0)));
});
