import { createServer, type RequestListener, type Server } from 'node:http';
import { listenOnLoopback } from './network/listenOnLoopback.ts';

/** A server on loopback for tests that need little of a gateway, such as its model list. */
export class ListServer {
  readonly #server: Server;

  constructor(answer: RequestListener) {
    this.#server = createServer(answer);
  }

  /** @returns the base URL for clients. */
  async listen(): Promise<string> {
    return `http://127.0.0.1:${await listenOnLoopback(this.#server, 0)}/v1`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
