import * as l10n from '@vscode/l10n';
import type { GatewayProblem } from './gatewayProblem.ts';

/** The pages of a gateway's web console: keys, wallet, catalog of models, usage log. */
export const consolePages = ['keys', 'wallet', 'models', 'usage'] as const;
export type ConsolePage = (typeof consolePages)[number];

/** The page on which a person can do something about a problem; undefined if no page helps. */
export function consolePageOf({ kind }: GatewayProblem): ConsolePage | undefined {
  switch (kind) {
    case 'keyRejected':
    case 'keyExpired':
    case 'keyExhausted':
    case 'keyDisabled':
    case 'accessDenied':
    case 'modelDenied':
      return 'keys';
    case 'balanceEmpty':
      return 'wallet';
    case 'modelUnknown':
      return 'models';
    default:
      return undefined;
  }
}

/** Whether a gateway refused a question for the key or the balance. */
export function isAccountProblem(problem: GatewayProblem | undefined): boolean {
  const page = problem && problem.kind !== 'modelDenied' ? consolePageOf(problem) : undefined;
  return page === 'keys' || page === 'wallet';
}

/** The label of a button that opens a page, or the console itself. */
export function openPageText(page: ConsolePage | undefined): string {
  return page === undefined
    ? l10n.t('Open Console in Browser')
    : {
        keys: l10n.t('Open Keys in Browser'),
        wallet: l10n.t('Open Wallet in Browser'),
        models: l10n.t('Open Model Catalog in Browser'),
        usage: l10n.t('Open Usage Log in Browser'),
      }[page];
}
