import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { Carrier } from '../../../../src/node/network/carrier.ts';
import type { Dialer } from '../../../../src/node/network/dialer.ts';
import { startGateway } from '../../../gateway/gateway.ts';

test('a request that is aborted while it connects ends at once, and is not sent over the connection that comes', async () => {
  const gateway = await startGateway();
  let dial = () => {};
  const dialled = new Promise<void>((resolve) => {
    dial = resolve;
  });
  let dials = 0;
  const dialer: Pick<Dialer, 'open'> = {
    open: async () => {
      dials++;
      await dialled;
      const { hostname, port } = new URL(gateway.baseUrl);
      return new Promise<Socket>((resolve) => {
        const socket = connect(Number(port), hostname, () => resolve(socket));
      });
    },
  };
  const carrier = new Carrier(dialer as Dialer, undefined);
  try {
    const send = (method: 'GET' | 'POST', path: string, signal: AbortSignal) => {
      const url = `${gateway.baseUrl}/${path}`;
      const body = method === 'POST' ? { body: '{}' } : {};
      return carrier.send(new URL(url), { method, url, headers: {}, connectTimeoutMs: 1_000, ...body }, signal);
    };
    const abort = new AbortController();
    const stopped = send('POST', 'chat/completions', abort.signal);
    const goesOn = send('GET', 'models', new AbortController().signal);
    abort.abort();
    await assert.rejects(stopped, { name: 'AbortError' });
    assert.ok(dials > 0, 'it was connecting');
    dial();
    const { body } = await goesOn;
    body.resume();
    await new Promise((resolve) => body.once('close', resolve));
    await gateway.settled();
    assert.deepEqual(
      gateway.requests().map(({ method }) => method),
      ['GET'],
    );
  } finally {
    await carrier.destroy();
    await gateway.close();
  }
});
