import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { Agent, request } from 'node:https';
import { describe, it } from 'node:test';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import { type TlsKind, tlsKinds } from '../../gateway/network/tlsIdentity.ts';
import { chatBody, withGateway } from './askGateway.ts';
import { askOverTls } from './askOverTls.ts';
import { checkEveryFault } from './checks/everyFault.ts';

/** Connects to the console and returns Node's error code for its certificate, or the status of the response. */
function connectTo(gateway: Gateway, authority?: string): Promise<string | number | undefined> {
  return new Promise((resolve) => {
    request(gateway.consoleUrl, { agent: false, ca: authority })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      .on('response', (response) => resolve(response.resume().statusCode))
      .end();
  });
}

describe('the local gateway over TLS', () => {
  const results: Record<TlsKind, [untrusting: string, trusting: string | number]> = {
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
    it(`has a certificate of the kind ${kind}`, async () => {
      await withGateway(
        async (gateway) => {
          assert.match(gateway.baseUrl, /^https:\/\/127\.0\.0\.1:\d+\/v1$/);
          assert.deepEqual([await connectTo(gateway), await connectTo(gateway, gateway.authority)], results[kind]);
        },
        { tls: kind },
      );
    });
  }

  it('makes a new authority at every start, with a valid CA certificate', async () => {
    const [one, other] = [await startGateway({ tls: 'good' }), await startGateway({ tls: 'good' })];
    try {
      assert.equal(await connectTo(one, other.authority), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
      const authority = new X509Certificate(one.authority);
      assert.ok(authority.ca && authority.verify(authority.publicKey));
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });

  it('has no authority and no HTTPS without TLS', async () => {
    await withGateway(async (gateway) => {
      assert.deepEqual([gateway.authority, gateway.baseUrl.slice(0, 7)], ['', 'http://']);
    });
  });

  it('shows every fault', async () => {
    await withGateway((gateway, key) => checkEveryFault(askOverTls(gateway), gateway, key), { tls: 'good' });
  });

  it('can reset a connection that is reused', async () => {
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
