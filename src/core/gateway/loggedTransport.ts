import type { Clock } from '../clock.ts';
import type { Transport } from './transport.ts';

/** Where the lines of the wire go; it redacts whatever it is given. */
export type WireLog = {
  debug(text: string): void;
  trace(text: string): void;
  /** Whether a person switched on the level that shows questions and answers. */
  readonly isTracing: boolean;
};

/** A transport that says one line a request: method, address, status, time. Bodies are said at *trace* alone. */
export function loggedTransport(send: Transport, log: WireLog, clock: Clock): Transport {
  return async (request, signal) => {
    const { method, url, body } = request;
    const began = clock.now();
    if (log.isTracing && body !== undefined) {
      log.trace(`${method} ${url}\n${body}`);
    }
    try {
      const response = await send(request, signal);
      const { status, headers } = response;
      const type = headers['content-type'] ?? 'no content type';
      log.debug(`${method} ${url}: ${status}, ${type}, headers after ${Math.round(clock.now() - began)} ms`);
      return log.isTracing ? { ...response, body: told(response.body, log) } : response;
    } catch (error) {
      const { name, code } = error as { name?: unknown; code?: unknown };
      log.debug(`${method} ${url}: ${String(code ?? name)} after ${Math.round(clock.now() - began)} ms`);
      throw error;
    }
  };
}

async function* told(body: AsyncIterable<Uint8Array>, log: WireLog): AsyncIterable<Uint8Array> {
  const decoder = new TextDecoder();
  for await (const piece of body) {
    log.trace(decoder.decode(piece, { stream: true }));
    yield piece;
  }
}
