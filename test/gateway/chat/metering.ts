import type { CatalogueModel } from '../models/catalogue.ts';
import type { ChatMessage } from './chatRequest.ts';

/**
 * Estimates tokens as one for every four UTF-16 code units, rounded up. The estimate is the same for every model and
 * needs no tokenizer, so that a test can calculate it.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Estimates the prompt tokens of a conversation: the text of each message, plus four tokens per message. */
export function estimatePromptTokens(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message.text) + 4, 0);
}

/**
 * Calculates the charge in whole micro-USD, with integers, rounded up once for the whole call.
 *
 * @param groupRatio the factor of the prices in the key's group.
 */
export function costMicroUsd(
  price: Pick<CatalogueModel, 'inputNanoUsd' | 'outputNanoUsd'>,
  promptTokens: number,
  completionTokens: number,
  groupRatio = 1,
): number {
  const nanoUsd = promptTokens * price.inputNanoUsd + completionTokens * price.outputNanoUsd;
  return Math.ceil((nanoUsd * groupRatio) / 1000);
}

/** Formats `1234567` as `$1.234567` for the console. */
export function formatUsd(microUsd: number): string {
  const sign = microUsd < 0 ? '-' : '';
  const [whole, fraction = ''] = (Math.abs(microUsd) / 1e6).toFixed(6).split('.');
  return `${sign}$${whole}.${fraction.replace(/0{1,4}$/, '')}`;
}
