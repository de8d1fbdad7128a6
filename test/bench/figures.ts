/** What a benchmark gives back, and the arithmetic they share. */

/** A figure that must not be missed. */
export type Bar = {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly mustBe: 'at least' | 'at most';
  readonly unit: string;
};

export type Measured = {
  readonly title: string;
  /** One row a contender or case, the same columns in each. */
  readonly rows: readonly { readonly [column: string]: string | number }[];
  readonly bars: readonly Bar[];
};

export function isMet({ value, limit, mustBe }: Bar): boolean {
  // Not a number is no figure, and met by nothing.
  return mustBe === 'at least' ? value >= limit : value <= limit;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
}

/** Median of what `over` took in each round for one of `under`: what slowed a whole round down is in both. */
export function medianRatio(over: readonly number[], under: readonly number[]): number {
  return median(over.map((value, index) => value / (under[index] ?? Number.NaN)));
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
