import type { Dispatcher } from 'undici';
import type { Transport, TransportRequest, TransportResponse } from '../../core/http/transport.ts';
import type { NetworkProbe } from '../../core/network/networkProbe.ts';
import type { Environment, NetworkSettings } from '../../core/network/networkSettings.ts';
import type { ProxyServer } from '../../core/network/route.ts';
import { Authorities, type Trust } from './authorities.ts';
import { acceptedEncodings, decodeBody } from './decodeBody.ts';
import { type ConnectOptions, connectOptionsOf, openDispatcher, refusal, sendOver } from './dispatcher.ts';
import { networkProbe } from './networkProbe.ts';
import { unlessAborted } from './unlessAborted.ts';

/** The way to gateways: what carries requests, and what looks at the way without sending one. */
export type Network = {
  /** A `Transport`; whoever has read the settings already hands them on. */
  readonly send: (...of: [...Parameters<Transport>, settings?: NetworkSettings]) => ReturnType<Transport>;
  readonly probe: NetworkProbe;
  /** Breaks what runs; the next request would open new connections. */
  close(): Promise<void>;
};

/** Routes whose connections are kept; most people have one. */
const maxDispatchers = 8;

/**
 * Opens the network as settings and environment stand at each request. Built as a chunk of its own and loaded by the
 * first request. Redirects and retries are undici's extras and stay out.
 */
export function openNetwork(readSettings: () => NetworkSettings, environment: Environment): Network {
  const authorities = new Authorities(environment);
  // The process's own is slow to ask: each request would wait a tenth of a millisecond for it.
  const variables = { ...environment };
  const dispatchers = new Map<string, Dispatcher>();
  let open = new AbortController();

  function dispatcherFor(options: ConnectOptions, trust: Trust): Dispatcher {
    const key = JSON.stringify([options, trust.fingerprint]);
    const known = dispatchers.get(key);
    if (known !== undefined) {
      return known;
    }
    const [[oldest, unused] = []] = dispatchers;
    if (dispatchers.size >= maxDispatchers && oldest !== undefined) {
      dispatchers.delete(oldest);
      // After what runs there.
      void unused?.close();
    }
    const dispatcher = openDispatcher({ ...options, trust, signal: open.signal });
    dispatchers.set(key, dispatcher);
    return dispatcher;
  }

  return {
    async send(request, signal, settings = readSettings()) {
      const url = new URL(request.url);
      const options = connectOptionsOf(url, request.connectTimeoutMs, settings, variables);
      return await authorities.trusting(settings.systemCertificates, request.connectTimeoutMs, signal, (trust) =>
        exchange(dispatcherFor(options, trust), options, url, request, signal),
      );
    },
    probe: networkProbe(readSettings, variables, authorities),
    async close() {
      const all = [...dispatchers.values()];
      dispatchers.clear();
      open.abort();
      open = new AbortController();
      await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
    },
  };
}

async function exchange(
  dispatcher: Dispatcher,
  { proxy, isForwarded }: ConnectOptions,
  url: URL,
  { method, headers, body }: TransportRequest,
  signal: AbortSignal,
): Promise<TransportResponse> {
  const accepted = { 'accept-encoding': acceptedEncodings(method) };
  const forwarder = isForwarded ? proxy : undefined;
  const path = url.pathname + url.search;
  const sent = sendOver(dispatcher, {
    origin: forwarder?.origin ?? url.origin,
    path: forwarder ? url.origin + path : path,
    method,
    headers: { ...(forwarder && forwardedHeaders(forwarder, url)), ...accepted, ...headers },
    body: body ?? null,
    signal,
  });
  // While it connects, undici only remembers that it was aborted; nothing is sent then, but its promise waits.
  const response = await unlessAborted(sent, signal);
  if (forwarder && response.statusCode === 407) {
    response.body.on('error', () => undefined).destroy();
    throw refusal(forwarder, 407, response.headers['proxy-authenticate']);
  }
  const named = joined(response.headers);
  return { status: response.statusCode, headers: named, body: decodeBody(response.body, named['content-encoding']) };
}

/** What a proxy that takes whole requests needs: the gateway's name, and what the proxy alone may know. */
function forwardedHeaders({ authorization }: ProxyServer, { host }: URL): Record<string, string> {
  return { host, ...(authorization !== undefined && { 'proxy-authorization': authorization }) };
}

/** Headers by their names in lower case, repeated ones joined. */
function joined(raw: NodeJS.Dict<string | string[]>): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) {
      headers[name.toLowerCase()] = [value].flat().join(', ');
    }
  }
  return headers;
}
