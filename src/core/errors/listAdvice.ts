import * as l10n from '@vscode/l10n';
import type { AdviceWords } from './adviceText.ts';
import { durationText } from './durationText.ts';
import type { GatewayProblem } from './gatewayProblem.ts';

type ListAdvice = AdviceWords & { readonly action: 'sendAgain' | 'checkConnection' | 'editAddress' };

/**
 * The advice when reading the model list failed: no question was sent, nothing is charged, there is no model to change.
 *
 * @returns undefined for a problem whose usual advice mentions none of that.
 */
export function listAdvice(problem: GatewayProblem, host: string): ListAdvice | undefined {
  switch (problem.kind) {
    case 'gatewayDown':
      return {
        title: l10n.t('The gateway has a problem'),
        remedy: l10n.t('Try again later.'),
        action: 'sendAgain',
      };
    case 'gatewayTimedOut':
      return {
        title: l10n.t('The gateway timed out'),
        remedy: l10n.t('{0}, or a proxy in front of it, took too long to respond. Try again later.', host),
        action: 'sendAgain',
      };
    case 'rateLimited':
      return {
        title: l10n.t('Rate limit reached'),
        remedy:
          problem.retryAfterMs === undefined
            ? l10n.t('{0} is limiting requests. Wait a moment, then try again.', host)
            : l10n.t('{0} asks you to wait {1} before trying again.', host, durationText(problem.retryAfterMs)),
        action: 'sendAgain',
      };
    case 'timedOut':
      return {
        title: l10n.t("The model list didn't arrive in time"),
        remedy: l10n.t(
          "{0} didn't respond for {1}. Try again or check the connection.",
          host,
          durationText(problem.limitMs),
        ),
        action: 'checkConnection',
      };
    case 'cut':
      return {
        title: l10n.t('The model list was cut off'),
        remedy: l10n.t(
          'The connection to {0} closed before the whole list arrived. Try again or check the connection.',
          host,
        ),
        action: 'checkConnection',
      };
    case 'emptyReply':
      return {
        title: l10n.t('The response is empty'),
        remedy: l10n.t(
          "{0} responded without a model list. Check the connection's address. It usually ends with /v1.",
          host,
        ),
        action: 'editAddress',
      };
    default:
      return undefined;
  }
}
