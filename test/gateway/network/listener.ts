import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import { Connection, type RawConnection } from './connection.ts';
import { listenOnLoopback } from './listenOnLoopback.ts';
import type { TlsIdentity } from './tlsIdentity.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, connection: Connection) => void;

/** Options of a listener for HTTP/1.1. */
export interface ListenerOptions {
  /** Ports to try in turn. */
  readonly ports: readonly number[];
  /** The identity for TLS; plain HTTP when undefined. */
  readonly identity: TlsIdentity | undefined;
}

/** A server on loopback. */
export interface Listener {
  readonly port: number;
  /** Closes all connections and stops. */
  close(): Promise<void>;
}

/** Starts a server on the first free port. Rejects when none is free. */
export async function startListener({ ports, identity }: ListenerOptions, answer: Answer): Promise<Listener> {
  const open = new Map<number, RawConnection>();
  function handle(request: IncomingMessage, response: ServerResponse): void {
    // With TLS, `request.socket` isn't the TCP socket. Both have the same remote port.
    answer(request, response, new Connection(open.get(request.socket.remotePort ?? 0), response));
  }
  const server: Server =
    identity === undefined ? createServer(handle) : createTlsServer({ key: identity.key, cert: identity.cert }, handle);
  server.on('connection', (socket) => {
    const port = socket.remotePort ?? 0;
    open.set(port, { socket, requests: 0 });
    socket.once('close', () => {
      if (open.get(port)?.socket === socket) {
        open.delete(port);
      }
    });
  });
  return {
    port: await listenOnFirstFree(server, ports),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const { socket } of open.values()) {
          socket.destroy();
        }
      }),
  };
}

async function listenOnFirstFree(server: Server, ports: readonly number[]): Promise<number> {
  for (const [index, port] of ports.entries()) {
    try {
      return await listenOnLoopback(server, port);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || index === ports.length - 1) {
        throw error;
      }
    }
  }
  throw new Error('No port was given.');
}
