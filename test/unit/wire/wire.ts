import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transport } from '../../../src/core/http/transport.ts';
import { sendByFetch } from '../../../src/node/network/fetchTransport.ts';
import { openNetwork } from '../../../src/node/network/undiciTransport.ts';
import type { Gateway, GatewayOptions } from '../../gateway/gateway.ts';
import { defaultNetworkSettings } from '../core/network/defaultNetworkSettings.ts';
import { certificateFile, prime } from '../node/network/networkFixture.ts';
import { send } from '../node/network/standardNetwork.ts';

/** A transport for these tests, with the gateway options it needs. */
export interface Wire {
  readonly gateway: GatewayOptions;
  /** Prepares the transport for one gateway. */
  attach(gateway: Gateway): Promise<AsyncDisposable>;
  readonly transport: Transport;
}

const nothing = async () => ({ [Symbol.asyncDispose]: async () => undefined });

/** undici without TLS and with default settings. */
export const plainWire: Wire = { gateway: {}, attach: nothing, transport: send };

/** The global `fetch`, which VS Code replaces in the extension host. */
export const fetchWire: Wire = { gateway: {}, attach: nothing, transport: sendByFetch };

/** undici over TLS, trusting each gateway's own certificate authority. */
export function tlsWire(): Wire {
  const networks = new Map<string, Transport>();
  return {
    gateway: { tls: 'good' },
    async attach(gateway) {
      const authority = await certificateFile(gateway.authority);
      const settings = { ...defaultNetworkSettings, systemCertificates: false };
      const network = openNetwork(() => settings, { NODE_EXTRA_CA_CERTS: authority.path });
      networks.set(gateway.consoleUrl, network.send);
      // Loads the extra authority before the test starts. The test itself reports a certificate that is still invalid.
      await prime(network.send, gateway.consoleUrl).catch(() => undefined);
      return {
        async [Symbol.asyncDispose]() {
          networks.delete(gateway.consoleUrl);
          await network.close();
          await authority[Symbol.asyncDispose]();
        },
      };
    },
    transport: (request, signal) => (networks.get(new URL(request.url).origin) ?? send)(request, signal),
  };
}

const running = new AsyncLocalStorage<Wire>();

/** The wire of the running test. */
export function currentWire(): Wire {
  return running.getStore() ?? plainWire;
}

export function runOver<T>(wire: Wire, run: () => T): T {
  return running.run(wire, run);
}
