import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Connection } from './connection.ts';

/** One HTTP request and its response, with what the API and the console need to know about them. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
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
export function openExchange(request: IncomingMessage, response: ServerResponse, connection: Connection): Exchange {
  const requestId = `req_${randomBytes(12).toString('hex')}`;
  response.setHeader('x-request-id', requestId);
  const gone = new AbortController();
  response.on('close', () => {
    if (!connection.isAnswerSent) {
      gone.abort();
    }
  });
  // A broken socket also emits this; without a listener it would end the process.
  response.on('error', () => gone.abort());
  const url = URL.parse(request.url ?? '/', 'http://gateway.invalid') ?? new URL('http://gateway.invalid/');
  const prefix = /^\/fault\/([^/]+)(?=\/)/.exec(url.pathname);
  url.pathname = url.pathname.slice(prefix?.[0].length ?? 0);
  return { request, response, connection, url, pathFault: prefix?.[1], requestId, gone: gone.signal };
}

/** Sets headers; null removes one. */
export function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string | null>> = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) {
      response.removeHeader(name);
    } else {
      response.setHeader(name, value);
    }
  }
}

/** Whether the response has been started, or its connection is broken. */
export function isAnswered({ response, connection, gone }: Exchange): boolean {
  return response.headersSent || response.writableEnded || connection.isBroken || gone.aborted;
}

/** The host a request was sent to, with its port. */
export function hostOf({ headers }: IncomingMessage): string {
  return headers.host ?? '';
}

/** The scheme of a request's URL. */
export function schemeOf({ socket }: IncomingMessage): 'http' | 'https' {
  return 'encrypted' in socket && socket.encrypted ? 'https' : 'http';
}

/** The size of the largest request body that the gateway accepts. */
const bodyLimitBytes = 10 * 1024 * 1024;

/** Reads the body as text; `undefined` when it is larger than the limit. The rest is then read and discarded. */
export async function readBody(request: IncomingMessage, limitBytes = bodyLimitBytes): Promise<string | undefined> {
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
