import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One HTTP request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The TCP socket, below TLS and HTTP. */
  readonly tcp: Socket;
  /** The number of requests on the connection before this one. */
  readonly earlierRequests: number;
  /** The requested URL, without a `/fault/<name>` prefix. */
  readonly url: URL;
  /** The fault of a `/fault/<name>` prefix. */
  readonly pathFault: string | undefined;
  /** Sent as `x-request-id` and written to the usage log. */
  readonly requestId: string;
  /** Aborts when the client disconnects before the response is complete. */
  readonly gone: AbortSignal;
}

/** Creates an exchange: sets its id as a response header and detects when the client disconnects. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  connection: Pick<Exchange, 'tcp' | 'earlierRequests'>,
): Exchange {
  const requestId = `req_${randomBytes(12).toString('hex')}`;
  response.setHeader('x-request-id', requestId);
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) {
      gone.abort();
    }
  });
  // A broken socket also emits this; without a listener it would end the process.
  response.on('error', () => gone.abort());
  const url = URL.parse(request.url ?? '/', 'http://gateway.invalid') ?? new URL('http://gateway.invalid/');
  const prefix = /^\/fault\/([^/]+)(?=\/)/.exec(url.pathname);
  url.pathname = url.pathname.slice(prefix?.[0].length ?? 0);
  return { request, response, ...connection, url, pathFault: prefix?.[1], requestId, gone: gone.signal };
}

/** Whether the response has been started, or its connection is broken. */
export function isAnswered({ response, tcp, gone }: Exchange): boolean {
  return response.headersSent || response.writableEnded || tcp.destroyed || gone.aborted;
}

/** Returns the key value of a request, or an empty string. */
export function keyValueOf({ headers }: IncomingMessage): string {
  return /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

/** Reads the body as text; `undefined` when it is larger than 10 MB. The rest is then read and discarded. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const limitBytes = 10 * 1024 * 1024;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= limitBytes) {
      parts.push(part);
    }
  }
  return size > limitBytes ? undefined : Buffer.concat(parts).toString('utf8');
}

/** An error response of the gateway. The checks throw it, and the caller turns it into a response. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;

  constructor(status: number, code: string, message: string, param: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

/** Sends a refusal with its own status, or with 200. */
export function sendRefusal({ response, tcp, requestId }: Exchange, refusal: Refusal): void {
  if (response.headersSent) {
    tcp.destroy();
    return;
  }
  const { status, code, param } = refusal;
  const message = `${refusal.message} (request id: ${requestId})`;
  const type = status === 401 || status === 403 ? 'authentication_error' : 'invalid_request_error';
  const body = JSON.stringify({ error: { message, type, param, code } });
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/**
 * What is sent over the socket: bytes, milliseconds of silence, or an end: `cut` closes the connection without ending
 * the body, `reset` resets it, and `hang` sends nothing and stays open until the client disconnects.
 */
export type WirePiece = string | Uint8Array | number | 'cut' | 'reset' | 'hang';

/** Writes the pieces with backpressure and ends the response. Rejects when the client has disconnected. */
export async function sendPieces(exchange: Exchange, pieces: AsyncIterable<WirePiece>): Promise<void> {
  const { response, tcp, gone } = exchange;
  let lastWrite: Promise<unknown> = Promise.resolve();
  for await (const piece of pieces) {
    gone.throwIfAborted();
    if (piece === 'cut' || piece === 'reset') {
      // Everything written so far must reach the kernel first, or it would be lost.
      await Promise.race([lastWrite, untilGone(gone)]);
      piece === 'cut' ? tcp.destroy() : tcp.resetAndDestroy();
      return;
    }
    if (piece === 'hang') {
      await untilGone(gone);
    } else if (typeof piece === 'number') {
      await sleep(piece, undefined, { signal: gone });
    } else {
      let hasRoom = true;
      lastWrite = new Promise((resolve) => {
        hasRoom = response.write(piece, resolve);
      });
      if (!hasRoom) {
        await once(response, 'drain', { signal: gone });
      }
    }
  }
  gone.throwIfAborted();
  response.end();
}

function untilGone(gone: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    gone.addEventListener('abort', () => reject(gone.reason), { once: true });
  });
}
