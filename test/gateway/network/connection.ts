import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A TCP socket, below TLS and HTTP, and the number of requests it has received. */
export interface RawConnection {
  readonly socket: Socket;
  requests: number;
}

const hints = { link: '</console.css>; rel=preload' };

/** The connection of a request, with the ways in which a fault can break it. */
export class Connection {
  /** Whether `close` or `reset` was called. */
  isBroken = false;
  /** The number of requests on it before this one. */
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

  /** Whether the whole answer was sent. */
  get isAnswerSent(): boolean {
    return this.#response.writableFinished;
  }

  /** Closes it at once, even if the answer isn't complete. */
  close(): void {
    this.isBroken = true;
    this.#raw?.socket.destroy();
  }

  /** Resets it (TCP RST). */
  reset(): void {
    this.isBroken = true;
    this.#raw?.socket.resetAndDestroy();
  }

  /** Closes it after this answer when it has been idle for `idleMs`. */
  closeWhenIdle(idleMs: number): void {
    const { socket } = this.#response;
    // The socket's time-out applies only while it is idle: the server clears it when the next request arrives.
    this.#response.on('finish', () => socket?.setTimeout(idleMs));
  }

  /** Sends an interim response with status 103 and a hint for a style sheet. */
  sendEarlyHints(): Promise<void> {
    return new Promise((resolve) => this.#response.writeEarlyHints(hints, resolve));
  }

  /** Writes directly to the socket, without any framing. */
  writeRaw(text: string): void {
    this.#response.socket?.write(text);
  }
}
