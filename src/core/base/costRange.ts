import * as l10n from '@vscode/l10n';
import { moneyText } from './money.ts';

/** The ends of a range. */
export type Span = { readonly low: number; readonly high: number };

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

/** What the cost of a question depends on besides its length. Prices are for one token. */
export type CostBasis = {
  /** See `Money`. */
  readonly unit: string;
  readonly inputPrice: number;
  /** For input that the vendor has cached. */
  readonly cachedPrice: number;
  /** The most for input that the vendor has not cached; above `inputPrice` if it charges for caching it. */
  readonly writePrice: number;
  readonly outputPrice: number;
  readonly requestPrice: number;
  /** The tokens that an answer may have. */
  readonly answer: { readonly low: number; readonly high?: number };
  /** The tokens that the gateway may count for an estimated one. */
  readonly ratio: Span;
  /** The input that the request begins with, which was counted before: estimated, and as the gateway counted it. */
  readonly counted?: { readonly estimate: number; readonly tokens: number };
  /** The tokens of the input that the vendor may have cached; at least `low` until a time in Unix milliseconds. */
  readonly cached?: Span & { readonly until: number };
};

/**
 * What the input of a question may cost.
 *
 * @param estimate of its tokens, without the factor of a model.
 * @param now Unix milliseconds.
 */
export function inputCost(basis: CostBasis, estimate: number, now: number): Span {
  const { inputPrice, cachedPrice, writePrice, ratio, counted, cached = { low: 0, high: 0, until: 0 } } = basis;
  // A request that is shorter than the last one doesn't begin with it.
  const known = counted && counted.estimate <= estimate ? counted : { estimate: 0, tokens: 0 };
  const costOf = (tokensOfOne: number, cachedTokens: number, price: number) => {
    const tokens = known.tokens + (estimate - known.estimate) * tokensOfOne;
    const read = Math.min(tokens, cachedTokens);
    return (tokens - read) * price + read * cachedPrice;
  };
  return {
    low: costOf(ratio.low, cached.high, inputPrice),
    high: costOf(ratio.high, now < cached.until ? cached.low : 0, writePrice),
  };
}

/** What a question and its answer may cost; see `inputCost`. */
export function costRange(basis: CostBasis, estimate: number, now: number): CostRange {
  const { unit, outputPrice, requestPrice, answer } = basis;
  const input = inputCost(basis, estimate, now);
  const most = input.high + requestPrice + (answer.high ?? assumedAnswerTokens) * outputPrice;
  return {
    low: input.low + requestPrice + answer.low * outputPrice,
    ...(answer.high === undefined ? { assumed: most } : { high: most }),
    unit,
  };
}

/** What several requests may cost together, for each unit. If one of the costs is unknown, no sum has an upper end. */
export function totalCosts(costs: readonly (CostRange | undefined)[]): CostRange[] {
  const known = costs.filter((cost) => cost !== undefined);
  const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
  return [...new Set(known.map(({ unit }) => unit))].map((unit) => {
    const ofUnit = known.filter((cost) => cost.unit === unit);
    const most = sumOf(ofUnit.map(({ low, assumed = low, high = assumed }) => high));
    const isBounded = known.length === costs.length && ofUnit.every(({ high }) => high !== undefined);
    return { low: sumOf(ofUnit.map(({ low }) => low)), ...(isBounded ? { high: most } : { assumed: most }), unit };
  });
}

/** Such as “$0.004–$0.011”, rounded outward, or “from $0.004” without an upper end. */
export function rangeText({ low, high, unit }: CostRange): string {
  const lowest = moneyText({ amount: rounded(low, Math.floor), unit });
  if (high === undefined) {
    return l10n.t({ message: 'from {0}', args: [lowest], comment: ['A cost without an upper end'] });
  }
  if (moneyText({ amount: low, unit }) === moneyText({ amount: high, unit })) {
    return moneyText({ amount: low, unit });
  }
  const highest = moneyText({ amount: rounded(high, Math.ceil), unit });
  // A unit after the number is written once.
  const unitText = /\D*$/.exec(highest)?.[0] ?? '';
  return `${lowest.slice(0, lowest.length - unitText.length)}–${highest}`;
}

/** Several ranges in words, joined by a plus sign. */
export function rangesText(ranges: readonly CostRange[]): string {
  return ranges.map(rangeText).join(' + ');
}

/** An amount with as many digits as `moneyText` shows. */
function rounded(amount: number, round: (value: number) => number): number {
  const digits = amount > 0 && amount < 0.1 ? Math.min(10, 1 - Math.floor(Math.log10(amount))) : 2;
  const steps = amount * 10 ** digits;
  const nearest = Math.round(steps);
  // What is a whole number but for the error of floating point stays the same.
  return (Math.abs(steps - nearest) < 1e-6 ? nearest : round(steps)) / 10 ** digits;
}
