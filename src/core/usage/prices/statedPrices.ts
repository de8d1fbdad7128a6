import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { numberText } from '../../base/localization.ts';
import { isRecord } from '../../base/loose.ts';
import { mostOfCall } from '../../base/money.ts';
import { visibleName } from '../../base/visibleText.ts';
import type { KnownPrices, PriceOf } from './prices.ts';

/** The setting with the prices that a person states. */
export const priceSetting = 'askModel.prices';

/** More than fit into a notification. */
const maxProblems = 20;

const price = z.number().check(z.nonnegative(), z.maximum(mostOfCall));

/**
 * The prices of a model in the setting: per million tokens, and `perCall` in addition to them. `currency` is an ISO 4217
 * code, or what the gateway calls its own unit. The schema in package.json has the same rules.
 */
const statedPrice = z.strictObject({
  input: price,
  cached: z.optional(price),
  output: price,
  perCall: z.optional(price),
  currency: z.string().check(z.regex(/^(?=\S)\D{1,16}$/)),
});
type StatedPrice = z.infer<typeof statedPrice>;
export type PriceField = keyof StatedPrice;

/** Why a value can't be this part of a price, as a sentence; undefined when it can. */
export function priceProblem(field: PriceField, value: unknown): string | undefined {
  return z.safeParse(statedPrice.shape[field], value).success
    ? undefined
    : field === 'currency'
      ? l10n.t(
          "{0} must be a code such as {1}, or the gateway's own unit: at most {2} characters without digits.",
          field,
          'USD',
          16,
        )
      : l10n.t('{0} must be a number from 0 to {1}.', field, numberText(mostOfCall));
}

/**
 * Reads the setting with stated prices: an object that has the prices for each model ID or pattern, in which `*` stands
 * for any characters. An exact ID comes before patterns, and a longer pattern before a shorter one.
 *
 * @param setting its value, of any type.
 * @returns `problems` as sentences that say which entries are left out, and why; at most the first 20.
 */
export function readStatedPrices(setting: unknown): { readonly priceOf: PriceOf; readonly problems: string[] } {
  const exact = new Map<string, KnownPrices>();
  const patterns: { readonly parts: readonly string[]; readonly prices: KnownPrices }[] = [];
  const problems: string[] = [];
  if (setting !== undefined && !isRecord(setting)) {
    problems.push(l10n.t('{0} must be an object.', priceSetting));
  }
  const entries = isRecord(setting) ? Object.entries(setting) : [];
  for (const [name, value] of entries.toSorted(([one], [other]) => other.length - one.length)) {
    const read = z.safeParse(statedPrice, value);
    if (read.success) {
      const prices = knownPrices(read.data);
      exact.set(name, prices);
      if (name.includes('*')) {
        patterns.push({ parts: name.split('*'), prices });
      }
    } else if (!isRecord(value) || Object.keys(value).length > 0) {
      // One without numbers is no price yet.
      const problem = isRecord(value) ? entryProblem(value, read.error) : l10n.t('It must be an object.');
      problems.push(l10n.t('The prices of "{0}" in {1} are ignored: {2}', visibleName(name), priceSetting, problem));
    }
  }
  return {
    priceOf: (model) => exact.get(model) ?? patterns.find(({ parts }) => isMatch(model, parts))?.prices,
    problems: problems.slice(0, maxProblems),
  };
}

function entryProblem(entry: Readonly<Record<string, unknown>>, { issues: [issue] }: z.core.$ZodError): string {
  const [field] = issue?.path ?? [];
  return (
    (typeof field === 'string' ? priceProblem(field as PriceField, entry[field]) : undefined) ??
    l10n.t("{0} isn't part of a price.", visibleName((issue?.code === 'unrecognized_keys' && issue.keys[0]) || ''))
  );
}

function knownPrices({ input, cached, output, perCall, currency }: StatedPrice): KnownPrices {
  return {
    input,
    output,
    ...(cached !== undefined && { cachedInput: cached }),
    ...(perCall !== undefined && { perRequest: perCall }),
    unit: /^[a-z]{3}$/i.test(currency) ? currency.toUpperCase() : currency.trim(),
    source: 'stated',
  };
}

/** Compares without a regular expression, in which many `*` would take long. */
function isMatch(model: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop() ?? '';
  let at = first.length;
  for (const part of others) {
    at = model.indexOf(part, at) + part.length;
    if (at < part.length) {
      return false;
    }
  }
  return model.startsWith(first) && model.endsWith(last) && model.length - last.length >= at;
}
