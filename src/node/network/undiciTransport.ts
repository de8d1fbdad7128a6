import type { Dispatcher } from 'undici';
import type { Transport, TransportRequest, TransportResponse } from '../../core/http/transport.ts';
import type { Environment, NetworkSettings } from '../../core/network/networkSettings.ts';
import type { ProxyServer } from '../../core/network/route.ts';
import { Authorities, type Trust } from './authorities.ts';
import { acceptedEncodings, decodeBody } from './decodeBody.ts';
import { type ConnectOptions, connectOptionsOf, openDispatcher, refusal, sendOver } from './dispatcher.ts';
import { unlessAborted } from './unlessAborted.ts';

/** Access to gateways. */
export type Network = {
  readonly send: Transport;
  /** Aborts running requests and closes all connections; the next request opens new ones. */
  close(): Promise<void>;
};

/**
 * Opens the network. Settings are read at each request. Built as a separate chunk, which the first request loads.
 * Redirects and retries are optional in undici and not used.
 */
export function openNetwork(readSettings: () => NetworkSettings, environment: Environment): Network {
  const authorities = new Authorities(environment);
  // A copy: reading `process.env` would cost each request a tenth of a millisecond.
  const variables = { ...environment };
  /** By connection options and authorities. Usually one; more only after a change of settings or authorities. */
  const dispatchers = new Map<string, Dispatcher>();
  let closing = new AbortController();

  function dispatcherFor(options: ConnectOptions, trust: Trust): Dispatcher {
    const key = JSON.stringify([options, trust.fingerprint]);
    const dispatcher = dispatchers.get(key) ?? openDispatcher({ ...options, trust, signal: closing.signal });
    dispatchers.set(key, dispatcher);
    return dispatcher;
  }

  return {
    async send(request, signal) {
      const settings = readSettings();
      const url = new URL(request.url);
      const options = connectOptionsOf(url, request.connectTimeoutMs, settings, variables);
      return await authorities.withTrust(settings.systemCertificates, request.connectTimeoutMs, signal, (trust) =>
        exchange(dispatcherFor(options, trust), options, url, request, signal),
      );
    },
    async close() {
      const all = [...dispatchers.values()];
      dispatchers.clear();
      closing.abort();
      closing = new AbortController();
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
  // While it connects, undici handles an abort late: nothing is sent then, but its promise stays pending.
  const response = await unlessAborted(sent, signal);
  if (forwarder && response.statusCode === 407) {
    response.body.on('error', () => undefined).destroy();
    throw refusal(forwarder, 407, response.headers['proxy-authenticate']);
  }
  const responseHeaders = joined(response.headers);
  return {
    status: response.statusCode,
    headers: responseHeaders,
    body: decodeBody(response.body, responseHeaders['content-encoding']),
  };
}

/** Headers for a proxy that forwards whole requests: the gateway's host, and the authorization for the proxy itself. */
function forwardedHeaders({ authorization }: ProxyServer, { host }: URL): Record<string, string> {
  return { host, ...(authorization !== undefined && { 'proxy-authorization': authorization }) };
}

/** Headers by lower-case name; repeated ones are joined. */
function joined(raw: NodeJS.Dict<string | string[]>): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) {
      headers[name.toLowerCase()] = [value].flat().join(', ');
    }
  }
  return headers;
}
