import * as l10n from '@vscode/l10n';
import type { GatewayProblem } from './gatewayProblem.ts';

/**
 * The message that came with a problem, to be shown after the advice. It is attributed to the gateway only if the
 * gateway responded.
 *
 * @returns empty when there is no message.
 */
export function quotedWords({ words, status }: GatewayProblem, host: string): string {
  if (!words) {
    return '';
  }
  return status === undefined
    ? l10n.t({ message: '({0})', args: [words], comment: ['The message of an error, after a sentence'] })
    : l10n.t('{0} says: "{1}"', host, words);
}
