import { once } from 'node:events';
import { isIP } from 'node:net';
import { pipeline, type Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Dispatcher } from 'undici';
import { errorCode } from '../../core/base/loose.ts';
import type { Transport, TransportRequest, TransportResponse } from '../../core/http/transport.ts';
import { isThisMachine } from '../../core/network/hostName.ts';
import { ConnectError, ProxyError } from '../../core/network/networkErrors.ts';
import { chooseProxy, type Environment, type NetworkSettings, type ProxyServer } from '../../core/network/route.ts';
import { Authorities, type Trust } from './authorities.ts';
import { sendByFetch } from './fetchTransport.ts';
import { Agent, api, buildConnector, Pool, ProxyAgent } from './undici.ts';

/** Access to gateways. */
export type Network = {
  readonly send: Transport;
  /** Aborts running requests and closes all connections; the next request opens new ones. */
  close(): Promise<void>;
};

/** How connections to a gateway are made. */
type ConnectOptions = {
  /** Without it, connections go directly to the gateway. */
  readonly proxy?: ProxyServer;
  /** Whether the gateway, or else the proxy, is on this machine. */
  readonly isHere: boolean;
  /** Whether the proxy receives and forwards whole requests, which are not encrypted; otherwise it opens a tunnel. */
  readonly isForwarded: boolean;
  /** Whether the certificate of an `https:` proxy is checked. That of a gateway always is. */
  readonly proxyStrictSsl: boolean;
  /** The limit for each of: the connection to the first host, the tunnel, TLS with the gateway. */
  readonly connectTimeoutMs: number;
};

type Connector = buildConnector.connector;

/** Shorter than the 5 s after which common servers close an idle socket, so that no request uses a closed one. */
const idleMs = 3_000;
/**
 * How long one of several addresses of another machine may take before the next one is tried. Node gives up after 250 ms,
 * which is too short for a distant gateway: without a route for the next address, no connection is ever made
 * (anomalyco/opencode#45178). On this machine it is long enough, and Windows takes 2 s to refuse `::1` (curl/curl#14144).
 */
const addressMs = 2_000;
/** The core has its own timers, so undici's timeouts for headers and body are off. */
const clientOptions: Pool.Options = {
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: idleMs,
  keepAliveMaxTimeout: idleMs,
  pipelining: 1,
};

/**
 * Opens the network. Settings are read at each request. Loaded with the first request. Redirects and retries are optional
 * in undici and not used.
 */
export function openNetwork(readSettings: () => NetworkSettings, environment: Environment): Network {
  const authorities = new Authorities(environment);
  /** By connection options and authorities. Usually one; more only after a change of settings or authorities. */
  const dispatchers = new Map<string, Dispatcher>();
  let closing = new AbortController();

  function dispatcherFor(options: ConnectOptions, trust: Trust): Dispatcher {
    const key = JSON.stringify([options, trust.fingerprint]);
    const dispatcher = dispatchers.get(key) ?? openDispatcher(options, trust, closing.signal);
    dispatchers.set(key, dispatcher);
    return dispatcher;
  }

  return {
    async send(request, signal) {
      const settings = readSettings();
      if (settings.transport === 'host') {
        return sendByFetch(request, signal);
      }
      const url = new URL(request.url);
      const options = connectOptionsOf(url, request.connectTimeoutMs, settings, environment);
      const forwarder = options.isForwarded ? options.proxy : undefined;
      return await authorities.withTrust(settings.systemCertificates, request.connectTimeoutMs, signal, (trust) =>
        exchange(dispatcherFor(options, trust), forwarder, url, request, signal),
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

/** @throws ConnectError when the configured proxy can't be used: the key must not take another route instead. */
function connectOptionsOf(
  url: URL,
  connectTimeoutMs: number,
  settings: NetworkSettings,
  environment: Environment,
): ConnectOptions {
  try {
    const proxy = chooseProxy(url, settings, environment);
    const isForwarded = proxy !== undefined && url.protocol === 'http:';
    const isHere = isThisMachine(proxy ? new URL(proxy.origin).hostname : url.hostname);
    return { proxy, isHere, isForwarded, proxyStrictSsl: settings.proxyStrictSsl, connectTimeoutMs };
  } catch (error) {
    throw new ConnectError(error);
  }
}

/** @param forwarder the proxy that receives the whole request, with its own authorization. */
async function exchange(
  dispatcher: Dispatcher,
  forwarder: ProxyServer | undefined,
  url: URL,
  { method, headers: sentHeaders, body }: TransportRequest,
  signal: AbortSignal,
): Promise<TransportResponse> {
  const path = url.pathname + url.search;
  const sent = api.request.call(dispatcher, {
    origin: forwarder?.origin ?? url.origin,
    path: forwarder ? url.origin + path : path,
    method,
    headers: {
      ...(forwarder && { host: url.host }),
      ...(forwarder?.authorization !== undefined && { 'proxy-authorization': forwarder.authorization }),
      // Servers and proxies that compress an event stream often buffer it; a list of 5,000 models is worth it.
      'accept-encoding': method === 'GET' ? 'gzip, br' : 'identity',
      ...sentHeaders,
    },
    body: body ?? null,
    signal,
  });
  // While it connects, undici handles an abort late: its promise stays pending.
  const stopped = once(signal, 'abort').then(() => Promise.reject(signal.reason));
  const response = await Promise.race([sent, stopped]);
  if (forwarder && response.statusCode === 407) {
    response.body.on('error', () => undefined).destroy();
    throw new ProxyError({ ...named(forwarder), cause: 'authentication', status: 407 });
  }
  const received = Object.entries(response.headers);
  const headers = Object.fromEntries(received.map(([name, value]) => [name, [value ?? []].flat().join(', ')]));
  return { status: response.statusCode, headers, body: decoded(response.body, headers['content-encoding']) };
}

/** Decodes the content encoding of a response (wire Q75). With an unknown encoding, the body stays as received. */
function decoded(body: Readable, encoding = ''): AsyncIterable<Uint8Array> {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  // Flushed after each chunk, so that a compressed stream still streams, and a cut one gives what it contains.
  const decoders: Record<string, () => Transform | undefined> = {
    gzip: () => zlib.createGunzip({ flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH }),
    deflate: () => zlib.createInflate({ flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH }),
    br: () => zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH }),
    // Not in every Node that VS Code comes with.
    zstd: () => zlib.createZstdDecompress?.(),
  };
  const decoder = decoders[encoding.trim().toLowerCase().replace(/^x-/, '')]?.();
  return decoder === undefined ? body : decodedBy(decoder, body);
}

/** What JSON, events and web pages begin with. What is encoded doesn't, or soon has control characters, as Brotli may. */
const plainStart = /^(?!.{0,99}[^\P{Cc}\t\r\n])\s*(?:\{\s*["}]|\[\s*[[{"\]]|<[!\w]|(?:data|event|id|retry)?:)/su;

/** Decodes a body unless it is plain: some relays decode it, and pass on that it is encoded (tombii/better-ccflare#243). */
async function* decodedBy(decoder: Transform, body: Readable): AsyncGenerator<Uint8Array> {
  const pieces: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  const { value: first, done } = await pieces.next();
  const all = (async function* () {
    if (!done) {
      yield first;
      yield* { [Symbol.asyncIterator]: () => pieces };
    }
  })();
  if (plainStart.test(String(first))) {
    yield* all;
    return;
  }
  // The pipeline destroys the decoder with an error of the body, so the reader gets the error.
  pipeline(all, decoder, () => undefined);
  yield* decoder;
}

/**
 * Opens undici's dispatcher for one route: HTTP/1.1, direct or through a proxy. An error before a request is written is
 * a `ConnectError`; its `cause` is a `ProxyError` when the proxy is the reason.
 *
 * @param signal aborts connections that are being made.
 */
function openDispatcher(options: ConnectOptions, trust: Trust, signal: AbortSignal): Dispatcher {
  const { proxy, isHere, isForwarded, proxyStrictSsl, connectTimeoutMs } = options;
  const tls = (isChecked: boolean): buildConnector.BuildOptions => ({
    timeout: connectTimeoutMs,
    ...(!isHere && { autoSelectFamilyAttemptTimeout: addressMs }),
    signal,
    secureContext: trust.context,
    // The authorities are in the context. An explicit list keeps VS Code's own `tls.connect` from adding others.
    ca: [],
    // Always set: if omitted, NODE_TLS_REJECT_UNAUTHORIZED=0 would turn the check off.
    rejectUnauthorized: isChecked,
    // undici caches the sessions of refused connections, and a resumed session is not checked again.
    maxCachedSessions: 0,
  });
  if (proxy === undefined) {
    return new Agent({ ...clientOptions, connect: withConnectErrors(buildConnector(tls(true)), (error) => error) });
  }
  const toProxy = (connect: Connector) => withConnectErrors(connect, (error) => unreachable(proxy, error));
  if (isForwarded) {
    return new Agent({ ...clientOptions, connect: toProxy(buildConnector(tls(proxyStrictSsl))) });
  }
  type Given = { readonly connect: Connector };
  return new ProxyAgent({
    ...clientOptions,
    uri: proxy.origin,
    ...(proxy.authorization !== undefined && { token: proxy.authorization }),
    proxyTls: tls(proxyStrictSsl),
    requestTls: tls(true),
    // Only undici's index adds its API to a pool.
    clientFactory: (origin, { connect }: Given) =>
      Object.assign(
        new Pool(origin, { ...clientOptions, headersTimeout: connectTimeoutMs, connect: toProxy(connect) }),
        api,
      ),
    factory: (origin, given: Given) =>
      new Pool(origin, {
        ...given,
        connect: withConnectErrors(given.connect, (error) => notTunnelled(proxy, error)),
      }),
  });
}

/** Reports a failure as `ConnectError`, which means that nothing was sent; a later error closes the connection. */
function withConnectErrors(connect: Connector, explain: (error: Error) => unknown): Connector {
  return ({ servername = '', ...options }, callback) =>
    // An IP address is not a valid server name (RFC 6066 section 3).
    connect({ ...options, servername: isIP(servername) === 0 ? servername : '' }, (...[error, socket]) => {
      if (error !== null) {
        callback(error instanceof ConnectError ? error : new ConnectError(explain(error)), null);
        return;
      }
      // Node leaves a socket open after a TLS error, and undici waits for its end.
      socket.on('error', () => socket.destroy());
      callback(null, socket);
    });
}

function named({ name, setting }: ProxyServer): { proxy: string; setting: string } {
  return { proxy: name, setting };
}

const ofCertificate = /CERT|SELF_SIGNED|VERIFY|HOSTNAME|^ERR_SSL|^EPROTO$/;

function unreachable(proxy: ProxyServer, error: unknown): ProxyError {
  const cause = ofCertificate.test(errorCode(error)) ? 'certificate' : 'unreachable';
  return new ProxyError({ ...named(proxy), cause }, error);
}

/** The error for a proxy that was reached but opened no tunnel; through a tunnel, TLS with the gateway may fail too. */
function notTunnelled(proxy: ProxyServer, error: Error): unknown {
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    return unreachable(proxy, error);
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || ofCertificate.test(code)) {
    return error;
  }
  const [, status] = /^Proxy response \((\d{3})\)/.exec(error.message) ?? [];
  return status === undefined
    ? new ProxyError({ ...named(proxy), cause: 'refused' }, error)
    : new ProxyError({
        ...named(proxy),
        cause: status === '407' ? 'authentication' : 'refused',
        status: Number(status),
      });
}
