import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { mayBeCharged } from '../../../../src/core/errors/gatewayProblem.ts';
import { byCases } from '../../propertyRuns.ts';
import { listen, newClient, ownGateway, targetOf } from '../../wire/wireCall.ts';
import { certificateFile, ownNetwork, prime } from './networkFixture.ts';
import { type ConnectionFault, type Direction, type FaultKind, faultKinds, startTlsRelay } from './tlsRelay.ts';

/** For each kind of fault in each phase of a call; `test:long` tries 300 faults in all. */
const positions = byCases(6, 6, 25);
/** Shorter than the time limits of a call. */
const limitMs = 10_000;
/** Several TLS records. */
const longQuestion = 'What does this do? '.repeat(5_000);

test('a connection that breaks at any byte ends its call without waiting for a time limit, and a written request is never reported as unsent', async () => {
  await using own = await ownGateway({ tls: 'good' });
  await using authority = await certificateFile(own.gateway.authority);
  await using relay = await startTlsRelay(Number(new URL(own.gateway.baseUrl).port));
  await using network = ownNetwork({}, { NODE_EXTRA_CA_CERTS: authority.path });
  const target = targetOf(`https://127.0.0.1:${relay.port}/v1`, own.key);
  const ask = async () => {
    const { connections } = relay;
    const request = { messages: [{ role: 'user', content: longQuestion }] } as const;
    const { end, text } = await listen(newClient({ transport: network.send }), target, undefined, request).received;
    const tookMs = performance.now() - (relay.brokenAt ?? Number.NaN);
    assert.equal(relay.connections - connections, 1, 'one connection for one call');
    return { end, text, tookMs };
  };
  await prime(network.send, new URL(own.gateway.baseUrl).origin);
  const socket = connect({ port: relay.port, host: '127.0.0.1', ca: own.gateway.authority });
  await once(socket, 'secureConnect');
  socket.destroy();
  const handshake = { ...relay.passed };
  assert.equal((await ask()).end.outcome, 'complete');
  const whole = { ...relay.passed };
  await network.close();

  const between = (kind: FaultKind, direction: Direction, from: number, to: number): ConnectionFault[] =>
    Array.from({ length: positions }, (_, index) => {
      return { kind, direction, afterBytes: Math.floor(from + ((to - from) * index) / positions) };
    });
  const faults = faultKinds.flatMap((kind) => [
    ...between(kind, 'up', 0, handshake.up),
    ...between(kind, 'up', handshake.up, whole.up),
    ...between(kind, 'down', handshake.down, whole.down),
  ]);
  let [written, unsent] = [0, 0];
  for (const fault of faults) {
    const what = JSON.stringify(fault);
    await own.gateway.settled();
    const posts = own.gateway.postCount();
    relay.fault = fault;
    const { end, text, tookMs } = await ask();
    assert.ok(tookMs < limitMs, `${what} ended after ${tookMs} ms`);
    await own.gateway.settled();
    const sent = own.gateway.postCount() - posts;
    assert.ok(sent <= 1, `${what} sent ${sent} times`);
    assert.ok(end.outcome !== 'complete' && end.problem !== undefined, what);
    const isReportedUnsent = !mayBeCharged(end.problem, text !== '');
    assert.ok(
      sent === 0 || !isReportedUnsent,
      `${what} was written and reported as unsent: ${JSON.stringify(end.problem)}`,
    );
    written += sent;
    unsent += isReportedUnsent ? 1 : 0;
  }
  assert.equal(faults.length, 12 * positions);
  assert.ok(written > 5 * positions && unsent > 3 * positions, `${written} written, ${unsent} reported as unsent`);
});
