import type { Clock } from '../base/clock.ts';
import { textOf } from '../base/loose.ts';
import type { Transport } from './transport.ts';
import { WireText } from './wireText.ts';

/** Where the lines of the wire go; it redacts whatever it is given. */
export type WireLog = {
  debug(text: string): void;
  trace(text: string): void;
  /** The text without any secret. */
  redact(text: string): string;
  /** Whether a person switched on the level that shows questions and answers. */
  readonly isTracing: boolean;
};

/** A transport that says one line a request: method, address, status, time. Bodies are said at *trace* alone. */
export function loggedTransport(send: Transport, log: WireLog, clock: Clock): Transport {
  return async (request, signal) => {
    const { method, url, body } = request;
    const began = clock.now();
    if (log.isTracing && body !== undefined) {
      const text = newText(log);
      log.trace([`${method} ${url}`, text.feed(body), text.end(true)].filter(Boolean).join('\n'));
    }
    try {
      const response = await send(request, signal);
      const { status, headers } = response;
      const type = headers['content-type'] ?? 'no content type';
      log.debug(`${method} ${url}: ${status}, ${type}, headers after ${Math.round(clock.now() - began)} ms`);
      return log.isTracing ? { ...response, body: told(response.body, log) } : response;
    } catch (error) {
      log.debug(`${method} ${url}: ${codeOf(error)} after ${Math.round(clock.now() - began)} ms`);
      throw error;
    }
  };
}

async function* told(body: AsyncIterable<Uint8Array>, log: WireLog): AsyncIterable<Uint8Array> {
  const decoder = new TextDecoder();
  const text = newText(log);
  const tell = (lines: string) => {
    if (lines.trim() !== '') {
      log.trace(lines);
    }
  };
  let isWhole = false;
  try {
    for await (const piece of body) {
      tell(text.feed(decoder.decode(piece, { stream: true })));
      yield piece;
    }
    isWhole = true;
  } finally {
    tell(text.feed(decoder.decode()));
    tell(text.end(isWhole));
  }
}

function newText(log: WireLog): WireText {
  return new WireText((text) => log.redact(text));
}

/** What an error is called; `fetch` says it only in the cause. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return typeof error;
  }
  const { cause } = error;
  const code = ['code' in error && error.code, cause instanceof Error && 'code' in cause && cause.code].find(textOf);
  return textOf(code) ?? error.name;
}
