import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { estimateTokens } from './chat/metering.ts';
import { pieces } from './chat/pieces.ts';
import type { ScriptedAnswer } from './chat/scriptedAnswer.ts';

/** A few words of a reply, or a piece of a tool call. */
export type Delta =
  | { readonly kind: 'reasoning' | 'content'; readonly text: string }
  | { readonly kind: 'tool'; readonly text: string; readonly index: number; readonly name: string | undefined };

/** How fast a reply is produced. */
export interface Pace {
  readonly delayMs: number;
  readonly deltasPerPause: number;
}

/** Produces one reply as an iterable of deltas, and counts the tokens produced so far, which are charged. */
export class Production implements AsyncIterable<Delta> {
  readonly #deltas: readonly Delta[];
  readonly #pace: () => Pace;
  readonly #signal: AbortSignal;
  #text = '';
  #isFinished = false;
  /** `length` when the request's own limit cuts the answer, `tool_calls` when it ends with calls, else `stop`. */
  readonly finishReason: 'stop' | 'length' | 'tool_calls';

  constructor(answer: ScriptedAnswer, maxTokens: number | undefined, pace: () => Pace, signal: AbortSignal) {
    const limit = maxTokens === undefined ? Number.POSITIVE_INFINITY : maxTokens * 4;
    const reasoning = answer.reasoning.slice(0, limit);
    const text = answer.text.slice(0, Math.max(0, limit - reasoning.length));
    const isCut = reasoning.length + text.length < answer.reasoning.length + answer.text.length;
    this.finishReason = isCut ? 'length' : answer.toolCalls.length > 0 ? 'tool_calls' : 'stop';
    this.#deltas = [
      ...pieces(reasoning).map((piece): Delta => ({ kind: 'reasoning', text: piece })),
      ...pieces(text).map((piece): Delta => ({ kind: 'content', text: piece })),
      ...answer.toolCalls.flatMap((call, index) => [
        { kind: 'tool' as const, text: '', index, name: call.name },
        ...pieces(call.arguments).map((piece): Delta => ({ kind: 'tool', text: piece, index, name: undefined })),
      ]),
    ];
    this.#pace = pace;
    this.#signal = signal;
  }

  /** The tokens produced so far, by the gateway's estimate. */
  get completionTokens(): number {
    return estimateTokens(this.#text);
  }

  /** Whether the last delta has been produced. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Produces the deltas, each at the current pace; throws the signal's reason when the client has disconnected. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Delta> {
    for (const [index, delta] of this.#deltas.entries()) {
      const { delayMs, deltasPerPause } = this.#pace();
      if (index % deltasPerPause === 0) {
        // Vary the delay by up to a quarter, as in real streams.
        const jitter = 0.75 + ((index * 37) % 50) / 100;
        await (delayMs > 0
          ? sleep(delayMs * jitter, undefined, { signal: this.#signal })
          : nextTurn(undefined, { signal: this.#signal }));
      }
      this.#text += delta.text;
      yield delta;
    }
    this.#isFinished = true;
  }
}
