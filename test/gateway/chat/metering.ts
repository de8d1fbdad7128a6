import type { CatalogueModel } from '../models/catalogue.ts';
import type { ChatMessage } from './chatRequest.ts';

/**
 * The gateway's token count: an estimate of one token for every four UTF-16 code units, rounded up. It is the same
 * for every model and needs no tokeniser, so that a test can work it out by hand.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Prompt tokens of a conversation: the estimate of each message's text plus four a message for its frame. */
export function estimatePromptTokens(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message.text) + 4, 0);
}

/** The charge in whole micro-USD, rounded up once for the whole call; integer arithmetic throughout. */
export function costMicroUsd(
  price: Pick<CatalogueModel, 'inputNanoUsd' | 'outputNanoUsd'>,
  promptTokens: number,
  completionTokens: number,
): number {
  return Math.ceil((promptTokens * price.inputNanoUsd + completionTokens * price.outputNanoUsd) / 1000);
}

/** `1234567` as `$1.234567`, for the console. */
export function formatUsd(microUsd: number): string {
  const sign = microUsd < 0 ? '-' : '';
  const [whole, fraction = ''] = (Math.abs(microUsd) / 1e6).toFixed(6).split('.');
  return `${sign}$${whole}.${fraction.replace(/0{1,4}$/, '')}`;
}
