import assert from 'node:assert/strict';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { cleanApiKey } from '../../../src/core/secrets/apiKey.ts';
import { newTlsIdentity } from '../../gateway/network/certificate.ts';
import { certificateFile, ownNetwork } from '../node/network/networkFixture.ts';
import type { QuirkTest } from './quirkTest.ts';
import { plainWire, tlsWire } from './wire.ts';
import {
  faultless,
  holdsKey,
  listen,
  newClient,
  type OwnGateway,
  ownGateway,
  pictureOf,
  readList,
  targetOf,
} from './wireCall.ts';

const overTls = tlsWire();

async function checkReply(own: OwnGateway, fault: string | undefined, expected: Record<string, unknown>) {
  const received = await listen(newClient(), own.target(fault)).received;
  const picture = await pictureOf(received, own);
  assert.deepEqual({ ...picture, posts: 1, foreign: 0, hasKey: false, ...expected }, picture);
}

const whole = { outcome: 'complete', kind: undefined, text: 'whole', usage: 'same' };

/** Invalid certificates with the error code for each. The client refuses them before it sends a request. */
const certificates = [
  ['expired', 'CERT_HAS_EXPIRED', overTls],
  ['not-yet-valid', 'CERT_NOT_YET_VALID', overTls],
  ['wrong-host', 'ERR_TLS_CERT_ALTNAME_INVALID', overTls],
  ['no-chain', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', overTls],
  ['self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT', plainWire],
  ['unknown-authority', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', plainWire],
  ['unknown-chain', 'SELF_SIGNED_CERT_IN_CHAIN', plainWire],
] as const;

/** TLS, HTTP versions, reused connections, and addresses and keys as people type them. */
export const connectionTests: readonly QuirkTest[] = [
  ...certificates.map(([tls, code, wire]) => ({
    title: `Q68 reports what is wrong with a certificate (${tls}): ${code}, and sends nothing`,
    wire,
    async run() {
      await using own = await ownGateway({ tls });
      const expected = { outcome: 'failed', kind: 'certificate', text: 'none', posts: 0 };
      await checkReply(own, undefined, expected);
      const listed = await readList(newClient(), own.target());
      assert.ok('problem' in listed);
      assert.deepEqual([listed.problem.kind, listed.problem.code], ['certificate', code]);
    },
  })),
  {
    title: 'Q68 accepts a certificate of a trusted authority',
    wire: overTls,
    async run() {
      await using own = await ownGateway();
      await checkReply(own, undefined, whole);
    },
  },
  {
    title: 'Q76 uses HTTP/1.1 even when the gateway offers HTTP/2',
    wire: overTls,
    async run() {
      const identity = newTlsIdentity('good');
      const versions: string[] = [];
      const server = createSecureServer({ ...identity, allowHTTP1: true }, (request, response) => {
        versions.push(request.httpVersion);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[{"id":"a/b"}]}');
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      await using authority = await certificateFile(identity.authority);
      await using network = ownNetwork({}, { NODE_EXTRA_CA_CERTS: authority.path });
      const target = targetOf(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, 'sk-Http0123456789');
      const listed = await readList(newClient({ transport: network.send }), target);
      assert.deepEqual('models' in listed && listed.models.map(({ id }) => id), ['a/b'], JSON.stringify(listed));
      assert.deepEqual(versions, ['1.1']);
      await network.close();
      server.close();
    },
  },
  {
    title: 'Q72 opens a new connection after the gateway closed the idle one',
    async run() {
      await using own = await ownGateway();
      for (let question = 1; question <= 3; question++) {
        const { end } = await listen(newClient(), own.target('closed-when-idle:10')).received;
        assert.equal(end.outcome, 'complete');
        assert.equal(own.gateway.postCount(), question);
        // Several short waits, because on a busy machine one may end before the client has read the close.
        for (let turn = 0; turn < 5; turn++) {
          await wait(20);
        }
      }
    },
  },
  {
    title: 'Q72 does not repeat a chat request when a reused connection is reset before the answer',
    async run() {
      await using own = await ownGateway();
      // On a busy machine a call can get a new connection, which is not reset.
      for (let calls = 1, isReset = false; !isReset; calls++) {
        assert.ok(calls <= 10 && 'models' in (await readList(newClient(), own.target())));
        await wait(50);
        const { end, text } = await listen(newClient(), own.target('reset-when-reused')).received;
        await wait(60);
        assert.equal(own.gateway.postCount(), calls);
        isReset = end.problem?.kind === 'cut' && end.outcome === 'failed' && text === '';
        assert.ok(isReset || end.outcome === 'complete');
      }
    },
  },
  {
    title: 'Q64 reaches a local gateway by the name localhost, and reports [::1] as unreachable',
    async run() {
      await using own = await ownGateway();
      const { port } = new URL(own.gateway.baseUrl);
      const { end, text } = await listen(newClient(), targetOf(`localhost:${port}`, own.key)).received;
      assert.deepEqual([end.outcome, text], ['complete', (await faultless()).text]);
      const listed = await readList(newClient(), targetOf(`http://[::1]:${port}`, own.key));
      assert.ok('problem' in listed);
      assert.equal(listed.problem.kind, 'unreachable');
      assert.equal(listed.problem.host, `[::1]:${port}`);
      assert.equal(own.gateway.postCount(), 1);
    },
  },
  {
    title:
      'Q62 looks for the model list beside a chat address without a version, then at /v1/models (blue-pen5805/llm-proxy-on-cloudflare-workers#40)',
    async run() {
      await using own = await ownGateway();
      const target = targetOf(`${own.gateway.consoleUrl}/v1/compat/chat/completions`, own.key);
      const listed = await readList(newClient(), target);
      assert.ok('models' in listed, JSON.stringify(listed));
      const rejected = await readList(newClient(), { ...target, key: 'sk-wrong' });
      assert.equal('problem' in rejected && rejected.problem.kind, 'keyRejected');
      const paths = ['GET /v1/compat/models', 'GET /v1/models'];
      assert.deepEqual(
        own.gateway.requests().map(({ method, path }) => `${method} ${path}`),
        [...paths, ...paths],
      );
      const nowhere = { ...target, url: { ...target.url, otherModelsUrl: `${target.url.modelsUrl}/none` } };
      const missing = await readList(newClient(), nowhere);
      assert.equal('problem' in missing && missing.problem.kind, 'wrongAddress');
      assert.equal(own.gateway.postCount(), 0);
    },
  },
  {
    title: 'Q87 cleans a pasted key, and refuses an invalid one without repeating it',
    async run() {
      await using own = await ownGateway();
      for (const pasted of [
        `  ${own.key}\n`,
        `Bearer ${own.key}`,
        `"${own.key}"`,
        `Authorization: Bearer ${own.key}`,
      ]) {
        const cleaned = cleanApiKey(pasted);
        assert.ok(cleaned.ok);
        const listed = await readList(newClient(), targetOf(own.gateway.baseUrl, cleaned.value));
        assert.ok('models' in listed);
      }
      for (const pasted of [
        `${own.key}\nx: y`,
        own.key.replace('-', '-\u200b'),
        `${own.key}é`,
        `${own.key} ${own.key}`,
      ]) {
        const refused = cleanApiKey(pasted);
        assert.ok(!refused.ok && !holdsKey(refused, own.key));
        // The client doesn't repeat such a key either.
        const received = await listen(newClient(), targetOf(own.gateway.baseUrl, pasted)).received;
        assert.equal(received.end.outcome, 'failed');
        assert.equal(holdsKey(received, own.key), false, JSON.stringify(received));
      }
    },
  },
  {
    title: 'Q30 sends a new call without stream_options when requested',
    async run() {
      await using own = await ownGateway();
      const target = own.target('stream-options-rejected');
      const first = await listen(newClient(), target).received;
      assert.equal(first.end.problem?.kind, 'usageOptionRejected');
      assert.equal(own.gateway.postCount(), 1);
      const second = await listen(newClient(), target, undefined, { withoutUsage: true }).received;
      assert.deepEqual([second.end.outcome, second.end.usage], ['complete', undefined]);
      assert.equal(own.gateway.postCount(), 2);
    },
  },
];
