import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A request as received. It contains the key and the content, so use it only in assertions; never write it out. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

const charsLimit = 64 * 1024 * 1024;

/** Stores the newest requests in memory, limited in number and in size. */
export class RequestRecorder {
  readonly #now: () => number;
  readonly #limit: number;
  readonly #requests: RecordedRequest[] = [];
  #chars = 0;

  constructor(now: () => number, limit: number) {
    this.#now = now;
    this.#limit = limit;
  }

  /** The newest requests, oldest first. */
  get requests(): readonly RecordedRequest[] {
    return [...this.#requests];
  }

  add(request: IncomingMessage, body: string): void {
    if (this.#limit === 0) {
      return;
    }
    this.#requests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      time: this.#now(),
    });
    this.#chars += body.length;
    while (this.#requests.length > this.#limit || this.#chars > charsLimit) {
      this.#chars -= this.#requests.shift()?.body.length ?? this.#chars;
    }
  }
}
