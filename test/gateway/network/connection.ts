import type { ServerResponse } from 'node:http';
import { constants, type Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';

/** The connection a request came by, and the harm a fault can do to it. */
export interface Connection {
  readonly protocol: 'http/1.1' | 'h2';
  /** Whether one of the methods below broke it, or the one stream of this request. */
  readonly isBroken: boolean;
  /** Whether all of the answer left. */
  readonly isAnswerSent: boolean;
  /** Requests it brought before this one. */
  readonly earlierRequests: number;
  /** Closes it as it is, whatever was to be said still. */
  close(): void;
  /** Resets it (TCP RST). */
  reset(): void;
  /** Closes it once it was idle for so long after this answer. */
  closeWhenIdle(idleMs: number): void;
  /** Sends a response before the response: 103, with the hint of a style sheet. */
  sendEarlyHints(): Promise<void>;
  /** HTTP/1.1 alone: writes past all framing. */
  writeRaw(text: string): void;
  /** HTTP/2 alone: ends the stream of this request with an error, the connection stays. */
  resetStream(): void;
  /** HTTP/2 alone: announces the end of the connection, which goes on answering this request (`true`) or breaks. */
  goAway(answersThis: boolean): void;
}

/** A socket below TLS and HTTP, and the requests it brought. */
export interface RawConnection {
  readonly socket: Socket;
  requests: number;
}

const hints = { link: '</console.css>; rel=preload' };

abstract class AnyConnection {
  isBroken = false;
  readonly earlierRequests: number;
  readonly #raw: RawConnection | undefined;

  constructor(raw: RawConnection | undefined) {
    this.#raw = raw;
    this.earlierRequests = raw?.requests ?? 0;
    if (raw !== undefined) {
      raw.requests += 1;
    }
  }

  close(): void {
    this.isBroken = true;
    this.#raw?.socket.destroy();
  }

  reset(): void {
    this.isBroken = true;
    this.#raw?.socket.resetAndDestroy();
  }
}

/** HTTP/1.1, with TLS below it or without. */
export class Http1Connection extends AnyConnection implements Connection {
  readonly protocol = 'http/1.1';
  readonly #response: ServerResponse;

  constructor(raw: RawConnection | undefined, response: ServerResponse) {
    super(raw);
    this.#response = response;
  }

  get isAnswerSent(): boolean {
    return this.#response.writableFinished;
  }

  closeWhenIdle(idleMs: number): void {
    const { socket } = this.#response;
    // A timeout of the socket strikes only while it is idle: the server lifts it when the next request arrives.
    this.#response.on('finish', () => socket?.setTimeout(idleMs));
  }

  sendEarlyHints(): Promise<void> {
    return new Promise((resolve) => this.#response.writeEarlyHints(hints, resolve));
  }

  writeRaw(text: string): void {
    this.#response.socket?.write(text);
  }

  resetStream(): void {
    throw new Error('HTTP/1.1 has no streams.');
  }

  goAway(): void {
    throw new Error('HTTP/1.1 has no GOAWAY.');
  }
}

/** HTTP/2. */
export class Http2Connection extends AnyConnection implements Connection {
  readonly protocol = 'h2';
  readonly #response: Http2ServerResponse;

  constructor(raw: RawConnection | undefined, response: Http2ServerResponse) {
    super(raw);
    this.#response = response;
  }

  get isAnswerSent(): boolean {
    // A response of HTTP/2 says `finish` when its stream was closed, whoever closed it.
    return this.#response.writableEnded && this.#response.stream.rstCode === constants.NGHTTP2_NO_ERROR;
  }

  closeWhenIdle(idleMs: number): void {
    const { session } = this.#response.stream;
    this.#response.on('finish', () => session?.setTimeout(idleMs, () => session.close()));
  }

  async sendEarlyHints(): Promise<void> {
    this.#response.writeEarlyHints(hints);
  }

  writeRaw(): void {
    throw new Error('HTTP/2 has no raw bytes.');
  }

  resetStream(): void {
    this.isBroken = true;
    this.#response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  goAway(answersThis: boolean): void {
    const { session, id = 0 } = this.#response.stream;
    if (answersThis) {
      session?.goaway(constants.NGHTTP2_NO_ERROR, id);
      return;
    }
    this.isBroken = true;
    session?.goaway(constants.NGHTTP2_INTERNAL_ERROR, Math.max(0, id - 2));
    // The frame leaves first, then the socket closes.
    setTimeout(() => this.close(), 20);
  }
}
