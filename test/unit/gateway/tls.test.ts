import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { Agent, request } from 'node:https';
import { describe, it } from 'node:test';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import { type TlsKind, tlsKinds } from '../../gateway/network/tlsIdentity.ts';
import { chatBody, withGateway } from './askGateway.ts';
import { askOverTls } from './askOverTls.ts';
import { seeEveryFault } from './looks/everyFault.ts';

/** What Node says of the gateway's certificate: an error code, or the status of its console. */
function knock(gateway: Gateway, authority?: string): Promise<string | number | undefined> {
  return new Promise((resolve) => {
    request(gateway.consoleUrl, { agent: false, ...(authority === undefined ? {} : { ca: authority }) })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      .on('response', (response) => resolve(response.resume().statusCode))
      .end();
  });
}

describe('the local gateway over TLS', () => {
  const verdicts: Record<TlsKind, [untrusting: string, trusting: string | number]> = {
    good: ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 200],
    expired: ['CERT_HAS_EXPIRED', 'CERT_HAS_EXPIRED'],
    'not-yet-valid': ['CERT_NOT_YET_VALID', 'CERT_NOT_YET_VALID'],
    'wrong-host': ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    'no-chain': ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    'self-signed': ['DEPTH_ZERO_SELF_SIGNED_CERT', 200],
    'unknown-authority': ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 200],
    'unknown-chain': ['SELF_SIGNED_CERT_IN_CHAIN', 200],
  };
  for (const kind of Object.keys(tlsKinds) as TlsKind[]) {
    it(`shows the certificate ${kind}`, async () => {
      await withGateway(
        async (gateway) => {
          assert.match(gateway.baseUrl, /^https:\/\/127\.0\.0\.1:\d+\/v1$/);
          assert.deepEqual([await knock(gateway), await knock(gateway, gateway.authority)], verdicts[kind]);
        },
        { tls: kind },
      );
    });
  }

  it('makes another authority at every start, which can sign and says so', async () => {
    const [one, other] = [await startGateway({ tls: 'good' }), await startGateway({ tls: 'good' })];
    try {
      assert.equal(await knock(one, other.authority), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
      const authority = new X509Certificate(one.authority);
      assert.ok(authority.ca && authority.verify(authority.publicKey));
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });

  it('has no authority and no HTTPS in clear', async () => {
    await withGateway(async (gateway) => {
      assert.deepEqual([gateway.authority, gateway.baseUrl.slice(0, 7)], ['', 'http://']);
    });
  });

  it('shows every fault', async () => {
    await withGateway((gateway, key) => seeEveryFault(askOverTls(gateway), gateway, key), { tls: 'good' });
  });

  it('resets a connection that is used again when it is told to', async () => {
    await withGateway(
      async (gateway, key) => {
        const agent = new Agent({ keepAlive: true, ca: gateway.authority });
        const options = { body: chatBody(), headers: { 'x-fault': 'reset-when-reused' } };
        const again = () => askOverTls(gateway, agent)(`${gateway.baseUrl}/chat/completions`, key, options);
        assert.equal((await again()).end, 'clean');
        await assert.rejects(again(), { code: 'ECONNRESET' });
        assert.equal((await again()).end, 'clean');
        agent.destroy();
      },
      { tls: 'good' },
    );
  });
});
