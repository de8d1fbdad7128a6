import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listenOnLoopback } from './listenOnLoopback.ts';

/** How a proxy starts. */
export interface ProxyOptions {
  /** The port on this machine every tunnel ends at, whatever host was asked for: nothing leaves the machine. */
  readonly port: number;
  /** `name:password` it wants to hear (Basic); without it everyone may pass. */
  readonly credentials?: string;
}

/** A tunnel that was asked for. */
export interface TunnelRequest {
  /** Host and port as the client named them. */
  readonly target: string;
  readonly isAllowed: boolean;
}

/** A forward proxy in clear that knows CONNECT alone. */
export interface LocalProxy {
  readonly url: string;
  /** The tunnels asked for, oldest first. */
  tunnels(): readonly TunnelRequest[];
  close(): Promise<void>;
}

const challenge = 'proxy-authenticate: Basic realm="proxy"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';

/** Starts a proxy on a free port of 127.0.0.1, in front of a gateway; it answers 407 to whoever does not say its name. */
export async function startProxy({ port, credentials }: ProxyOptions): Promise<LocalProxy> {
  const tunnels: TunnelRequest[] = [];
  const sockets = new Set<Socket>();
  const expected = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const server = createServer((_, response) => response.writeHead(405, { allow: 'CONNECT' }).end());
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (request, client: Socket, head) => {
    client.on('error', () => client.destroy());
    const isAllowed = expected === undefined || request.headers['proxy-authorization'] === expected;
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
    url: `http://127.0.0.1:${proxyPort}`,
    tunnels: () => [...tunnels],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) {
          socket.destroy();
        }
      }),
  };
}
