import { amountOf, type LooseRecord, textOf } from '../base/loose.ts';
import { siteUnit } from '../base/money.ts';
import type { ConsoleKind, Credit } from '../connections/consoleSettings.ts';
import { amountUpTo, dataOf, label } from './accountValues.ts';

/** Larger numbers are no rates of a currency. */
const maxRate = 1e9;

/** How a new-api or one-api site counts: quota times `factor` is an amount in `unit`, as its console shows balances. */
export type SiteUnit = {
  readonly factor: number;
  readonly unit?: string;
  /** The quota that is a dollar of the site, if the site states it. */
  readonly quotaPerDollar?: number;
  /** In money only if the site says so; otherwise `siteUnit`. */
  readonly credit: Credit;
  readonly consoleKind: ConsoleKind;
};

/** Reads the public `/api/status` of new-api and one-api. Without a stated unit, amounts are plain quota. */
export function readSiteStatus(body: unknown): SiteUnit | undefined {
  const data = dataOf(body);
  if (!('quota_per_unit' in data || 'system_name' in data)) {
    return undefined;
  }
  const { display_in_currency: isMoney } = data;
  const stated = textOf(data.quota_display_type)?.toUpperCase();
  const credit = creditOf(stated ?? (isMoney === true ? 'USD' : undefined), data);
  const consoleKind = data.theme === 'default' ? 'default' : 'classic';
  const quotaPerDollar = amountOf(data.quota_per_unit);
  if (quotaPerDollar === undefined || quotaPerDollar === 0) {
    return { factor: 1, credit, consoleKind };
  }
  const shown = stated ?? (isMoney === false ? 'TOKENS' : 'USD');
  const { factor, unit } = creditOf(shown, data);
  return {
    ...(shown === 'TOKENS'
      ? { factor: 1, unit: 'tokens' }
      : unit === siteUnit
        ? { factor: 1 }
        : { factor: factor / quotaPerDollar, unit }),
    quotaPerDollar,
    credit,
    consoleKind,
  };
}

function creditOf(shown: string | undefined, data: LooseRecord): Credit {
  const unit =
    shown === 'USD' || shown === 'CNY' ? shown : shown === 'CUSTOM' ? label(data.custom_currency_symbol, 8) : undefined;
  // A symbol of the site's own must not be taken for the words of ours.
  const isOurs = unit === siteUnit || unit === 'tokens';
  const rate = shown === 'CNY' ? data.usd_exchange_rate : data.custom_currency_exchange_rate;
  const factor = shown === 'USD' ? 1 : amountUpTo(rate, maxRate);
  return unit === undefined || isOurs || factor === undefined || factor === 0
    ? { factor: 1, unit: siteUnit }
    : { factor, unit };
}
