import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';
import type { Fault } from '../../gateway/fault.ts';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import { type TlsKind, tlsKinds } from '../../gateway/network/tlsIdentity.ts';
import { chatBody, withGateway } from './askGateway.ts';
import { askOverHttp2, askOverTls, closed } from './askOverTls.ts';
import { seeEveryFault, seeFault } from './looks/everyFault.ts';

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

  it('shows every fault of HTTP/1.1, and those of the connection beside HTTP/2 too', async () => {
    for (const http2 of [false, true]) {
      const isWanted = ({ needs, quirk }: Fault) => needs !== 'h2' && (!http2 || /^Q7/.test(quirk));
      await withGateway((gateway, key) => seeEveryFault(askOverTls(gateway), gateway, key, isWanted), {
        tls: 'good',
        http2,
      });
    }
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

describe('the local gateway over HTTP/2', () => {
  const needsHttp1 = { http2: true } as const;

  it('offers HTTP/2 and HTTP/1.1 with a good certificate unless another kind is wanted', async () => {
    await withGateway(async (gateway, key) => {
      const chosen: unknown[] = [];
      for (const offer of [['h2', 'http/1.1'], ['http/1.1'], ['h2']]) {
        const socket = connectTls(Number(new URL(gateway.consoleUrl).port), '127.0.0.1', {
          ca: gateway.authority,
          ALPNProtocols: offer,
        });
        await once(socket, 'secureConnect');
        chosen.push(socket.alpnProtocol);
        socket.destroy();
      }
      assert.deepEqual(chosen, ['h2', 'http/1.1', 'h2']);
      assert.equal((await askOverTls(gateway)(`${gateway.baseUrl}/models`, key)).status, 200);
    }, needsHttp1);
    await withGateway(async (gateway) => assert.equal(await knock(gateway, gateway.authority), 'CERT_HAS_EXPIRED'), {
      http2: true,
      tls: 'expired',
    });
  });

  it('shows every fault that does not need HTTP/1.1, and refuses the others', async () => {
    await withGateway(async (gateway, key) => {
      const over = askOverHttp2(gateway);
      await seeEveryFault(over, gateway, key, (fault) => fault.needs === undefined);
      const refused = await seeFault(over, gateway, key, 'bad-chunking', 'chat');
      assert.deepEqual([refused.status, /over http\/1\.1 alone/.test(refused.text)], [400, true]);
    }, needsHttp1);
  });

  it('takes a fault by address, by key and for all, as over HTTP/1.1', async () => {
    await withGateway(async (gateway, key) => {
      const over = askOverHttp2(gateway);
      const byKey = gateway.createKey({ name: 'faulty', fault: 'string-error' }).value;
      gateway.setFault('html-502');
      const at = (url: string, value: string) => over(`${url}/chat/completions`, value, { body: chatBody() });
      assert.equal((await at(gateway.baseUrl, key)).status, 502);
      assert.match((await at(gateway.baseUrl, byKey)).text, /Unauthorized/);
      assert.equal((await at(gateway.baseUrl.replace('/v1', '/fault/empty-429/v1'), byKey)).status, 429);
    }, needsHttp1);
  });

  it('keeps the key, the body and the count of every request', async () => {
    await withGateway(async (gateway, key) => {
      await askOverHttp2(gateway)(`${gateway.baseUrl}/chat/completions`, key, { body: chatBody() });
      const [recorded] = gateway.requests();
      assert.deepEqual([recorded?.method, recorded?.path], ['POST', '/v1/chat/completions']);
      assert.equal(recorded?.headers.authorization, `Bearer ${key}`);
      assert.deepEqual(JSON.parse(recorded?.body ?? ''), chatBody());
      assert.equal(gateway.postCount(), 1);
    }, needsHttp1);
  });

  /** What a client sees of the stream, whether the connection outlives it, and what the usage log says. */
  const ends: [fault: string, stream: RegExp, survives: boolean, state: string, hasText: boolean][] = [
    ['h2-reset-before-headers', /ERR_HTTP2_STREAM_ERROR/, true, 'error', false],
    ['h2-reset-mid-stream', /broken/, true, 'error', true],
    [
      'h2-goaway-before-headers',
      /ERR_HTTP2_SESSION_ERROR|ERR_HTTP2_STREAM_CANCEL|ERR_HTTP2_GOAWAY/,
      false,
      'error',
      false,
    ],
    ['h2-goaway-mid-stream', /broken/, false, 'error', true],
    ['h2-goaway-then-all', /clean/, false, 'ok', true],
  ];
  for (const [fault, stream, survives, state, hasText] of ends) {
    it(`shows ${fault}`, async () => {
      await withGateway(async (gateway, key) => {
        const session = connect(gateway.consoleUrl, { ca: gateway.authority });
        const goAways: number[] = [];
        session.on('goaway', (code) => goAways.push(code));
        const options = { body: chatBody(), headers: { 'x-fault': fault } };
        const over = askOverHttp2(gateway, session);
        let text = '';
        let end: string;
        try {
          ({ text, end } = await over(`${gateway.baseUrl}/chat/completions`, key, options));
        } catch (error) {
          end = (error as NodeJS.ErrnoException).code ?? String(error);
        }
        assert.match(end, stream);
        assert.equal(text.startsWith('data: {'), hasText);
        assert.equal(text.includes('[DONE]'), state === 'ok');
        if (survives) {
          assert.equal((await over(`${gateway.baseUrl}/models`, key)).status, 200);
        } else {
          assert.ok(await closed(session));
          assert.deepEqual([...new Set(goAways)], [fault === 'h2-goaway-then-all' ? 0 : 2]);
        }
        session.destroy();
        await gateway.settled();
        const [entry] = gateway.usageLog();
        assert.deepEqual([entry?.state, entry?.code], [state, state === 'ok' ? null : fault]);
      }, needsHttp1);
    });
  }

  it('stops charging when the client resets its stream', async () => {
    await withGateway(
      async (gateway, key) => {
        const options = { body: chatBody(), patienceMs: 100 };
        const seen = await askOverHttp2(gateway)(`${gateway.baseUrl}/chat/completions`, key, options);
        assert.equal(seen.end, 'open');
        await gateway.settled();
        assert.equal(gateway.usageLog()[0]?.state, 'client_gone');
      },
      { http2: true, delayMs: 20 },
    );
  });
});
