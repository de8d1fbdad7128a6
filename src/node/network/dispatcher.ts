import { isIP, type Socket } from 'node:net';
import type { Dispatcher, Pool } from 'undici';
import api from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import UndiciPool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { ConnectError } from '../../core/network/connectError.ts';
import type { Environment, NetworkSettings } from '../../core/network/networkSettings.ts';
import { ProxyError } from '../../core/network/proxyError.ts';
import { chooseRoute, type ProxyServer, proxyOf } from '../../core/network/route.ts';
import type { Trust } from './authorities.ts';

/** How connections to a gateway are made. */
export type ConnectOptions = {
  /** Without it they go straight to the gateway. */
  readonly proxy?: ProxyServer | undefined;
  /** The proxy takes whole requests, because they are in clear; otherwise it opens a tunnel. */
  readonly isForwarded: boolean;
  /** Whether an `https:` proxy has to prove who it is. A gateway always has to. */
  readonly proxyStrictSsl: boolean;
  /** For each of: the connection to the first host, the tunnel, TLS with the gateway. */
  readonly connectTimeoutMs: number;
};

export type DispatcherOptions = ConnectOptions & {
  readonly trust: Trust;
  /** Breaks connections that are being made. */
  readonly signal: AbortSignal;
};

/** What is called with a connection to the gateway before a request is written; what it throws ends the connection. */
export type Inspect = (socket: Socket) => void;

/** Shorter than the 5 s after which common servers close an idle socket, so that a question never meets a dead one. */
const idleMs = 3_000;
/** The core keeps the time, so undici's own timeouts for headers and body are off. */
const clientOptions: Pool.Options = {
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: idleMs,
  keepAliveMaxTimeout: idleMs,
  pipelining: 1,
};

type Connector = buildConnector.connector;

/** @throws ConnectError when a proxy is set that can't be used: the key takes no other route instead. */
export function connectOptionsOf(
  url: URL,
  connectTimeoutMs: number,
  settings: NetworkSettings,
  environment: Environment,
): ConnectOptions {
  const choice = chooseRoute(url.href, settings, environment);
  try {
    const proxy = proxyOf(choice);
    const isForwarded = proxy !== undefined && url.protocol === 'http:';
    return { proxy, isForwarded, proxyStrictSsl: settings.proxyStrictSsl, connectTimeoutMs };
  } catch (error) {
    throw new ConnectError(error);
  }
}

/** Sends one request, once. */
export function sendOver(dispatcher: Dispatcher, request: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
  return api.request.call(dispatcher, request);
}

/**
 * Opens undici's dispatcher for one route: HTTP/1.1, straight or through a proxy. What fails before a request is written is a
 * `ConnectError`; what a proxy is the reason of, a `ProxyError` in its `cause`.
 */
export function openDispatcher(options: DispatcherOptions, inspect: Inspect = () => undefined): Dispatcher {
  const { proxy, isForwarded, proxyStrictSsl } = options;
  if (proxy === undefined) {
    return new Agent({ ...clientOptions, connect: checked(buildConnector(tlsOptions(options, true)), inspect) });
  }
  const toProxy = buildConnector(tlsOptions(options, proxyStrictSsl));
  if (isForwarded) {
    return new Agent({ ...clientOptions, connect: checked(blaming(proxy, toProxy), inspect) });
  }
  return new ProxyAgent({
    ...clientOptions,
    uri: proxy.origin,
    ...(proxy.authorization !== undefined && { token: proxy.authorization }),
    requestTls: tlsOptions(options, true),
    clientFactory: (origin) => tunnelClient(origin, proxy, blaming(proxy, toProxy), options.connectTimeoutMs),
    factory: (origin, given: { readonly connect?: Connector }) =>
      new UndiciPool(origin, { ...given, ...(given.connect && { connect: checked(given.connect, inspect) }) }),
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
    // The context counts. That a list is named keeps VS Code's own `tls.connect` from adding to it.
    ca: [],
    // Said each time: left out, NODE_TLS_REJECT_UNAUTHORIZED=0 would switch the check off.
    rejectUnauthorized: isChecked,
    // undici keeps sessions of connections that were refused, and a session that is resumed is not checked again.
    maxCachedSessions: 0,
  };
}

/** Marks what fails as unsent, and makes an error afterwards the end of the connection. */
function checked(connect: Connector, inspect: Inspect): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      try {
        if (error !== null) {
          throw error;
        }
        inspect(socket);
      } catch (reason) {
        socket?.destroy();
        callback(new ConnectError(reason), null);
        return;
      }
      // Node leaves a socket open after an error of TLS, and undici waits for its end.
      socket.on('error', () => socket.destroy());
      callback(null, socket);
    });
}

/** Names the proxy as the reason of what fails. */
function blaming(proxy: ProxyServer, connect: Connector): Connector {
  return ({ servername = '', ...options }, callback) =>
    // An address is no server name (RFC 6066 section 3).
    connect({ ...options, ...(isIP(servername) === 0 && { servername }) }, (...[error, socket]) =>
      error === null ? callback(null, socket) : callback(unreachable(proxy, error), null),
    );
}

/** What asks a proxy for tunnels. undici's own says only the status of a refusal. */
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
 * A proxy's refusal; of a 407, `detail` is the ways of authorization it would take.
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

/** The connection to the proxy stood, and no tunnel came of it. */
function notTunnelled(proxy: ProxyServer, error: unknown): unknown {
  const { name, setting } = proxy;
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    return unreachable(proxy, Object.assign(new Error('No tunnel in time'), { code: 'UND_ERR_CONNECT_TIMEOUT' }));
  }
  const isUnreadable =
    code === 'UND_ERR_HEADERS_OVERFLOW' || (error instanceof Error && error.name === 'HTTPParserError');
  const detail = isUnreadable ? 'it does not speak HTTP' : 'it hung up';
  return new ProxyError({ proxy: name, setting, trouble: 'refused', detail }, error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
