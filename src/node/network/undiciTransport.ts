import type { Transport } from '../../core/http/transport.ts';
import type { NetworkProbe } from '../../core/network/networkProbe.ts';
import {
  defaultNetworkSettings,
  type Environment,
  isSameSettings,
  type NetworkSettings,
} from '../../core/network/networkSettings.ts';
import { chooseRoute, routeVariables } from '../../core/network/route.ts';
import { Authorities } from './authorities.ts';
import { Carrier } from './carrier.ts';
import { Dialer } from './dialer.ts';
import { networkProbe } from './networkProbe.ts';
import { readResponse } from './rawResponse.ts';
import { type Way, wayOf } from './way.ts';

/** The way to gateways: what carries requests, and what looks at the way without sending one. */
export type Network = {
  /** A `Transport`; whoever has read the settings already hands them on. */
  readonly send: (...of: [...Parameters<Transport>, settings?: NetworkSettings]) => ReturnType<Transport>;
  readonly probe: NetworkProbe;
  /** Breaks what runs; the next request would open new connections. */
  close(): Promise<void>;
};

/** Where a request goes, by which way, and what decided that. */
type Choice = {
  readonly address: string;
  readonly url: URL;
  readonly settings: NetworkSettings;
  readonly connectTimeoutMs: number;
  readonly carrier: Carrier;
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
  /** How the last request went: most go the same way to the same address, and all wait for this choice. */
  let last: Choice | undefined;

  function choose(address: string, connectTimeoutMs: number, settings: NetworkSettings): Choice {
    const known =
      last?.connectTimeoutMs === connectTimeoutMs && isSameSettings(last.settings, settings) ? last : undefined;
    if (known?.address === address) {
      return known;
    }
    const url = new URL(address);
    const isSameHost = known?.url.host === url.host && known.url.protocol === url.protocol;
    const carrier = isSameHost
      ? known.carrier
      : carrierOf(url.protocol, wayOf(chooseRoute(address, settings, variables), settings, connectTimeoutMs));
    last = { address, url, settings, connectTimeoutMs, carrier };
    return last;
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
    async send(request, signal, settings = readSettings()) {
      const { url, carrier } = choose(request.url, request.connectTimeoutMs, settings);
      return readResponse(await carrier.send(url, request, signal));
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
