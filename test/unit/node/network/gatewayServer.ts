import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net';
import type { Target } from '../../../../src/core/client/gatewayClient.ts';
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

function targetOf(origin: string): Target {
  return { url: urlOf(origin), key };
}

/** Starts an HTTP server whose responses are written by the test. */
export async function httpServer(
  answer: (request: ReceivedRequest, response: ServerResponse, count: number) => void,
): Promise<LoopbackServer> {
  const requests: ReceivedRequest[] = [];
  let disconnects = 0;
  let connections = 0;
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
        disconnects++;
      }
    });
    answer(received, response, requests.length);
  });
  server.on('connection', () => connections++);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    target: targetOf(origin),
    origin,
    requests,
    get disconnects() {
      return disconnects;
    },
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Starts a TCP server: `answer` gets the socket once for each whole request that was read from it. */
export async function rawServer(answer: (socket: Socket, count: number) => void): Promise<LoopbackServer> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let disconnects = 0;
  let connections = 0;
  const server = createRawServer((socket) => {
    connections++;
    sockets.add(socket);
    let text = '';
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      disconnects++;
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
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    target: targetOf(origin),
    origin,
    requests,
    get disconnects() {
      return disconnects;
    },
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((done) => server.close(done));
    },
  };
}
