import { type LooseRecord, recordOf } from '../base/loose.ts';

/**
 * Reads the reasoning of a message or a delta from the fields of its own (wire 1.2, Q33). Some gateways fill several of
 * them with the same text, so one is read; OpenRouter's list of details only while nothing else has carried any.
 */
export class ReasoningFields {
  /** What the details gave, to know it again when another field repeats it. */
  #fromDetails = '';

  /** @param hasReasoning whether any was read before, from wherever. @returns the new reasoning; empty for none. */
  read(message: LooseRecord, hasReasoning: boolean): string {
    const spelled = message.reasoning_content || message.reasoning;
    if (typeof spelled === 'string' && spelled !== '') {
      return this.#fromDetails !== '' && spelled === this.#fromDetails ? '' : spelled;
    }
    if (!Array.isArray(message.reasoning_details) || (hasReasoning && this.#fromDetails === '')) {
      return '';
    }
    const details = detailsText(message.reasoning_details);
    // A last chunk may hold the whole of what came before.
    if (details === this.#fromDetails && details.length > 1 && hasReasoning) {
      return '';
    }
    this.#fromDetails += details;
    return details;
  }
}

/** The text of the details, or else their summary; what is encrypted is not for people. */
function detailsText(details: readonly unknown[]): string {
  const texts = details.map(recordOf).map(({ text }) => (typeof text === 'string' ? text : ''));
  const summaries = details.map(recordOf).map(({ summary }) => (typeof summary === 'string' ? summary : ''));
  return texts.join('') || summaries.join('');
}
