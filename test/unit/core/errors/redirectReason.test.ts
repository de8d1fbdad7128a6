import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { advice } from '../../../../src/core/errors/advice.ts';
import { type RedirectReason, redirectReason } from '../../../../src/core/errors/redirectReason.ts';

const asked = 'https://gateway.example/v1/models';

const cases: readonly (readonly [from: string, to: string, reason: RedirectReason])[] = [
  // Q60, Q80: somebody should sign in
  [asked, 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=x', 'login'],
  [asked, 'https://accounts.google.com/o/saml2/idp', 'login'],
  [asked, 'https://team.okta.com/app/x', 'login'],
  [asked, 'https://team.cloudflareaccess.com/cdn-cgi/access/x', 'login'],
  [asked, 'https://sso.team.example/x', 'login'],
  [asked, 'https://auth2.team.example/x', 'login'],
  [asked, 'https://gateway.example/login', 'login'],
  [asked, 'https://gateway.example/users/sign_in', 'login'],
  [asked, 'https://gateway.example/login?next=/v1/models', 'login'],
  [asked, 'https://gateway.example/login.html?next=/v1/models', 'login'],
  [asked, 'http://captive.network.example/', 'login'],
  [asked, 'http://10.0.0.1/hotspot/start', 'login'],
  [asked, 'https://idp.example/x?SAMLRequest=abc', 'login'],
  ['https://auth.gateway.example/v1/models', 'https://auth.gateway.example/login', 'login'],
  // The same place by another scheme
  ['http://gateway.example/v1/models', 'https://gateway.example/v1/models', 'scheme'],
  ['http://gateway.example/v1/models', 'https://gateway.example/', 'scheme'],
  ['http://gateway.example:8080/v1/models', 'https://gateway.example:8080/v1/models', 'scheme'],
  ['http://gateway.example:8080/v1/models', 'https://gateway.example/v1/models', 'scheme'],
  ['https://gateway.example/v1/models', 'http://gateway.example/v1/models', 'scheme'],
  ['http://login.gateway.example/v1/models', 'https://login.gateway.example/v1/models', 'scheme'],
  ['http://[::1]:3000/v1/models', 'https://[::1]:3000/v1/models', 'scheme'],
  // With and without www
  [asked, 'https://www.gateway.example/v1/models', 'www'],
  ['https://www.gateway.example/v1/models', 'https://gateway.example/v1/models/', 'www'],
  ['http://gateway.example/v1/models', 'https://www.gateway.example/v1/models', 'www'],
  // Anything else
  [asked, 'https://other.example/v1/models', 'other'],
  [asked, 'https://gateway.example/v1/models/', 'other'],
  [asked, 'https://gateway.example:8443/v1/models', 'other'],
  ['http://gateway.example:8080/v1/models', 'https://gateway.example:8443/v1/models', 'other'],
  [asked, 'https://wwwgateway.example/v1/models', 'other'],
  [asked, 'https://blogin.example/catalogue', 'other'],
  [asked, 'javascript:alert(1)', 'other'],
  [asked, 'http://[', 'other'],
  [asked, '', 'other'],
  ['nonsense', asked, 'other'],
];

for (const [from, to, reason] of cases) {
  test(`Q60 takes the way from ${from} to ${to} for ${reason}`, () => assert.equal(redirectReason(from, to), reason));
}

test('has a reason for any two texts', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.string()), fc.oneof(fc.webUrl(), fc.string()), (from, to) => {
      assert.match(redirectReason(from, to), /^(?:login|scheme|www|other)$/);
    }),
  );
});

test('says what to write for each reason, and where nothing went', () => {
  const words = (reason: RedirectReason | undefined, target: string) => {
    const said = advice({ kind: 'redirected', target, ...(reason && { reason }) }, { host: 'gateway.example' });
    return `${said.title}. ${said.remedy}`;
  };
  assert.match(words('scheme', 'https://gateway.example/v1'), /Write https:\/\/ in the address/);
  assert.match(words('scheme', 'http://gateway.example/v1'), /unencrypted/);
  assert.match(
    words('www', 'https://www.gateway.example:8443/v1'),
    /Write www\.gateway\.example:8443 instead of gateway\.example/,
  );
  assert.match(words('login', 'https://sso.example/x'), /sign in/i);
  assert.match(words('nowhere', ''), /does not say where/);
  for (const reason of ['login', 'scheme', 'www', 'other', undefined] as const) {
    const said = words(reason, 'https://sso.example/x');
    assert.match(said, /Neither key nor question went there/);
    assert.match(said, /https:\/\/sso\.example\/x/);
  }
});
