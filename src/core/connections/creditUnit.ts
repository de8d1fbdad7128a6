import * as l10n from '@vscode/l10n';

/**
 * What a dollar of a site's credit is worth: `factor` times `unit`, see `Money`. Sites of the new-api family count in
 * dollars of their own, and sell them at rates of their own.
 */
export type Credit = { readonly factor: number; readonly unit: string };

export type CreditResult =
  | { readonly ok: true; readonly value: Credit }
  | { readonly ok: false; readonly reason: string };

/** Reads a text such as `USD` or `0.5 CNY`. @returns the reason for a refusal otherwise, which repeats no input. */
export function readCreditUnit(text: string): CreditResult {
  const [, amount = '1', unit = ''] = /^\s*(?:(\d{1,9}(?:\.\d{1,9})?)\s*)?([a-z]{3})\s*$/i.exec(text) ?? [];
  const factor = Number(amount);
  return unit === '' || factor === 0
    ? { ok: false, reason: l10n.t('Enter a currency code such as USD, or an amount such as 0.5 CNY.') }
    : { ok: true, value: { unit: unit.toUpperCase(), factor } };
}

/** The text that `readCreditUnit` reads. */
export function creditUnitText({ unit, factor }: Credit): string {
  return factor === 1 ? unit : `${factor} ${unit}`;
}
