import type { Clock } from '../base/clock.ts';
import { errorCode, recordOf, textOf } from '../base/loose.ts';
import { GatewayError } from '../errors/gatewayProblem.ts';
import type { ClearRoute } from '../network/networkErrors.ts';
import { secretChars } from '../secrets/redact.ts';

/**
 * What a transport sends. The core decides what to send and when to give up; an adapter in `node/` sends it.
 *
 * An adapter sends exactly one request per call, follows no redirects, never retries, decodes the content encoding, and
 * rejects with the original error, because `networkProblem` reads its `code` and its `cause` chain.
 */
export type TransportRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Time-out in milliseconds for making the connection. */
  readonly connectTimeoutMs: number;
};

export type TransportResponse = {
  readonly status: number;
  /** Names in lower case; the values of a repeated header are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Stopping the iteration early ends the request. */
  readonly body: AsyncIterable<Uint8Array>;
};

export type Transport = (request: TransportRequest, signal: AbortSignal) => Promise<TransportResponse>;

/**
 * The headers of a request to a gateway, with names in lower case. The connection's extra headers can replace the user
 * agent, because a protection service may require another one (wire Q79), but not the key and the accepted type.
 *
 * @param own the connection's extra headers; an `Authorization` among them is never sent, not even without a key.
 * @param key undefined or empty for a call without a key.
 */
export function requestHeaders(
  userAgent: string,
  own: Readonly<Record<string, string>>,
  key: string | undefined,
): Record<string, string> {
  const extra = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value] as const);
  const { authorization: _, ...rest } = Object.fromEntries(extra);
  return {
    'user-agent': userAgent,
    ...rest,
    ...(key && { authorization: `Bearer ${key}` }),
    accept: 'application/json',
  };
}

/** Reads a body as text. @param note is told the bytes of each piece, and may throw. */
export async function readText(body: TransportResponse['body'], note: (bytes: number) => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body) {
    note(piece.byteLength);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** The log for requests and responses. Redacts everything it is given. */
export type WireLog = {
  debug(text: string): void;
  trace(text: string): void;
  /** @returns the text without secrets. */
  redact(text: string): string;
  /** True when the person has switched on the level that logs questions and answers. */
  readonly isTracing: boolean;
};

/** Maximum number of UTF-16 units of a body that are logged. */
const maxShown = 1024 * 1024;

/**
 * The transport of everything that is sent to gateways. It sends no key where others could read it, unless the person
 * accepted that route. It logs a line for each request: method, URL, status, time. Bodies are logged only at *trace*.
 */
export function gatewayTransport(
  send: Transport,
  log: WireLog,
  clock: Clock,
  unacceptedRoute: (address: string) => ClearRoute | undefined,
): Transport {
  return async (request, signal) => {
    const { method, url, headers, body } = request;
    const began = clock.now();
    const passedMs = () => Math.round(clock.now() - began);
    if (log.isTracing && body !== undefined) {
      log.trace(`${method} ${url}\n${body.length > maxShown ? beginningOf(body, log) : body}`);
    }
    try {
      const route = 'authorization' in headers ? unacceptedRoute(url) : undefined;
      if (route) {
        throw new GatewayError({ kind: 'routeInClear', proxy: route.proxy });
      }
      const response = await send(request, signal);
      const { status } = response;
      const type = response.headers['content-type'] ?? 'no content type';
      log.debug(`${method} ${url}: ${status}, ${type}, headers after ${passedMs()} ms`);
      return log.isTracing ? { ...response, body: traced(response.body, log) } : response;
    } catch (error) {
      log.debug(`${method} ${url}: ${codeOf(error)} after ${passedMs()} ms`);
      throw error;
    }
  };
}

/** Logs a body once it has ended, because a key that is split between two pieces wouldn't be recognized. */
async function* traced(body: AsyncIterable<Uint8Array>, log: WireLog): AsyncIterable<Uint8Array> {
  const decoder = new TextDecoder();
  let text = '';
  let isWhole = false;
  try {
    for await (const piece of body) {
      text += text.length > maxShown ? '' : decoder.decode(piece, { stream: true });
      yield piece;
    }
    isWhole = text.length <= maxShown;
  } finally {
    log.trace(isWhole ? text + decoder.decode() : beginningOf(text, log));
  }
}

/** A body that is too long, or was cut, without its end: a secret that was cut is in the last units, and in one line. */
function beginningOf(text: string, log: WireLog): string {
  const clean = log.redact(text.slice(0, maxShown));
  return `${clean.slice(0, Math.max(clean.lastIndexOf('\n') + 1, clean.length - secretChars))}… (cut)`;
}

/** The code or name of an error. `fetch` has the code only in the cause. */
function codeOf(error: unknown): string {
  const { cause, name } = recordOf(error);
  return errorCode(error) || errorCode(cause) || (textOf(name) ?? typeof error);
}
