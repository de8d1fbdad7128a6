import type { ToolCall } from '../reply/toolCalls.ts';

/** What belongs to a call on the wire but has no field in `vscode.lm`. */
export type CallFacts = {
  /** The model's reasoning before the call; some models require it to be sent back with the call (wire Q59). */
  readonly reasoning?: string;
  /** See `ToolCall.extra`. */
  readonly extra?: object;
};

const maxCalls = 1_000;
const maxReasoningChars = 4_000_000;

/**
 * Remembers the tool calls that models made in this window, by the id the caller received. Some models reject the next
 * request unless everything that came with a call is sent back, which not every caller can store. In memory only; the
 * oldest calls are dropped beyond 1,000 calls or 4,000,000 characters of reasoning.
 */
export class ToolCallMemory {
  readonly #newId: () => string;
  readonly #calls = new Map<string, CallFacts>();
  #chars = 0;

  /** @param newId creates a unique id. */
  constructor(newId: () => string) {
    this.#newId = newId;
  }

  factsOf(id: string): CallFacts | undefined {
    return this.#calls.get(id);
  }

  /** @returns the id for the caller: the model's own, or a new one if the model gave none or one already in use. */
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
