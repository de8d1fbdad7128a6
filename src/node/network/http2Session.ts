import * as http2 from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { TransportRequest } from '../../core/http/transport.ts';
import { acceptedEncodings } from './decodeBody.ts';
import type { RawResponse } from './rawResponse.ts';

/** What belongs to one HTTP/1.1 connection has no place in HTTP/2 (RFC 9113 section 8.2.2). */
const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);
/** Room for what a model writes while the extension host is busy; Node's own 64 KB would stop the gateway. */
const windowBytes = 1024 * 1024;

/**
 * One HTTP/2 connection. A graceful GOAWAY lets running answers come to their end and takes no new request; any other
 * end breaks them with the error that `networkProblem` reads. Nothing is ever sent a second time.
 */
export class Http2Session {
  readonly #session: http2.ClientHttp2Session;
  readonly #idleMs: number;
  #running = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @param socket agreed on `h2`; belongs to the session from now on. */
  constructor(origin: string, socket: TLSSocket, idleMs: number) {
    this.#idleMs = idleMs;
    this.#session = http2.connect(origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: windowBytes },
    });
    this.#session.on('connect', () => this.#session.setLocalWindowSize(windowBytes));
    // Each running request hears of it by its own stream.
    this.#session.on('error', () => undefined);
    this.#rest();
  }

  /** Whether it takes another request. */
  get isOpen(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  /** Closes when what is running is over. */
  close(): void {
    clearTimeout(this.#idle);
    this.#session.close();
  }

  destroy(): void {
    clearTimeout(this.#idle);
    this.#session.destroy();
  }

  /** Sends one request; only while `isOpen`. */
  send(url: URL, request: TransportRequest, signal: AbortSignal): Promise<RawResponse> {
    const stream = this.#session.request(fieldsOf(url, request), { endStream: request.body === undefined });
    this.#begin();
    const stop = () => {
      stream.close(http2.constants.NGHTTP2_CANCEL);
      stream.destroy(signal.reason instanceof Error ? signal.reason : new Error('The request was given up'));
    };
    signal.addEventListener('abort', stop, { once: true });
    stream.once('close', () => {
      signal.removeEventListener('abort', stop);
      this.#end();
    });
    return new Promise((resolve, reject) => {
      stream.once('response', (fields) => {
        const { ':status': status = 0, ...headers } = fields;
        // A body that a lost connection cut looks like one that ended.
        const verify = () => {
          if (!stream.readableEnded) {
            throw broken(stream.rstCode);
          }
        };
        resolve({ status, headers, body: stream, verify });
      });
      // Stays for the whole life of the stream: an error after the response is for whoever reads the body.
      stream.on('error', reject);
      stream.once('close', () => reject(signal.aborted ? signal.reason : broken(stream.rstCode)));
      if (request.body !== undefined) {
        stream.end(request.body);
      }
    });
  }

  #begin(): void {
    this.#running += 1;
    clearTimeout(this.#idle);
    this.#session.ref();
  }

  #end(): void {
    this.#running -= 1;
    if (this.#running === 0) {
      this.#rest();
    }
  }

  /** An idle connection keeps no process alive, and is gone before a server would close it under a question. */
  #rest(): void {
    if (this.#session.destroyed) {
      return;
    }
    this.#session.unref();
    this.#idle = setTimeout(() => this.#session.close(), this.#idleMs).unref();
  }
}

function fieldsOf(url: URL, { method, headers, body }: TransportRequest): http2.OutgoingHttpHeaders {
  const fields: http2.OutgoingHttpHeaders = {
    ':method': method,
    ':scheme': 'https',
    ':authority': url.host,
    ':path': url.pathname + url.search,
    'accept-encoding': acceptedEncodings(method),
  };
  for (const [name, value] of Object.entries(headers)) {
    if (!connectionHeaders.has(name.toLowerCase())) {
      fields[name.toLowerCase()] = value;
    }
  }
  if (body !== undefined) {
    fields['content-length'] = Buffer.byteLength(body);
  }
  return fields;
}

function broken(code: number | undefined): Error {
  return Object.assign(new Error(`The stream was closed before its end (${code})`), {
    code: 'ERR_HTTP2_STREAM_ERROR',
  });
}
