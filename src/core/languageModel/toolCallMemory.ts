import type { ToolCall } from '../reply/toolCalls.ts';

/** What belongs to a call on the wire and has no place in `vscode.lm`. */
export type CallFacts = {
  /** What the model thought before it called; some want it back with the call (wire Q59). */
  readonly reasoning?: string;
  /** See `ToolCall.extra`. */
  readonly extra?: object;
};

const maxCalls = 1_000;
const maxReasoningChars = 4_000_000;

/**
 * The calls that models made in this window, by the id they were handed on with. Some models refuse to go on when what
 * came with a call is not sent back, and not every caller can keep it. In memory alone; the oldest are forgotten.
 */
export class ToolCallMemory {
  readonly #newId: () => string;
  readonly #calls = new Map<string, CallFacts>();
  #chars = 0;

  /** @param newId gives fresh ids. */
  constructor(newId: () => string) {
    this.#newId = newId;
  }

  factsOf(id: string): CallFacts | undefined {
    return this.#calls.get(id);
  }

  /** @returns the id for the caller: the model's own, unless it gave none or one that was there before. */
  remember({ id, extra }: ToolCall, reasoning: string): string {
    const unique = id === undefined || this.#calls.has(id) ? this.#newId() : id;
    this.#calls.set(unique, { ...(reasoning !== '' && { reasoning }), ...(extra && { extra }) });
    this.#chars += reasoning.length;
    for (const [oldest, facts] of this.#calls) {
      if (oldest === unique || (this.#calls.size <= maxCalls && this.#chars <= maxReasoningChars)) {
        break;
      }
      this.#calls.delete(oldest);
      this.#chars -= facts.reasoning?.length ?? 0;
    }
    return unique;
  }
}
