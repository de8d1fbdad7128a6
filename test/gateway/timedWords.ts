import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ListServer } from './listServer.ts';

/** How a reply is sent: first `thoughts` pieces of reasoning, then `words` pieces of text, one every `paceMs`. */
export type Pace = {
  readonly firstMs: number;
  readonly paceMs: number;
  readonly thoughts: number;
  readonly words: number;
};

/** A piece that contains its number and the time it was sent: `t3@1763700000000 `, `w12@1763700000100 `. */
export type TimedPiece = { readonly kind: 't' | 'w'; readonly number: number; readonly sentAt: number };

/** Reads the pieces of one kind from a text, in order. */
export function timedPieces(text: string, kind: 't' | 'w'): TimedPiece[] {
  return [...text.matchAll(/([tw])(\d+)@(\d{13})/g)]
    .map(
      ([, of, number, sentAt]) =>
        ({ kind: of === 't' ? 't' : 'w', number: Number(number), sentAt: Number(sentAt) }) as const,
    )
    .filter((piece) => piece.kind === kind);
}

/**
 * A server on loopback whose replies are streams of such pieces, so that any part of a reply shows how old it is. It
 * accepts any key and records what is posted to it.
 */
export class TimedWords extends ListServer {
  /** The bodies of all POST requests. */
  readonly posts: string[] = [];
  pace: Pace = { firstMs: 0, paceMs: 20, thoughts: 0, words: 100 };

  constructor() {
    super((request, response) => void this.#answer(request, response).catch(() => response.destroy()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      const data = [{ id: 'timed-words', object: 'model', owned_by: 'test' }];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }));
      return;
    }
    let body = '';
    for await (const piece of request.setEncoding('utf8')) {
      body += piece;
    }
    this.posts.push(body);
    const { firstMs, paceMs, thoughts, words } = this.pace;
    await delay(firstMs);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta: object, finish: string | null = null) => {
      const chunk = {
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'timed-words',
        choices: [{ index: 0, delta, finish_reason: finish }],
      };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    const begun = Date.now();
    for (let index = 0; index < thoughts + words && !response.destroyed; index++) {
      await delay(Math.max(1, begun + index * paceMs - Date.now()));
      const isThought = index < thoughts;
      const piece = isThought ? `t${index + 1}@${Date.now()} ` : `w${index - thoughts + 1}@${Date.now()} `;
      send(isThought ? { reasoning_content: piece } : { content: piece });
    }
    send({}, 'stop');
    response.end('data: [DONE]\n\n');
  }
}
