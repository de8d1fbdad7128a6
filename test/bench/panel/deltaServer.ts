import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { listenOnLoopback } from '../../gateway/network/listenOnLoopback.ts';

export const deltasPerSecond = 2_000;
/** The length of the text in one delta: about a token and a half, which makes ten kilobytes a second. */
export const deltaLength = 5;
/** The time from the question to the first text, in which the measurement is prepared. */
const firstTextAfterMs = 1_500;
const tickMs = 5;

/** A gateway whose models are named after the replies they stream, at a steady pace. */
export class DeltaServer {
  readonly #replies: Readonly<Record<string, string>>;
  readonly #server: Server;

  /** @param replies the text of each model's reply. */
  constructor(replies: Readonly<Record<string, string>>) {
    this.#replies = replies;
    this.#server = createServer({ noDelay: true }, (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  /** @returns the base URL for clients. */
  async listen(): Promise<string> {
    return `http://127.0.0.1:${await listenOnLoopback(this.#server, 0)}/v1`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) {
      body += piece;
    }
    if (request.method !== 'POST') {
      const data = Object.keys(this.#replies).map((id) => ({ id, object: 'model', created: 0, owned_by: 'bench' }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data }));
      return;
    }
    const { model } = JSON.parse(body) as { model: string };
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    response.flushHeaders();
    await delay(firstTextAfterMs);
    await stream(response, model, this.#replies[model] ?? '');
  }
}

async function stream(response: ServerResponse, model: string, text: string): Promise<void> {
  const head = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_741_570_283, model };
  const event = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const beganAt = performance.now();
  for (let sent = 0; sent * deltaLength < text.length && !response.destroyed; ) {
    const due = Math.ceil(((performance.now() - beganAt + tickMs) / 1_000) * deltasPerSecond);
    let piece = '';
    for (; sent < due && sent * deltaLength < text.length; sent++) {
      piece += event({ content: text.slice(sent * deltaLength, (sent + 1) * deltaLength) }, null);
    }
    response.write(piece);
    await delay(tickMs);
  }
  response.end(`${event({}, 'stop')}data: [DONE]\n\n`);
}
