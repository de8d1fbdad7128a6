import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { TlsIdentity } from './certificate.ts';
import { listenOnLoopback } from './listenOnLoopback.ts';

/** Options of a proxy. */
export interface ProxyOptions {
  /** The port on this machine that all connections go to, whatever the host, so that nothing leaves the machine. */
  readonly port: number;
  /** The `name:password` that clients must send (Basic); if undefined, all clients may use the proxy. */
  readonly credentials?: string;
  /** Serves its clients over TLS with this identity; plain HTTP when undefined. */
  readonly identity?: TlsIdentity;
}

/** A requested tunnel. */
interface TunnelRequest {
  /** The host and port that the client sent. */
  readonly target: string;
  readonly isAllowed: boolean;
}

/** A plain HTTP request that a client sent to the proxy, to be forwarded. */
interface ForwardedRequest {
  readonly method: string;
  /** The absolute URL that the client sent. */
  readonly target: string;
  readonly isAllowed: boolean;
}

/** A forward proxy that supports CONNECT and requests with an absolute URL. */
export interface LocalProxy {
  readonly url: string;
  /** The requested tunnels, oldest first. */
  tunnels(): readonly TunnelRequest[];
  /** The requests to forward, oldest first. */
  forwarded(): readonly ForwardedRequest[];
  /** Everything that clients sent, including tunnels, as Latin-1: all that the proxy itself can read. */
  receivedText(): string;
  close(): Promise<void>;
}

const challenge = 'proxy-authenticate: Basic realm="proxy"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';
/** Headers that apply only to the connection with the proxy and aren't forwarded (RFC 9110 section 7.6.1). */
const hopByHop = [
  'proxy-authorization',
  'proxy-connection',
  'connection',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
];

/** Starts a proxy on a free port of 127.0.0.1, in front of a gateway. It answers 407 to clients without credentials. */
export async function startProxy({ port, credentials, identity }: ProxyOptions): Promise<LocalProxy> {
  const tunnels: TunnelRequest[] = [];
  const forwarded: ForwardedRequest[] = [];
  const pieces: string[] = [];
  const sockets = new Set<Socket>();
  const expected = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const isAuthorized = ({ headers }: IncomingMessage) =>
    expected === undefined || headers['proxy-authorization'] === expected;

  function forward(request: IncomingMessage, response: ServerResponse): void {
    const target = request.url ?? '';
    const isAllowed = isAuthorized(request);
    forwarded.push({ method: request.method ?? '', target, isAllowed });
    if (!isAllowed) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"', 'content-type': 'text/html' });
      response.end('<html><title>407 Proxy Authentication Required</title></html>');
      return;
    }
    if (!/^http:\/\//.test(target)) {
      response.writeHead(400).end();
      return;
    }
    const { pathname, search } = new URL(target);
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !hopByHop.includes(name)));
    const onward = ask({ host: '127.0.0.1', port, method: request.method, path: pathname + search, headers });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.on('aborted', () => response.destroy());
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }

  const server = identity === undefined ? createServer(forward) : createTlsServer(identity, forward);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on(identity === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    socket.on('data', (bytes: Buffer) => pieces.push(bytes.toString('latin1')));
    socket.on('error', () => socket.destroy());
  });
  server.on('connect', (request, client: Socket, head) => {
    client.on('error', () => client.destroy());
    const isAllowed = isAuthorized(request);
    tunnels.push({ target: request.url ?? '', isAllowed });
    if (!isAllowed) {
      client.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${challenge}`);
      return;
    }
    const gateway = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      gateway.write(head);
      client.pipe(gateway).pipe(client);
    });
    gateway.on('error', () => client.destroy());
    gateway.on('close', () => client.destroy());
    client.on('close', () => gateway.destroy());
  });
  const proxyPort = await listenOnLoopback(server, 0);
  return {
    url: `${identity === undefined ? 'http' : 'https'}://127.0.0.1:${proxyPort}`,
    tunnels: () => [...tunnels],
    forwarded: () => [...forwarded],
    receivedText: () => pieces.join(''),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) {
          socket.destroy();
        }
      }),
  };
}
