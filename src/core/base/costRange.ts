import * as l10n from '@vscode/l10n';
import { isTiny, moneyText } from './money.ts';

/**
 * What something may cost. Without `high`, nothing is known about how much at most; `assumed` is the cost of an answer
 * with `assumedAnswerTokens`.
 */
export type CostRange = {
  readonly low: number;
  readonly high?: number;
  readonly assumed?: number;
  readonly unit: string;
};

/** What a model's answers are assumed to have, in tokens, before some were counted. */
export const assumedAnswerTokens = 4_096;

/** How far our estimate is off with most tokenizers; see `estimateTokens`. */
const usualError = { low: 0.85, high: 1.2 };

/** Prices for one token. */
type TokenPrices = {
  readonly inputPrice: number;
  /** For input that the vendor has cached. */
  readonly cachedPrice: number;
  /** The most for input that the vendor has not cached; above `inputPrice` if it charges for caching it. */
  readonly writePrice: number;
  readonly outputPrice: number;
};

/** What the cost of a question depends on besides its length. */
export type CostBasis = TokenPrices & {
  /** See `Money`. */
  readonly unit: string;
  /** The prices with more tokens of input than `above`. */
  readonly longPrompts?: TokenPrices & { readonly above: number };
  readonly requestPrice: number;
  /** The tokens that an answer may have. */
  readonly answer: { readonly low: number; readonly high?: number };
  /** The tokens that the gateway usually counts for an estimated one. */
  readonly factor: number;
  /** The tokens of the input that the vendor may have cached. */
  readonly cached: number;
};

/**
 * What a question and its answer may cost.
 *
 * @param estimate of the tokens of its input, without the factor of a model.
 */
export function costRange(basis: CostBasis, estimate: number): CostRange {
  const { unit, longPrompts, requestPrice, answer, factor, cached } = basis;
  const pricesFor = (input: number) => (longPrompts !== undefined && input > longPrompts.above ? longPrompts : basis);
  const fewest = estimate * factor * usualError.low;
  const read = Math.min(fewest, cached);
  const { inputPrice, cachedPrice, outputPrice } = pricesFor(fewest);
  const low = (fewest - read) * inputPrice + read * cachedPrice + requestPrice + answer.low * outputPrice;
  const most = estimate * factor * usualError.high;
  const highest = pricesFor(most);
  const ofAnswer = (answer.high ?? assumedAnswerTokens) * highest.outputPrice;
  const high = most * highest.writePrice + requestPrice + ofAnswer;
  return { low, ...(answer.high === undefined ? { assumed: high } : { high }), unit };
}

/** What several requests may cost together, for each unit, without those whose cost is unknown. */
export function totalCosts(costs: readonly (CostRange | undefined)[]): CostRange[] {
  const known = costs.filter((cost) => cost !== undefined);
  const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
  return [...new Set(known.map(({ unit }) => unit))].map((unit) => {
    const ofUnit = known.filter((cost) => cost.unit === unit);
    const most = sumOf(ofUnit.map(({ low, assumed = low, high = assumed }) => high));
    const isBounded = ofUnit.every(({ high }) => high !== undefined);
    return { low: sumOf(ofUnit.map(({ low }) => low)), ...(isBounded ? { high: most } : { assumed: most }), unit };
  });
}

/**
 * Such as “$0.004–$0.011”. Without an upper end “from $0.004”, or “≈ $0.006 for a long answer” if
 * the lower end says nothing.
 *
 * @param textOf `exactMoneyText` for a hover.
 */
export function rangeText({ low, high, assumed, unit }: CostRange, textOf = moneyText): string {
  const isBelowSmallest = textOf === moneyText && (low === 0 || isTiny(low));
  const lowest = textOf({ amount: low, unit });
  if (high === undefined) {
    if (assumed !== undefined && isBelowSmallest) {
      const most = textOf({ amount: assumed, unit });
      return l10n.t('{0} for a long answer', isTiny(assumed) ? most : `≈\u00a0${most}`);
    }
    return l10n.t({ message: 'from {0}', args: [lowest], comment: ['A cost without an upper end'] });
  }
  const highest = textOf({ amount: high, unit });
  if (lowest === highest) {
    return lowest;
  }
  if (isBelowSmallest) {
    return l10n.t({ message: 'up to {0}', args: [highest], comment: ['A cost'] });
  }
  // A unit after the number is written once.
  const unitText = /\D*$/.exec(highest)?.[0] ?? '';
  return `${lowest.slice(0, lowest.length - unitText.length)}–${highest}`;
}

/** What several requests may cost together, in words, such as “$0.004–$0.011 + unknown”; empty if no cost is known. */
export function totalText(costs: readonly (CostRange | undefined)[]): string {
  const known = totalCosts(costs).map((range) => rangeText(range));
  return [...known, ...(known.length > 0 && costs.includes(undefined) ? [l10n.t('unknown')] : [])].join(' + ');
}
