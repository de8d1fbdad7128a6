import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Dispatcher, ProxyAgent, request } from 'undici';
import type { Gateway, GatewayOptions } from '../../gateway/gateway.ts';
import { type LocalProxy, startProxy } from '../../gateway/network/proxy.ts';
import { withGateway } from './askGateway.ts';

function withProxy(
  test: (proxy: LocalProxy, gateway: Gateway, key: string) => Promise<void>,
  credentials: string | undefined,
  options?: GatewayOptions,
): Promise<void> {
  return withGateway(async (gateway, key) => {
    const port = Number(new URL(gateway.baseUrl).port);
    const proxy = await startProxy({ port, credentials });
    try {
      await test(proxy, gateway, key);
    } finally {
      await proxy.close();
    }
  }, options);
}

/** Requests the model list through this dispatcher, returns the status, and closes the dispatcher. */
async function modelsThrough(dispatcher: Dispatcher, origin: string, key: string): Promise<number> {
  try {
    const headers = { authorization: `Bearer ${key}` };
    const { statusCode, body } = await request(`${origin}/v1/models`, { dispatcher, headers });
    await body.dump();
    return statusCode;
  } finally {
    await dispatcher.destroy();
  }
}

describe('the proxy in front of a local gateway', () => {
  it('requires its credentials and answers 407 without them', async () => {
    await withProxy(async ({ url, tunnels }, gateway, key) => {
      const stranger = new ProxyAgent({ uri: url, proxyTunnel: true });
      await assert.rejects(modelsThrough(stranger, gateway.consoleUrl, key), /407/);
      const token = `Basic ${Buffer.from('name:password').toString('base64')}`;
      const known = new ProxyAgent({ uri: url, token, proxyTunnel: true });
      assert.equal(await modelsThrough(known, gateway.consoleUrl, key), 200);
      assert.deepEqual(
        tunnels().map((tunnel) => tunnel.isAllowed),
        [false, true],
      );
      assert.equal(gateway.requests().length, 1);
    }, 'name:password');
  });

  it('tunnels every host to the gateway over TLS', async () => {
    const test = async ({ url, tunnels }: LocalProxy, gateway: Gateway, key: string) => {
      const agent = new ProxyAgent({ uri: url, requestTls: { ca: gateway.authority }, proxyTunnel: true });
      assert.equal(await modelsThrough(agent, 'https://gateway.invalid', key), 200);
      assert.deepEqual(tunnels(), [{ target: 'gateway.invalid:443', isAllowed: true }]);
    };
    await withProxy(test, undefined, { tls: 'wrong-host' });
  });
});
