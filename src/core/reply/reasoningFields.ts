import { type LooseRecord, recordOf } from '../base/loose.ts';

/**
 * Reads the reasoning of a message or delta from its dedicated fields (wire 1.2, Q33). Some gateways send the same text
 * in several fields, so only one is read; OpenRouter's `reasoning_details` only while no other source had reasoning.
 */
export class ReasoningFields {
  /** Text read from `reasoning_details`, to detect another field that repeats it. */
  #fromDetails = '';

  /** @param hasReasoning whether any source had reasoning before. @returns the new reasoning; empty for none. */
  read(message: LooseRecord, hasReasoning: boolean): string {
    const spelled = message.reasoning_content || message.reasoning;
    if (typeof spelled === 'string' && spelled !== '') {
      return this.#fromDetails !== '' && spelled === this.#fromDetails ? '' : spelled;
    }
    if (!Array.isArray(message.reasoning_details) || (hasReasoning && this.#fromDetails === '')) {
      return '';
    }
    const details = detailsText(message.reasoning_details);
    // The last chunk may repeat all of the reasoning.
    if (details === this.#fromDetails && details.length > 1 && hasReasoning) {
      return '';
    }
    this.#fromDetails += details;
    return details;
  }
}

/** The text of the details, or else their summary; encrypted details are skipped. */
function detailsText(details: readonly unknown[]): string {
  const texts = details.map(recordOf).map(({ text }) => (typeof text === 'string' ? text : ''));
  const summaries = details.map(recordOf).map(({ summary }) => (typeof summary === 'string' ? summary : ''));
  return texts.join('') || summaries.join('');
}
