import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A socket below TLS and HTTP, and the requests it brought. */
export interface RawConnection {
  readonly socket: Socket;
  requests: number;
}

const hints = { link: '</console.css>; rel=preload' };

/** The connection a request came by, and the harm a fault can do to it. */
export class Connection {
  /** Whether one of the methods below broke it. */
  isBroken = false;
  /** Requests it brought before this one. */
  readonly earlierRequests: number;
  readonly #raw: RawConnection | undefined;
  readonly #response: ServerResponse;

  constructor(raw: RawConnection | undefined, response: ServerResponse) {
    this.#raw = raw;
    this.#response = response;
    this.earlierRequests = raw?.requests ?? 0;
    if (raw !== undefined) {
      raw.requests += 1;
    }
  }

  /** Whether all of the answer left. */
  get isAnswerSent(): boolean {
    return this.#response.writableFinished;
  }

  /** Closes it as it is, whatever was to be said still. */
  close(): void {
    this.isBroken = true;
    this.#raw?.socket.destroy();
  }

  /** Resets it (TCP RST). */
  reset(): void {
    this.isBroken = true;
    this.#raw?.socket.resetAndDestroy();
  }

  /** Closes it once it was idle for so long after this answer. */
  closeWhenIdle(idleMs: number): void {
    const { socket } = this.#response;
    // A timeout of the socket strikes only while it is idle: the server lifts it when the next request arrives.
    this.#response.on('finish', () => socket?.setTimeout(idleMs));
  }

  /** Sends a response before the response: 103, with the hint of a style sheet. */
  sendEarlyHints(): Promise<void> {
    return new Promise((resolve) => this.#response.writeEarlyHints(hints, resolve));
  }

  /** Writes past all framing. */
  writeRaw(text: string): void {
    this.#response.socket?.write(text);
  }
}
