import * as l10n from '@vscode/l10n';
import { type Money, moneyText } from '../base/money.ts';
import type { Credit } from '../connections/consoleSettings.ts';
import { type AccountFacts, expiryText } from './accountFacts.ts';
import { isPast, isUsedUp } from './accountValues.ts';

/** From how long before the expiry of a key it is mentioned. */
const nearMs = 7 * 86_400_000;

/** What is left, in the unit in which the prices of the same gateway are; undefined if the unit is unknown. */
function moneyLeft({ credit, remaining }: AccountFacts, creditUnit: Credit | undefined): Money | undefined {
  if (credit) {
    const { unit, factor } = creditUnit ?? credit;
    return { amount: credit.dollars * factor, unit };
  }
  return remaining?.unit === undefined ? undefined : { amount: remaining.amount, unit: remaining.unit };
}

/** What is left and whether the key expires soon, such as “$3.20 left”; undefined if there is nothing to say. */
export function balanceText(
  facts: AccountFacts,
  creditUnit: Credit | undefined,
  now: number,
): { readonly text: string; readonly isLow: boolean } | undefined {
  const { expiresAt } = facts;
  const state = stateText(facts, now);
  const left = moneyLeft(facts, creditUnit);
  const isNear = state === undefined && isPast(expiresAt, now + nearMs);
  const parts = [
    state ?? (left && l10n.t('{0} left', moneyText(left))),
    isNear && expiresAt !== undefined && l10n.t('Key expires on {0}', expiryText(expiresAt)),
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? undefined : { text: parts.join(' · '), isLow: state !== undefined || isNear };
}

/**
 * Why the gateway may refuse a question: the key can't be used, or the cost is above what is left. Says nothing about
 * amounts in different units.
 *
 * @param cost the most that the question is estimated to cost.
 */
export function shortageText(
  facts: AccountFacts,
  creditUnit: Credit | undefined,
  cost: Money | undefined,
  now: number,
): string | undefined {
  const state = stateText(facts, now);
  if (state !== undefined) {
    return state;
  }
  const left = moneyLeft(facts, creditUnit);
  return cost && left && cost.unit === left.unit && cost.amount > left.amount
    ? l10n.t('This question may cost {0}, and {1} is left.', moneyText(cost), moneyText(left))
    : undefined;
}

/** Why a key can't be used. */
function stateText({ keyStatus, expiresAt, remaining }: AccountFacts, now: number): string | undefined {
  if (keyStatus === 'expired' || isPast(expiresAt, now)) {
    return l10n.t('Key expired');
  }
  if (keyStatus === 'disabled') {
    return l10n.t('Key disabled');
  }
  return keyStatus === 'exhausted' || isUsedUp(remaining?.amount) ? l10n.t('Quota used up') : undefined;
}
