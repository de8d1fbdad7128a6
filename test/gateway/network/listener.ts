import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server, Socket } from 'node:net';
import type { TlsIdentity } from './certificate.ts';
import { listenOnLoopback } from './listenOnLoopback.ts';

type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  connection: { readonly tcp: Socket; readonly earlierRequests: number },
) => void;

/** A server for HTTP/1.1 on loopback. */
export interface Listener {
  readonly port: number;
  /** Closes all connections and stops. */
  close(): Promise<void>;
}

/** Starts a server on the first free one of these ports, with TLS if there is an identity. */
export async function startListener(
  ports: readonly number[],
  identity: TlsIdentity | undefined,
  answer: Answer,
): Promise<Listener> {
  const open = new Map<number, { tcp: Socket; requests: number }>();
  function handle(request: IncomingMessage, response: ServerResponse): void {
    // With TLS, `request.socket` isn't the TCP socket. Both have the same remote port.
    const connection = open.get(request.socket.remotePort ?? 0) ?? { tcp: request.socket, requests: 0 };
    answer(request, response, { tcp: connection.tcp, earlierRequests: connection.requests });
    connection.requests += 1;
  }
  const server: Server = identity === undefined ? createServer(handle) : createTlsServer(identity, handle);
  server.on('connection', (tcp) => {
    const port = tcp.remotePort ?? 0;
    open.set(port, { tcp, requests: 0 });
    tcp.once('close', () => {
      if (open.get(port)?.tcp === tcp) {
        open.delete(port);
      }
    });
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const { tcp } of open.values()) {
        tcp.destroy();
      }
    });
  for (const [index, port] of ports.entries()) {
    try {
      return { port: await listenOnLoopback(server, port), close };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || index === ports.length - 1) {
        throw error;
      }
    }
  }
  throw new Error('No port was given.');
}
