import type { AnswerFacts } from '../../../../src/core/errors/classify.ts';
import { withDelta } from '../../../../src/core/reply/replyContent.ts';
import { ReplyReader, type ReplyVerdict } from '../../../../src/core/reply/replyReader.ts';
import { bytesOf } from './pieces.ts';

export const key = 'sk-Fixture0123456789key';

export type Read = { text: string; reasoning: string; verdict: ReplyVerdict; deltas: number };

/** Reads a body that arrives in these pieces. */
export function readPieces(pieces: readonly Uint8Array[], answer: Partial<AnswerFacts> = {}, isClosed = true): Read {
  let text = '';
  let reasoning = '';
  let deltas = 0;
  const reader = new ReplyReader({ status: 200, headers: {}, secrets: [key], now: 0, ...answer }, (delta) => {
    ({ text, reasoning } = withDelta({ text, reasoning }, delta));
    deltas++;
  });
  for (const piece of pieces) {
    reader.feed(piece);
  }
  // Before the text is returned, because the end releases text that was held back.
  const verdict = reader.end(isClosed);
  return { text, reasoning, deltas, verdict };
}

export function readText(body: string, answer: Partial<AnswerFacts> = {}): Read {
  return readPieces([bytesOf(body)], answer);
}

/** A chunk as most gateways write it. */
export function chunk(delta: unknown, finishReason: string | null = null, more: Record<string, unknown> = {}): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`;
}

export const text = (content: string): string => chunk({ content });
export const stop: string = chunk({}, 'stop');
export const done = 'data: [DONE]\n\n';

/** A whole completion, as sent without streaming. */
export function completion(
  message: unknown,
  finishReason: string | null = 'stop',
  more: Record<string, unknown> = {},
): string {
  return JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
    ...more,
  });
}
