import * as l10n from '@vscode/l10n';
import { sentences } from '../base/localization.ts';
import type { AdviceWords } from './adviceText.ts';
import { durationText } from './durationText.ts';
import type { ProblemOf } from './gatewayProblem.ts';

type AccessProblem = ProblemOf<
  | 'keyRejected'
  | 'keyExpired'
  | 'keyExhausted'
  | 'keyDisabled'
  | 'balanceEmpty'
  | 'accessDenied'
  | 'modelDenied'
  | 'modelUnknown'
  | 'rateLimited'
>;

/** The title and remedy for what a key, its account or its group doesn't allow. */
export function accessAdvice(problem: AccessProblem, model?: string): AdviceWords {
  switch (problem.kind) {
    case 'keyRejected':
      return {
        title: l10n.t('The gateway rejected this key'),
        remedy: l10n.t(
          'It may be invalid, expired, disabled or out of quota. Check it in the console or enter another key.',
        ),
      };
    case 'keyExpired':
      return {
        title: l10n.t('This key has expired'),
        remedy: l10n.t('Create a new key in the console and enter it here.'),
      };
    case 'keyExhausted':
      return problem.isReserved
        ? {
            title: l10n.t('Insufficient key quota'),
            remedy: sentences(
              l10n.t(
                "The gateway reserves the maximum cost in advance, and this key's remaining quota doesn't cover it.",
              ),
              l10n.t(
                "Lower the token limit if one is set, send less, choose a cheaper model, or raise the key's quota in the console.",
              ),
            ),
          }
        : {
            title: l10n.t("This key's quota is used up"),
            remedy: l10n.t("Raise the key's quota in the console or enter another key."),
          };
    case 'keyDisabled':
      return {
        title: l10n.t('This key is disabled'),
        remedy: l10n.t('Enable it in the console or enter another key.'),
      };
    case 'balanceEmpty':
      return { title: l10n.t('Insufficient balance'), remedy: balanceRemedy(problem) };
    case 'accessDenied':
      return {
        title: l10n.t('The gateway denied access'),
        remedy: l10n.t(
          "The key, the account, or your IP address may be restricted. Check the key's permissions in the console.",
        ),
      };
    case 'modelDenied':
      return {
        title: l10n.t("This key can't use this model"),
        remedy:
          model === undefined
            ? l10n.t(
                "The model isn't available to this key's group. Choose another model, or change the key's group in the console.",
              )
            : l10n.t(
                "{0} isn't available to this key's group. Choose another model, or change the key's group in the console.",
                model,
              ),
      };
    case 'modelUnknown':
      return {
        title: l10n.t('Model not found'),
        remedy:
          model === undefined
            ? l10n.t("The model isn't available to this key or no longer exists. Choose another model.")
            : l10n.t("{0} isn't available to this key or no longer exists. Choose another model.", model),
      };
    case 'rateLimited':
      return { title: l10n.t('Rate limit reached'), remedy: waitRemedy(problem) };
    default:
      return problem satisfies never;
  }
}

/** Gateways reserve the price of the longest answer (wire Q41), so they may refuse a call that would cost less. */
function balanceRemedy({ isReserved }: ProblemOf<'balanceEmpty'>): string {
  return isReserved
    ? sentences(
        l10n.t("The gateway reserves the maximum cost in advance, and the remaining balance doesn't cover it."),
        l10n.t(
          'Lower the token limit if one is set, send less, choose a cheaper model, or top up the balance in the console.',
        ),
      )
    : l10n.t('Top up the balance in the console, then send again.');
}

function waitRemedy({ retryAfterMs }: ProblemOf<'rateLimited'>): string {
  return retryAfterMs === undefined
    ? l10n.t("The gateway or the model's vendor is limiting requests. Wait a moment, then send again.")
    : l10n.t('The gateway asks you to wait {0} before sending again.', durationText(retryAfterMs));
}
