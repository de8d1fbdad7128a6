import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import { Connection, type RawConnection } from './connection.ts';
import { listenOnLoopback } from './listenOnLoopback.ts';
import type { TlsIdentity } from './tlsIdentity.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, connection: Connection) => void;

/** What a listener speaks: HTTP/1.1, in clear without an identity. */
export interface ListenerOptions {
  /** Ports to try in turn. */
  readonly ports: readonly number[];
  readonly identity: TlsIdentity | undefined;
}

/** A server on loopback. */
export interface Listener {
  readonly port: number;
  /** Breaks every connection and stops. */
  close(): Promise<void>;
}

/** Starts a server on the first port that is free. Rejects when none is. */
export async function startListener({ ports, identity }: ListenerOptions, answer: Answer): Promise<Listener> {
  const open = new Map<number, RawConnection>();
  function take(request: IncomingMessage, response: ServerResponse): void {
    // The sockets HTTP hands out hide the one below; the other end's port is the same on all of them.
    answer(request, response, new Connection(open.get(request.socket.remotePort ?? 0), response));
  }
  const server: Server =
    identity === undefined ? createServer(take) : createTlsServer({ key: identity.key, cert: identity.cert }, take);
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
