import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { advice } from '../../../../src/core/errors/advice.ts';
import type { RedirectReason } from '../../../../src/core/errors/gatewayProblem.ts';
import { redirectReason } from '../../../../src/core/errors/redirect.ts';

const requested = 'https://gateway.example/v1/models';

const cases: readonly (readonly [from: string, to: string, reason: RedirectReason])[] = [
  // Q60, Q80: a sign-in page
  [requested, 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=x', 'login'],
  [requested, 'https://accounts.google.com/o/saml2/idp', 'login'],
  [requested, 'https://team.okta.com/app/x', 'login'],
  [requested, 'https://team.cloudflareaccess.com/cdn-cgi/access/x', 'login'],
  [requested, 'https://sso.team.example/x', 'login'],
  [requested, 'https://auth2.team.example/x', 'login'],
  [requested, 'https://gateway.example/login', 'login'],
  [requested, 'https://gateway.example/users/sign_in', 'login'],
  [requested, 'https://gateway.example/login?next=/v1/models', 'login'],
  [requested, 'https://gateway.example/login.html?next=/v1/models', 'login'],
  [requested, 'http://captive.network.example/', 'login'],
  [requested, 'http://wifi:8080/start', 'login'],
  [requested, 'http://10.0.0.1/hotspot/start', 'login'],
  [requested, 'https://idp.example/x?SAMLRequest=abc', 'login'],
  ['https://auth.gateway.example/v1/models', 'https://auth.gateway.example/login', 'login'],
  // The same host by another scheme
  ['http://gateway.example/v1/models', 'https://gateway.example/v1/models', 'scheme'],
  ['http://gateway.example/v1/models', 'https://gateway.example/', 'scheme'],
  ['http://gateway.example:8080/v1/models', 'https://gateway.example:8080/v1/models', 'scheme'],
  ['http://gateway.example:8080/v1/models', 'https://gateway.example/v1/models', 'scheme'],
  ['https://gateway.example/v1/models', 'http://gateway.example/v1/models', 'scheme'],
  ['http://login.gateway.example/v1/models', 'https://login.gateway.example/v1/models', 'scheme'],
  ['http://[::1]:3000/v1/models', 'https://[::1]:3000/v1/models', 'scheme'],
  // With and without www
  [requested, 'https://www.gateway.example/v1/models', 'www'],
  ['https://www.gateway.example/v1/models', 'https://gateway.example/v1/models/', 'www'],
  ['http://gateway.example/v1/models', 'https://www.gateway.example/v1/models', 'www'],
  // Anything else
  [requested, 'https://other.example/v1/models', 'other'],
  [requested, 'https://gateway.example/v1/models/', 'other'],
  [requested, 'https://gateway.example:8443/v1/models', 'other'],
  ['http://gateway.example:8080/v1/models', 'https://gateway.example:8443/v1/models', 'other'],
  [requested, 'https://wwwgateway.example/v1/models', 'other'],
  [requested, 'https://blogin.example/catalogue', 'other'],
  [requested, 'https://api.example/accounts/acme/v1/models', 'other'],
  [requested, 'https://passport-api.example/v1/models', 'other'],
  [requested, 'https://eu.accounts.example/v1/models', 'other'],
  [requested, 'https://passport.example/', 'login'],
  [requested, 'javascript:alert(1)', 'other'],
  [requested, 'http://[', 'other'],
  [requested, '', 'other'],
  ['nonsense', requested, 'other'],
];

for (const [from, to, reason] of cases) {
  test(`Q60 classifies a redirect from ${from} to ${to} as ${reason}`, () =>
    assert.equal(redirectReason(from, to), reason));
}

test('finds a reason for any two texts', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.string()), fc.oneof(fc.webUrl(), fc.string()), (from, to) => {
      assert.match(redirectReason(from, to), /^(?:login|scheme|www|other)$/);
    }),
  );
});

test('advises what to do for each reason, and names the address to which nothing was sent', () => {
  const words = (reason: RedirectReason | undefined, target: string) => {
    const said = advice({ kind: 'redirected', target, reason }, { host: 'gateway.example' });
    return `${said.title}. ${said.remedy}`;
  };
  assert.match(words('scheme', 'https://gateway.example/v1'), /Use https:\/\/ in the connection's address/);
  assert.match(words('scheme', 'http://gateway.example/v1'), /unencrypted/);
  assert.match(
    words('www', 'https://www.gateway.example:8443/v1'),
    /Use www\.gateway\.example:8443 instead of gateway\.example/,
  );
  assert.match(words('login', 'https://sso.example/x'), /sign in/i);
  assert.match(words('nowhere', ''), /doesn't say where/);
  for (const reason of ['login', 'scheme', 'www', 'other', undefined] as const) {
    const said = words(reason, 'https://sso.example/x');
    assert.match(said, /Nothing was sent (?:there|to)/);
    assert.match(said, /https:\/\/sso\.example\/x/);
  }
});
