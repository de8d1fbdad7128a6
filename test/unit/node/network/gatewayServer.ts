import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createRawServer, type Server, type Socket } from 'node:net';
import type { Target } from '../../../../src/core/client/gatewayClient.ts';
import { listenOnLoopback } from '../../../gateway/network/listenOnLoopback.ts';
import { urlOf } from '../../core/connections/connectionTo.ts';

export const key = 'sk-Loopback0123456789key';

export type ReceivedRequest = { method: string; path: string; headers: Record<string, string>; body: string };

/** A loopback server that records every request, and the clients that disconnect early. */
export type LoopbackServer = AsyncDisposable & {
  readonly target: Target;
  readonly origin: string;
  readonly requests: readonly ReceivedRequest[];
  /** Requests whose connection was closed before the answer was over. */
  readonly disconnects: number;
  readonly connections: number;
};

/** Starts a server that counts in `counts`. @param end ends the connections that are still open. */
async function startServer(
  server: Server,
  requests: readonly ReceivedRequest[],
  counts: { disconnects: number; connections: number },
  end: () => void,
): Promise<LoopbackServer> {
  server.on('connection', () => counts.connections++);
  const origin = `http://127.0.0.1:${await listenOnLoopback(server, 0)}`;
  return Object.assign(counts, {
    target: { url: urlOf(origin), key },
    origin,
    requests,
    async [Symbol.asyncDispose]() {
      end();
      await new Promise((done) => server.close(done));
    },
  });
}

/** Starts an HTTP server whose responses are written by the test. */
export async function httpServer(
  answer: (request: ReceivedRequest, response: ServerResponse, count: number) => void,
): Promise<LoopbackServer> {
  const requests: ReceivedRequest[] = [];
  const counts = { disconnects: 0, connections: 0 };
  const server = createServer(async (message: IncomingMessage, response) => {
    let body = '';
    for await (const piece of message) {
      body += piece;
    }
    const received: ReceivedRequest = {
      method: message.method ?? '',
      path: message.url ?? '',
      headers: message.headers as Record<string, string>,
      body,
    };
    requests.push(received);
    response.on('close', () => {
      if (!response.writableFinished) {
        counts.disconnects++;
      }
    });
    answer(received, response, requests.length);
  });
  return startServer(server, requests, counts, () => server.closeAllConnections());
}

/** Starts a TCP server: `answer` gets the socket once for each whole request that was read from it. */
export async function rawServer(answer: (socket: Socket, count: number) => void): Promise<LoopbackServer> {
  const requests: ReceivedRequest[] = [];
  const counts = { disconnects: 0, connections: 0 };
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      counts.disconnects++;
    });
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (end !== -1 && text.length >= end + 4 + length) {
        const [method = '', path = ''] = text.split(' ', 2);
        requests.push({ method, path, headers: {}, body: text.slice(end + 4) });
        text = '';
        answer(socket, requests.length);
      }
    });
  });
  return startServer(server, requests, counts, () => {
    for (const socket of sockets) {
      socket.destroy();
    }
  });
}
