import * as l10n from '@vscode/l10n';
import { dateText, numberText } from '../base/localization.ts';
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
  /** The dialect that answered. */
  readonly source: 'new-api' | 'one-api' | 'openrouter' | 'litellm';
  readonly remaining?: AccountAmount;
  readonly used?: AccountAmount;
  /** The key has no limit of its own; the balance of the account may still run out. */
  readonly unlimited?: true;
  /** Unix milliseconds. */
  readonly expiresAt?: number;
  /** Absent if the endpoint also answers for keys that can't be used. */
  readonly keyStatus?: 'valid' | 'expired' | 'exhausted' | 'disabled';
  /** Name of the key in the gateway's console. */
  readonly name?: string;
  /** What is left in dollars of the site, and what such a dollar is worth as far as the site says so. */
  readonly credit?: Credit & { readonly dollars: number };
  /** The front end of a site that identified itself as new-api. */
  readonly consoleKind?: ConsoleKind;
};

/** The facts in one line for display, with their source. An amount without a known unit gets no currency. */
export function accountWords({ remaining, used, unlimited, expiresAt, keyStatus, name }: AccountFacts): string {
  const until = expiresAt === undefined ? undefined : expiryText(expiresAt);
  const isUnitUnknown = [remaining, used].some((sum) => sum !== undefined && sum.unit === undefined);
  const parts = [
    name !== undefined && l10n.t('Key "{0}"', name),
    keyStatus !== undefined && keyStatus !== 'valid' && statusText(keyStatus, until),
    remaining && remainingText(remaining),
    unlimited && l10n.t('No limit on the key'),
    used && l10n.t('{0} used', sumOf(used)),
    isUnitUnknown && l10n.t('Unit unknown'),
    keyStatus !== 'expired' && until && l10n.t('Valid until {0}', until),
  ].filter((each) => typeof each === 'string');
  return [...(parts.length > 0 ? parts : [l10n.t('Key accepted')]), l10n.t('From an undocumented endpoint')].join(
    ' · ',
  );
}

/** The day on which a key expires. */
export function expiryText(expiresAt: number): string {
  return dateText(expiresAt, { dateStyle: 'medium', timeZone: 'UTC' });
}

function statusText(keyStatus: 'expired' | 'exhausted' | 'disabled', until: string | undefined): string {
  switch (keyStatus) {
    case 'expired':
      return until === undefined
        ? l10n.t({ message: 'Expired', comment: ['Said of a key'] })
        : l10n.t({ message: 'Expired on {0}', args: [until], comment: ['Said of a key'] });
    case 'exhausted':
      return l10n.t({ message: 'Used up', comment: ["Said of a key's quota"] });
    case 'disabled':
      return l10n.t({ message: 'Disabled', comment: ['Said of a key'] });
    default:
      return keyStatus satisfies never;
  }
}

function remainingText(remaining: AccountAmount): string {
  return remaining.amount < 0
    ? l10n.t('Overdrawn by {0}', sumOf({ ...remaining, amount: -remaining.amount }))
    : l10n.t('{0} left', sumOf(remaining));
}

function sumOf({ amount, unit }: AccountAmount): string {
  const number = numberText(amount, { maximumFractionDigits: Math.abs(amount) < 1 ? 4 : 2 });
  if (unit === 'tokens') {
    return l10n.t('{0} tokens', number);
  }
  return unit === undefined ? number : `${number} ${unit}`;
}
