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
      log.trace(`${method} ${url}\n${shown(body.slice(0, maxShown), body.length, true, log)}`);
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
  let [text, length, isWhole] = ['', 0, false];
  const take = (piece: string) => {
    text += piece.slice(0, maxShown - text.length);
    length += piece.length;
  };
  try {
    for await (const piece of body) {
      take(decoder.decode(piece, { stream: true }));
      yield piece;
    }
    isWhole = true;
  } finally {
    take(decoder.decode());
    log.trace(shown(text, length, isWhole, log));
  }
}

/** @param length of the whole body. @param isWhole false when the body was cut, perhaps inside a secret. */
function shown(text: string, length: number, isWhole: boolean, log: WireLog): string {
  if (isWhole && text.length === length) {
    return text;
  }
  const clean = log.redact(text);
  // A secret that was cut isn't recognised. It contains no line feed and can only be in the last `secretChars` units.
  const end = Math.max(clean.lastIndexOf('\n') + 1, clean.length - secretChars);
  return `${clean.slice(0, end)}… (${length - end} more characters)`;
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
