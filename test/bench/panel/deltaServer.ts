import type { RequestListener, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export const deltasPerSecond = 2_000;
/** The length of the text in one delta: about a token and a half, which makes ten kilobytes a second. */
export const deltaLength = 5;
/** The time from the question to the first text, in which the measurement is prepared. */
const firstTextAfterMs = 1_500;
const tickMs = 5;

/** A gateway whose models are named after the replies they stream, at a steady pace. */
export function streaming(replies: Readonly<Record<string, string>>): RequestListener {
  return async (request, response) => {
    if (request.method !== 'POST') {
      const data = Object.keys(replies).map((id) => ({ id, object: 'model', created: 0, owned_by: 'bench' }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data }));
      return;
    }
    const { model } = (await json(request)) as { model: string };
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    response.flushHeaders();
    await delay(firstTextAfterMs);
    await stream(response, model, replies[model] ?? '');
  };
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
