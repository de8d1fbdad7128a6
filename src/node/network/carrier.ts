import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import api from 'undici/lib/api/index.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { TransportRequest } from '../../core/http/transport.ts';
import type { ProxyServer } from '../../core/network/route.ts';
import { acceptedEncodings } from './decodeBody.ts';
import type { Dialer } from './dialer.ts';
import { Http2Session } from './http2Session.ts';
import { unauthorized } from './openTunnel.ts';
import type { RawResponse } from './rawResponse.ts';
import { unlessAborted } from './unlessAborted.ts';

/** Shorter than the 5 s after which common servers close an idle socket, so that a question never meets a dead one. */
const idleMs = 3_000;

/**
 * Carries requests one way: straight, or through one proxy; in clear or in TLS. The only file that knows undici.
 *
 * A gateway in TLS is offered HTTP/2 and HTTP/1.1 at the first connection. HTTP/2 is carried by Node's own client,
 * because undici 7 breaks every stream of a connection at its GOAWAY, also at a graceful one after which the answer would have
 * come to its end (client-h2.js). HTTP/1.1 is carried by undici, over the very connection that settled it.
 */
export class Carrier {
  readonly #dialer: Dialer;
  /** Takes whole requests for gateways in clear. */
  readonly #forwarder: ProxyServer | undefined;
  readonly #agent: Agent;
  readonly #sessions = new Map<string, Http2Session>();
  /** Gateways that chose HTTP/1.1. */
  readonly #http1 = new Set<string>();
  /** Connections that settled on HTTP/1.1 and that undici did not take yet. */
  readonly #ready = new Map<string, TLSSocket[]>();
  readonly #dialing = new Map<string, Promise<void>>();
  /** Aborted with the carrier, so that no connection is begun or kept by what outlives it. */
  readonly #over = new AbortController();
  #running = 0;
  #lastUse = 0;

  /** @param forwarder the proxy, when requests are in clear and go to it whole. */
  constructor(dialer: Dialer, forwarder: ProxyServer | undefined) {
    this.#dialer = dialer;
    this.#forwarder = forwarder;
    this.#agent = new Agent({
      connect: ({ protocol, host }, callback) => {
        this.#connect(new URL(`${protocol}//${host}`)).then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        );
      },
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      pipelining: 1,
    });
  }

  /** Whether nothing runs here and nothing is kept open any more. */
  get isForgotten(): boolean {
    return this.#running === 0 && Date.now() - this.#lastUse > idleMs;
  }

  /** Sends one request, once. */
  async send(url: URL, request: TransportRequest, signal: AbortSignal): Promise<RawResponse> {
    this.#running += 1;
    try {
      const response = await (url.protocol === 'https:'
        ? this.#sendSecured(url, request, signal)
        : this.#sendHttp1(url, request, signal));
      response.body.once('close', () => this.#end());
      return response;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  /** Breaks what runs. */
  async destroy(): Promise<void> {
    this.#over.abort();
    for (const session of this.#sessions.values()) {
      session.destroy();
    }
    for (const socket of [...this.#ready.values()].flat()) {
      socket.destroy();
    }
    await this.#agent.destroy();
  }

  #end(): void {
    this.#running -= 1;
    this.#lastUse = Date.now();
  }

  async #sendSecured(url: URL, request: TransportRequest, signal: AbortSignal): Promise<RawResponse> {
    for (;;) {
      signal.throwIfAborted();
      this.#over.signal.throwIfAborted();
      const session = this.#sessions.get(url.origin);
      if (session?.isOpen) {
        return await session.send(url, request, signal);
      }
      this.#sessions.delete(url.origin);
      if (this.#http1.has(url.origin)) {
        return await this.#sendHttp1(url, request, signal);
      }
      await this.#settle(url, signal);
    }
  }

  async #sendHttp1(url: URL, { method, headers, body }: TransportRequest, signal: AbortSignal): Promise<RawResponse> {
    const proxy = this.#forwarder;
    const path = url.pathname + url.search;
    const accepted = acceptedEncodings(method);
    const sent = api.request.call(this.#agent, {
      origin: proxy?.origin ?? url.origin,
      path: proxy ? url.origin + path : path,
      method,
      headers: proxy ? forwarded(proxy, url, accepted, headers) : { 'accept-encoding': accepted, ...headers },
      body: body ?? null,
      signal,
    });
    // While it connects, undici only remembers that it was aborted; nothing is sent then, but its promise waits.
    const response = await unlessAborted(sent, signal);
    if (proxy && response.statusCode === 407) {
      response.body.on('error', () => undefined).destroy();
      throw unauthorized(proxy, [response.headers['proxy-authenticate'] ?? []].flat());
    }
    return { status: response.statusCode, headers: response.headers, body: response.body };
  }

  /** Finds out what a gateway speaks; requests that come meanwhile wait for the same connection. */
  async #settle(url: URL, signal: AbortSignal): Promise<void> {
    let dialing = this.#dialing.get(url.origin);
    if (dialing === undefined) {
      dialing = this.#dialer
        .secure(url, ['h2', 'http/1.1'], this.#over.signal)
        .then((socket) => this.#take(url, socket))
        .finally(() => this.#dialing.delete(url.origin));
      this.#dialing.set(url.origin, dialing);
    }
    await unlessAborted(dialing, signal);
  }

  #take({ origin }: URL, socket: TLSSocket): void {
    if (this.#over.signal.aborted) {
      socket.destroy();
      return;
    }
    if (socket.alpnProtocol === 'h2') {
      this.#sessions.set(origin, new Http2Session(origin, socket, idleMs));
      return;
    }
    this.#http1.add(origin);
    const ready = this.#ready.get(origin) ?? [];
    this.#ready.set(origin, [...ready, socket]);
    // Whoever asked may have gone meanwhile.
    const timer = setTimeout(() => this.#drop(origin, socket)?.destroy(), idleMs).unref();
    socket.once('close', () => {
      clearTimeout(timer);
      this.#drop(origin, socket);
    });
  }

  /** @returns the connection, if undici did not take it before. */
  #drop(origin: string, socket: TLSSocket): TLSSocket | undefined {
    const ready = this.#ready.get(origin) ?? [];
    this.#ready.set(
      origin,
      ready.filter((each) => each !== socket),
    );
    return ready.includes(socket) ? socket : undefined;
  }

  async #connect(url: URL): Promise<Socket> {
    if (url.protocol !== 'https:' || this.#forwarder) {
      return await this.#dialer.open(url, this.#over.signal);
    }
    const ready = this.#ready.get(url.origin)?.[0];
    if (ready !== undefined) {
      this.#drop(url.origin, ready);
      return ready;
    }
    try {
      return await this.#dialer.secure(url, ['http/1.1'], this.#over.signal);
    } catch (error) {
      // What it speaks may have changed.
      this.#http1.delete(url.origin);
      throw error;
    }
  }
}

/** The headers of a request that a proxy takes whole: the gateway's name, and what the proxy alone may know. */
function forwarded(
  { authorization }: ProxyServer,
  { host }: URL,
  accepted: string,
  headers: TransportRequest['headers'],
): Record<string, string> {
  return {
    host,
    'accept-encoding': accepted,
    ...headers,
    ...(authorization !== undefined && { 'proxy-authorization': authorization }),
  };
}
