import * as net from 'node:net';
import * as tls from 'node:tls';
import { ProxyError } from '../../core/network/proxyError.ts';
import type { ProxyServer } from '../../core/network/route.ts';
import { type Authorities, isUntrusted, type Trust } from './authorities.ts';
import { openTunnel } from './openTunnel.ts';
import { unlessAborted } from './unlessAborted.ts';
import type { Way } from './way.ts';

export type Protocol = 'h2' | 'http/1.1';

/** Who is at the other end of a TLS connection, and whether it has to prove that. */
type OtherSide = {
  readonly as: 'gateway' | 'proxy';
  readonly protocols: readonly Protocol[];
  readonly isChecked: boolean;
};

/**
 * Opens connections: straight or through a proxy, in clear or in TLS. A proxy's troubles are `ProxyError`s; everything else is
 * the gateway's. An error always means that no request was sent.
 */
export class Dialer {
  readonly #authorities: Authorities;
  readonly #way: Way;
  /**
   * The last TLS session with each gateway and with the proxy, and what its certificate was checked against: it spares
   * certificates at the next dial. Whoever takes a session up again is not looked at any more, so none is kept of a
   * connection that was not checked, and none opens a door other than the one it was made at.
   */
  readonly #sessions = new Map<string, { session: Buffer; fingerprint: string }>();

  constructor(authorities: Authorities, way: Way) {
    this.#authorities = authorities;
    this.#way = way;
  }

  /** To a gateway in clear, or to the proxy that takes requests for it. */
  open(url: URL, signal?: AbortSignal): Promise<net.Socket> {
    return this.#within(signal, (limit) =>
      this.#way.proxy ? this.#toProxy(this.#way.proxy, limit) : toHost(url, limit),
    );
  }

  /** To a gateway in TLS, through the proxy when there is one. `alpnProtocol` of the socket says what it speaks. */
  async secure(url: URL, protocols: readonly Protocol[], signal?: AbortSignal): Promise<tls.TLSSocket> {
    const { proxy } = this.#way;
    return await this.#within(signal, (limit) =>
      this.#trusting(
        limit,
        () => (proxy ? this.#throughProxy(proxy, url, limit) : toHost(url, limit)),
        (socket, trust) => this.#handshake(socket, url, { as: 'gateway', protocols, isChecked: true }, trust, limit),
      ),
    );
  }

  async #throughProxy(proxy: ProxyServer, url: URL, limit: AbortSignal): Promise<net.Socket> {
    const socket = await this.#toProxy(proxy, limit);
    try {
      await guarded(socket, limit, () => openTunnel(socket, `${url.hostname}:${portOf(url)}`, proxy));
      return socket;
    } catch (error) {
      throw asProxyError(error, proxy);
    }
  }

  async #toProxy(proxy: ProxyServer, limit: AbortSignal): Promise<net.Socket> {
    const url = new URL(proxy.origin);
    try {
      if (url.protocol === 'http:') {
        return await toHost(url, limit);
      }
      const side = { as: 'proxy', protocols: ['http/1.1'], isChecked: this.#way.proxyStrictSsl } as const;
      return await this.#trusting(
        limit,
        () => toHost(url, limit),
        (socket, trust) => this.#handshake(socket, url, side, trust, limit),
      );
    } catch (error) {
      throw asProxyError(error, proxy);
    }
  }

  /** Does it all again with all authorities when those at hand do not trust a certificate. */
  async #trusting<T>(
    limit: AbortSignal,
    connect: () => Promise<net.Socket>,
    secure: (socket: net.Socket, trust: Trust) => Promise<T>,
  ): Promise<T> {
    const { systemCertificates } = this.#way;
    const connecting = connect();
    // The first time takes some milliseconds, in which the network is at work already.
    const trust = this.#authorities.current(systemCertificates);
    try {
      return await secure(await connecting, trust);
    } catch (error) {
      // Whoever waits behind this dial hears no later than for any other that the certificate was not trusted.
      const more = isUntrusted(error)
        ? await unlessAborted(this.#authorities.more(systemCertificates, trust), limit).catch(() => undefined)
        : undefined;
      if (more === undefined) {
        throw error;
      }
      return await secure(await connect(), more);
    }
  }

  async #handshake(
    socket: net.Socket,
    url: URL,
    { as, protocols, isChecked }: OtherSide,
    trust: Trust,
    limit: AbortSignal,
  ): Promise<tls.TLSSocket> {
    const host = bareHost(url);
    const name = `${as} ${url.host}`;
    const known = isChecked ? this.#sessions.get(name) : undefined;
    const secured = tls.connect({
      ALPNProtocols: [...protocols],
      // Said each time: left out, NODE_TLS_REJECT_UNAUTHORIZED=0 would switch the check off.
      rejectUnauthorized: isChecked,
      socket,
      host,
      // An address is no server name (RFC 6066 section 3).
      ...(net.isIP(host) === 0 && { servername: host }),
      secureContext: trust.context,
      // The context counts. That a list is named keeps VS Code's own `tls.connect` from adding to it.
      ca: [],
      ...(known?.fingerprint === trust.fingerprint && { session: known.session }),
    });
    if (isChecked) {
      // Node says so only after its check, and after a bad one only where a bad certificate is taken all the same.
      secured.on('session', (session: Buffer) => {
        if (secured.authorized) {
          this.#sessions.set(name, { session, fingerprint: trust.fingerprint });
        }
      });
    }
    await guarded(secured, limit, () => event(secured, 'secureConnect'));
    return secured;
  }

  async #within<T>(signal: AbortSignal | undefined, act: (limit: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const stop = () => controller.abort(signal?.reason);
    const { connectTimeoutMs } = this.#way;
    const timer = setTimeout(() => controller.abort(timeout(connectTimeoutMs)), connectTimeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      signal?.throwIfAborted();
      return await act(controller.signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}

function timeout(limitMs: number): Error {
  return Object.assign(new Error(`No connection in ${limitMs} ms`), { code: 'UND_ERR_CONNECT_TIMEOUT' });
}

async function toHost(url: URL, limit: AbortSignal): Promise<net.Socket> {
  limit.throwIfAborted();
  const socket = net.connect({ host: bareHost(url), port: portOf(url), noDelay: true, keepAlive: true });
  await guarded(socket, limit, () => event(socket, 'connect'));
  return socket;
}

/** Ends the connection when `act` fails or the time is over, and says why. */
async function guarded(socket: net.Socket, limit: AbortSignal, act: () => Promise<void>): Promise<void> {
  limit.throwIfAborted();
  // Errors of a socket that was given up reach nobody.
  socket.on('error', ignore);
  const stop = () => socket.destroy(limit.reason);
  limit.addEventListener('abort', stop, { once: true });
  try {
    await act();
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    limit.removeEventListener('abort', stop);
  }
}

function event(socket: net.Socket, name: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      socket.off(name, done).off('error', failed).off('close', closed);
      act();
    };
    const done = () => settle(resolve);
    const failed = (error: unknown) => settle(() => reject(broken(error)));
    const closed = () => failed(new Error('The connection was closed at its start'));
    socket.on(name, done).on('error', failed).on('close', closed);
  });
}

/** Whatever breaks a connection at its start, no request went over it; the code of the error alone does not say so. */
function broken(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === undefined || code === 'ECONNRESET' || code === 'EPIPE'
    ? Object.assign(new Error('The connection broke at its start', { cause: error }), { code: 'ERR_NEVER_CONNECTED' })
    : error;
}

function asProxyError(error: unknown, { name, setting }: ProxyServer): unknown {
  if (error instanceof ProxyError || (error instanceof Error && error.name === 'AbortError')) {
    return error;
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isCertificate = /CERT|SELF_SIGNED|VERIFY|HOSTNAME|^ERR_SSL|^EPROTO$/.test(code);
  return new ProxyError({ proxy: name, setting, trouble: isCertificate ? 'certificate' : 'unreachable' }, error);
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

function ignore(): void {}
