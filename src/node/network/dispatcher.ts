import { isIP } from 'node:net';
import type { Dispatcher, Pool } from 'undici';
import api from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import UndiciPool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { ConnectError } from '../../core/network/connectError.ts';
import type { Environment, NetworkSettings } from '../../core/network/networkSettings.ts';
import { ProxyError } from '../../core/network/proxyError.ts';
import { chooseRoute, type ProxyServer } from '../../core/network/route.ts';
import type { Trust } from './authorities.ts';

/** How connections to a gateway are made. */
export type ConnectOptions = {
  /** Without it, connections go directly to the gateway. */
  readonly proxy?: ProxyServer;
  /** Whether the proxy receives and forwards whole requests, which are not encrypted; otherwise it opens a tunnel. */
  readonly isForwarded: boolean;
  /** Whether the certificate of an `https:` proxy is checked. That of a gateway always is. */
  readonly proxyStrictSsl: boolean;
  /** The limit for each of: the connection to the first host, the tunnel, TLS with the gateway. */
  readonly connectTimeoutMs: number;
};

export type DispatcherOptions = ConnectOptions & {
  readonly trust: Trust;
  /** Aborts connections that are being made. */
  readonly signal: AbortSignal;
};

/** Shorter than the 5 s after which common servers close an idle socket, so that no request uses a closed one. */
const idleMs = 3_000;
/** The core has its own timers, so undici's timeouts for headers and body are off. */
const clientOptions: Pool.Options = {
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: idleMs,
  keepAliveMaxTimeout: idleMs,
  pipelining: 1,
};

type Connector = buildConnector.connector;

/** @throws ConnectError when the configured proxy can't be used: the key must not take another route instead. */
export function connectOptionsOf(
  url: URL,
  connectTimeoutMs: number,
  settings: NetworkSettings,
  environment: Environment,
): ConnectOptions {
  try {
    const { proxy } = chooseRoute(url.href, settings, environment);
    const isForwarded = proxy !== undefined && url.protocol === 'http:';
    return { proxy, isForwarded, proxyStrictSsl: settings.proxyStrictSsl, connectTimeoutMs };
  } catch (error) {
    throw new ConnectError(error);
  }
}

/** Sends one request, without retries. */
export function sendOver(dispatcher: Dispatcher, request: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
  return api.request.call(dispatcher, request);
}

/**
 * Opens undici's dispatcher for one route: HTTP/1.1, direct or through a proxy. An error before a request is written is
 * a `ConnectError`; its `cause` is a `ProxyError` when the proxy is the reason.
 */
export function openDispatcher(options: DispatcherOptions): Dispatcher {
  const { proxy, isForwarded, proxyStrictSsl } = options;
  if (proxy === undefined) {
    return new Agent({
      ...clientOptions,
      connect: withConnectErrors(buildConnector(tlsOptions(options, true))),
    });
  }
  const toProxy = buildConnector(tlsOptions(options, proxyStrictSsl));
  if (isForwarded) {
    return new Agent({ ...clientOptions, connect: withConnectErrors(withProxyErrors(proxy, toProxy)) });
  }
  return new ProxyAgent({
    ...clientOptions,
    uri: proxy.origin,
    ...(proxy.authorization !== undefined && { token: proxy.authorization }),
    requestTls: tlsOptions(options, true),
    clientFactory: (origin) => tunnelClient(origin, proxy, withProxyErrors(proxy, toProxy), options.connectTimeoutMs),
    factory: (origin, given: { readonly connect?: Connector }) =>
      new UndiciPool(origin, {
        ...given,
        ...(given.connect && { connect: withConnectErrors(given.connect) }),
      }),
  });
}

function tlsOptions(
  { trust, connectTimeoutMs, signal }: DispatcherOptions,
  isChecked: boolean,
): buildConnector.BuildOptions {
  return {
    timeout: connectTimeoutMs,
    signal,
    secureContext: trust.context,
    // The authorities are in the context. An explicit list keeps VS Code's own `tls.connect` from adding others.
    ca: [],
    // Always set: if omitted, NODE_TLS_REJECT_UNAUTHORIZED=0 would turn the check off.
    rejectUnauthorized: isChecked,
    // undici caches the sessions of refused connections, and a resumed session is not checked again.
    maxCachedSessions: 0,
  };
}

/** Reports failures as `ConnectError`, which means that nothing was sent; a later error closes the connection. */
function withConnectErrors(connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(new ConnectError(error), null);
        return;
      }
      // Node leaves a socket open after a TLS error, and undici waits for its end.
      socket.on('error', () => socket.destroy());
      callback(null, socket);
    });
}

/** Reports failures as errors of the proxy. */
function withProxyErrors(proxy: ProxyServer, connect: Connector): Connector {
  return ({ servername = '', ...options }, callback) =>
    // An IP address is not a valid server name (RFC 6066 section 3).
    connect({ ...options, ...(isIP(servername) === 0 && { servername }) }, (...[error, socket]) =>
      error === null ? callback(null, socket) : callback(unreachable(proxy, error), null),
    );
}

/** Requests tunnels from a proxy. undici's own client reports only the status of a refusal. */
function tunnelClient(origin: URL, proxy: ProxyServer, connect: Connector, headersTimeout: number): Dispatcher {
  const pool = new UndiciPool(origin, { ...clientOptions, headersTimeout, connect });
  const open = async (request: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    let answer: Dispatcher.ConnectData;
    try {
      answer = await api.connect.call(pool, request);
    } catch (error) {
      throw error instanceof ProxyError ? error : notTunnelled(proxy, error);
    }
    if (answer.statusCode === 200) {
      return answer;
    }
    answer.socket.on('error', () => undefined).destroy();
    throw refusal(proxy, answer.statusCode, answer.headers['proxy-authenticate']);
  };
  return Object.assign(pool, { connect: open });
}

/**
 * The error for a proxy's refusal; for a 407, `detail` lists the authentication schemes that the proxy accepts.
 *
 * @param challenges values of `Proxy-Authenticate`.
 */
export function refusal(
  { name, setting }: ProxyServer,
  status: number,
  challenges: string | string[] = [],
): ProxyError {
  const facts = { proxy: name, setting, status };
  if (status !== 407) {
    return new ProxyError({ ...facts, trouble: 'refused' });
  }
  const schemes = [challenges].flat().map((challenge) => /^[\w-]+/.exec(challenge.trim())?.[0] ?? '');
  const detail = [...new Set(schemes.filter(Boolean))].join(', ').slice(0, 200);
  return new ProxyError({ ...facts, trouble: 'authentication', ...(detail !== '' && { detail }) });
}

function unreachable({ name, setting }: ProxyServer, error: unknown): ProxyError {
  const isCertificate = /CERT|SELF_SIGNED|VERIFY|HOSTNAME|^ERR_SSL|^EPROTO$/.test(codeOf(error));
  return new ProxyError({ proxy: name, setting, trouble: isCertificate ? 'certificate' : 'unreachable' }, error);
}

/** The error for a proxy that was reached but opened no tunnel. */
function notTunnelled(proxy: ProxyServer, error: unknown): unknown {
  const { name, setting } = proxy;
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    return unreachable(proxy, Object.assign(new Error('No tunnel in time'), { code: 'UND_ERR_CONNECT_TIMEOUT' }));
  }
  const isUnreadable =
    code === 'UND_ERR_HEADERS_OVERFLOW' || (error instanceof Error && error.name === 'HTTPParserError');
  const detail = isUnreadable ? 'notHttp' : 'closed';
  return new ProxyError({ proxy: name, setting, trouble: 'refused', detail }, error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
