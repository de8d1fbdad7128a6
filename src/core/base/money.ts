import * as l10n from '@vscode/l10n';
import { numberText } from './localization.ts';

/**
 * An amount of money, or of the credit that a site sells. Amounts of different units are never added up.
 */
export type Money = {
  readonly amount: number;
  /** An ISO 4217 code such as `USD`, `siteUnit`, or the site's own symbol; see `moneyAt`. */
  readonly unit: string;
};

/**
 * The credit of a site whose value in money is unknown. Sites of the new-api family count in dollars of their own, and
 * sell them at other rates.
 */
export const siteUnit = 'site';

/** Whether a unit is a currency, whose amounts have the same value everywhere. */
export function isCurrency(unit: string): boolean {
  return /^[A-Z]{3}$/.test(unit);
}

/** The same amount; the credit of a site in a unit of its own, because it is worth something else at each site. */
export function moneyAt<M extends Money>(site: string, money: M): M {
  const { unit } = money;
  if (isCurrency(unit)) {
    return money;
  }
  return { ...money, unit: unit === siteUnit ? l10n.t('site units of {0}', site) : `${unit} (${site})` };
}

/** No call costs more in any currency or credit, or has more tokens: a larger figure from outside is neither. */
export const mostOfCall = 1e9;

/** Amounts by their units. */
export type Sums = ReadonlyMap<string, number>;

/** Below it, nobody decides by the digits: a tenth of a cent, or of another unit's hundredth. */
const smallest = 0.001;

/** An amount as it stands on screen, such as “$2.86”, “$0.0061” or “under $0.001”. */
export function moneyText({ amount, unit }: Money): string {
  return isTiny(amount)
    ? l10n.t({
        message: 'under {0}',
        args: [exactMoneyText({ amount: smallest, unit })],
        comment: ['An amount of money'],
      })
    : exactMoneyText({ amount, unit });
}

/** Whether `moneyText` shows only that it is below the smallest amount. */
export function isTiny(amount: number): boolean {
  return amount > 0 && amount < smallest;
}

/**
 * For hovers, exports, prices, and amounts that are compared. Such as “$0.00042” or “0.42 site units”: two decimals, and
 * for amounts below 1 so many significant digits.
 */
export function exactMoneyText({ amount, unit }: Money, significantDigits = 2): string {
  const size = Math.abs(amount);
  const decimals = size > 0 && size < 1 ? Math.min(10, significantDigits - 1 - Math.floor(Math.log10(size))) : 2;
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: decimals };
  if (isCurrency(unit)) {
    // Chinese has US$ for it, but the consoles of gateways write $.
    const currencyDisplay = unit === 'USD' ? 'narrowSymbol' : 'symbol';
    return numberText(amount, { ...digits, style: 'currency', currency: unit, currencyDisplay });
  }
  const number = numberText(amount, digits);
  return unit === siteUnit ? l10n.t('{0} site units', number) : `${number} ${unit}`;
}

/** Such as “$2.86 + 1.20 site units”; empty without amounts. */
export function sumsText(sums: Sums, textOf: (money: Money) => string = moneyText): string {
  return [...sums].map(([unit, amount]) => textOf({ amount, unit })).join(' + ');
}

/** Adds an amount to the sum of its unit. */
export function addMoney(sums: Map<string, number>, { amount, unit }: Money): void {
  sums.set(unit, (sums.get(unit) ?? 0) + amount);
}
