import type { Transport } from '../core/gateway/transport.ts';
import type { NetworkProbe } from '../core/network/networkProbe.ts';
import {
  defaultNetworkSettings,
  type Environment,
  isSameSettings,
  type NetworkSettings,
} from '../core/network/networkSettings.ts';
import { chooseRoute, routeVariables } from '../core/network/route.ts';
import { Authorities } from './authorities.ts';
import { Carrier } from './carrier.ts';
import { Dialer } from './dialer.ts';
import { networkProbe } from './networkProbe.ts';
import { readResponse } from './rawResponse.ts';
import { type Way, wayOf } from './way.ts';

/** The way to gateways: what carries requests, and what looks at the way without sending one. */
export type Network = {
  readonly send: Transport;
  readonly probe: NetworkProbe;
  /** Breaks what runs; the next request would open new connections. */
  close(): Promise<void>;
};

/**
 * Opens the network as settings and environment stand at each request. Built as a chunk of its own and loaded by the
 * first request. Redirects and retries are undici's extras and stay out; its own header and body timeouts are off, because the core
 * keeps the time.
 */
export function openNetwork(readSettings: () => NetworkSettings, environment: Environment): Network {
  const authorities = new Authorities(environment);
  const variables = routeVariables(environment);
  const carriers = new Map<string, Carrier>();
  /** What the last request went by: most take the same way, and all wait for this choice. */
  let last: { url: URL; settings: NetworkSettings; connectTimeoutMs: number; carrier: Carrier } | undefined;

  function carrierFor(url: URL, connectTimeoutMs: number): Carrier {
    const settings = readSettings();
    if (
      last?.connectTimeoutMs === connectTimeoutMs &&
      last.url.host === url.host &&
      last.url.protocol === url.protocol &&
      isSameSettings(last.settings, settings)
    ) {
      return last.carrier;
    }
    const way = wayOf(chooseRoute(url.href, settings, variables), settings, connectTimeoutMs);
    const carrier = carrierOf(url.protocol, way);
    last = { url, settings, connectTimeoutMs, carrier };
    return carrier;
  }

  function carrierOf(protocol: string, way: Way): Carrier {
    const key = JSON.stringify([protocol, way]);
    const known = carriers.get(key);
    if (known !== undefined) {
      return known;
    }
    for (const [other, carrier] of carriers) {
      if (carrier.isForgotten) {
        carriers.delete(other);
        void carrier.destroy();
      }
    }
    const carrier = new Carrier(new Dialer(authorities, way), protocol === 'http:' ? way.proxy : undefined);
    carriers.set(key, carrier);
    return carrier;
  }

  return {
    async send(request, signal) {
      const url = new URL(request.url);
      // A compressed event stream is often held back by whoever compresses it; a list of 5,000 models is worth it.
      const headers = { 'accept-encoding': request.method === 'GET' ? 'gzip, br' : 'identity', ...request.headers };
      const carrier = carrierFor(url, request.connectTimeoutMs);
      return readResponse(await carrier.send(url, { ...request, headers }, signal));
    },
    probe: networkProbe(readSettings, variables, authorities),
    async close() {
      const open = [...carriers.values()];
      carriers.clear();
      last = undefined;
      await Promise.all(open.map((carrier) => carrier.destroy()));
    },
  };
}

const standard = openNetwork(() => defaultNetworkSettings, process.env);

/** Sends one request where nothing but the environment says how; see `Transport`. */
export const send: Transport = standard.send;

/** Closes what `send` opened. */
export const close: Network['close'] = standard.close;
