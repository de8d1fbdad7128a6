import type { Clock } from '../base/clock.ts';
import { textOf } from '../base/loose.ts';
import { secretChars } from '../secrets/redact.ts';
import type { Transport } from './transport.ts';

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

/** A transport that logs a line for each request: method, URL, status, time. Bodies are logged only at *trace*. */
export function loggedTransport(send: Transport, log: WireLog, clock: Clock): Transport {
  return async (request, signal) => {
    const { method, url, body } = request;
    const began = clock.now();
    if (log.isTracing && body !== undefined) {
      log.trace(`${method} ${url}\n${body.length > maxShown ? beginningOf(body, log) : body}`);
    }
    try {
      const response = await send(request, signal);
      const { status, headers } = response;
      const type = headers['content-type'] ?? 'no content type';
      log.debug(`${method} ${url}: ${status}, ${type}, headers after ${Math.round(clock.now() - began)} ms`);
      return log.isTracing ? { ...response, body: traced(response.body, log) } : response;
    } catch (error) {
      log.debug(`${method} ${url}: ${codeOf(error)} after ${Math.round(clock.now() - began)} ms`);
      throw error;
    }
  };
}

/** Logs a body once it has ended, because a key that is split between two pieces wouldn't be recognised. */
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
  if (!(error instanceof Error)) {
    return typeof error;
  }
  const { cause } = error;
  const code = ['code' in error && error.code, cause instanceof Error && 'code' in cause && cause.code].find(textOf);
  return textOf(code) ?? error.name;
}
