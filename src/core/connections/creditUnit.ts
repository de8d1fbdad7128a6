import * as l10n from '@vscode/l10n';

/**
 * What one dollar of credit at a gateway is worth. Sites of the new-api family count in dollars of their own, and sell
 * them at rates of their own.
 */
export type CreditUnit = {
  /** An ISO 4217 code such as `CNY`. */
  readonly unit: string;
  /** How much of `unit` one dollar of credit is; positive. */
  readonly factor: number;
};

export type CreditUnitResult =
  | { readonly ok: true; readonly value: CreditUnit }
  | { readonly ok: false; readonly reason: string };

/** Reads a text such as `USD` or `0.5 CNY`. @returns the reason for a refusal otherwise, which repeats no input. */
export function readCreditUnit(text: string): CreditUnitResult {
  const [, amount = '1', unit = ''] = /^\s*(?:(\d{1,9}(?:\.\d{1,9})?)\s*)?([a-z]{3})\s*$/i.exec(text) ?? [];
  const factor = Number(amount);
  return unit === '' || factor === 0
    ? { ok: false, reason: l10n.t('Enter a currency code such as USD, or an amount such as 0.5 CNY.') }
    : { ok: true, value: { unit: unit.toUpperCase(), factor } };
}

/** The text that `readCreditUnit` reads. */
export function creditUnitText({ unit, factor }: CreditUnit): string {
  return factor === 1 ? unit : `${factor} ${unit}`;
}
