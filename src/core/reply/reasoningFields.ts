import { type LooseRecord, recordOf } from '../base/loose.ts';

/** UTF-16 units of all the reasoning, in several pieces, that a last message may repeat. */
const minRepeated = 16;

/**
 * Reads the reasoning of a message or delta from its dedicated fields (wire 1.2, Q33). Some gateways send the same text
 * in several fields, so only one is read; lists of details only while no other source had reasoning.
 */
export class ReasoningFields {
  /** Text read from lists of details, to detect another field that repeats it. */
  #fromDetails = '';
  #all = '';
  #pieces = 0;

  /** @param hasReasoning whether any source had reasoning before. @returns the new reasoning; empty for none. */
  read(message: LooseRecord, hasReasoning: boolean): string {
    const { reasoning_content, reasoning, reasoning_text, thinking, reasoning_details, thinking_blocks } = message;
    const spelled =
      reasoningText(reasoning_content) ||
      reasoningText(reasoning) ||
      reasoningText(reasoning_text) ||
      reasoningText(thinking);
    if (spelled !== '') {
      const isWhole = spelled === this.#all && spelled.length >= minRepeated && this.#pieces > 1;
      if (isWhole || spelled === this.#fromDetails) {
        return '';
      }
      this.#all += spelled;
      this.#pieces++;
      return spelled;
    }
    if (hasReasoning && this.#fromDetails === '') {
      return '';
    }
    const details = reasoningText(reasoning_details) || reasoningText(thinking_blocks);
    // The last chunk may repeat all of the reasoning.
    if (details === this.#fromDetails && details.length > 1 && hasReasoning) {
      return '';
    }
    this.#fromDetails += details;
    return details;
  }
}

/** The text of reasoning: a text, an object with one, or a list of them; else their summaries. Encrypted data is skipped. */
export function reasoningText(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  if (typeof value !== 'object' || value === null) {
    return '';
  }
  const parts = (Array.isArray(value) ? value : [value]).map((part) =>
    typeof part === 'string' ? { text: part } : recordOf(part),
  );
  const texts = parts.map(({ text, thinking, content }: LooseRecord) =>
    [text, thinking, content]
      .map((each) => (typeof each === 'string' || Array.isArray(each) ? reasoningText(each) : ''))
      .find(Boolean),
  );
  const summaries = parts.map(({ summary }: LooseRecord) =>
    typeof summary === 'string' || Array.isArray(summary) ? reasoningText(summary) : '',
  );
  return texts.join('') || summaries.join('');
}
