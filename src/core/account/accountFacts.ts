import * as l10n from '@vscode/l10n';
import { dateText, factsText, numberText } from '../base/localization.ts';
import { exactMoneyText, type Money, moneyText } from '../base/money.ts';
import type { ConsoleKind, Credit } from '../connections/consoleSettings.ts';

/** Money or quota as a gateway counts it. */
export type AccountAmount = {
  /** Negative when the account is overdrawn. */
  readonly amount: number;
  /** `USD`, `CNY`, `tokens` or the gateway's own currency symbol; absent when the gateway states no unit. */
  readonly unit?: string;
};

/** What a gateway reports about a key on an undocumented endpoint. */
export type AccountFacts = {
  readonly remaining?: AccountAmount;
  readonly used?: AccountAmount;
  /** The key has no limit of its own; the balance of the account may still run out. */
  readonly unlimited?: true;
  /** Unix milliseconds. */
  readonly expiresAt?: number;
  readonly isDisabled?: true;
  /** Name of the key in the gateway's console. */
  readonly name?: string;
  /** What is left in dollars of the site, and what such a dollar is worth as far as the site says so. */
  readonly credit?: Credit & { readonly dollars: number };
  /** The front end of a site that identified itself as new-api. */
  readonly consoleKind?: ConsoleKind;
};

/** From how long before the expiry of a key it is mentioned. */
const nearMs = 7 * 86_400_000;

/** @param at Unix milliseconds. */
function isPast(at: number | undefined, now: number): boolean {
  return at !== undefined && at <= now;
}

/** The facts in one line for display, with their source. An amount without a known unit gets no currency. */
export function accountWords(facts: AccountFacts, now: number): string {
  const { remaining, used, unlimited, expiresAt, name } = facts;
  const isExpired = isPast(expiresAt, now);
  const until = expiresAt === undefined ? undefined : dayText(expiresAt);
  const isUnitUnknown = [remaining, used].some((sum) => sum !== undefined && sum.unit === undefined);
  return factsText(
    name !== undefined && l10n.t('Key "{0}"', name),
    isExpired && until ? l10n.t('Key expired on {0}', until) : stateText(facts, now),
    remaining && l10n.t('{0} left', amountText(remaining)),
    unlimited && l10n.t('No limit on the key'),
    used && l10n.t('{0} used', amountText(used)),
    isUnitUnknown && l10n.t('Unit unknown'),
    !isExpired && until && l10n.t('Valid until {0}', until),
    l10n.t('From an undocumented endpoint'),
  );
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
  const text = factsText(
    state ?? (left && l10n.t('{0} left', moneyText(left))),
    isNear && expiresAt !== undefined && l10n.t('Key expires on {0}', dayText(expiresAt)),
  );
  return text === '' ? undefined : { text, isLow: state !== undefined || isNear };
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
  const left = moneyLeft(facts, creditUnit);
  return (
    stateText(facts, now) ??
    (cost && left && cost.unit === left.unit && cost.amount > left.amount
      ? l10n.t('This question may cost {0}, and {1} is left.', exactMoneyText(cost), exactMoneyText(left))
      : undefined)
  );
}

/** What is left, in the unit in which the prices of the same gateway are; undefined if the unit is unknown. */
function moneyLeft({ credit, remaining }: AccountFacts, creditUnit: Credit | undefined): Money | undefined {
  if (credit) {
    const { unit, factor } = creditUnit ?? credit;
    return { amount: credit.dollars * factor, unit };
  }
  return remaining?.unit === undefined ? undefined : { amount: remaining.amount, unit: remaining.unit };
}

/** Why a key can't be used. */
function stateText({ isDisabled, expiresAt, remaining }: AccountFacts, now: number): string | undefined {
  if (isPast(expiresAt, now)) {
    return l10n.t('Key expired');
  }
  if (isDisabled) {
    return l10n.t('Key disabled');
  }
  return remaining && remaining.amount <= 0 ? l10n.t('Quota used up') : undefined;
}

function dayText(at: number): string {
  return dateText(at, { dateStyle: 'medium', timeZone: 'UTC' });
}

function amountText({ amount, unit }: AccountAmount): string {
  if (unit === 'tokens') {
    return l10n.t('{0} tokens', numberText(amount));
  }
  return unit === undefined ? numberText(amount) : exactMoneyText({ amount, unit });
}
