/** The result of a benchmark, and shared calculations. */

/** A figure with a limit that it must meet. */
export type Bar = {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  readonly mustBe: 'at least' | 'at most';
  readonly unit: string;
};

export function atMost(what: string, value: number, limit: number, unit = 'ms'): Bar {
  return { what, value, limit, mustBe: 'at most', unit };
}

export type Measured = {
  readonly title: string;
  /** One row per contender or case, with the same columns in each. */
  readonly rows: readonly { readonly [column: string]: string | number }[];
  readonly bars: readonly Bar[];
};

/** Whether a figure meets its limit. NaN never does. */
export function isMet({ value, limit, mustBe }: Bar): boolean {
  return mustBe === 'at least' ? value >= limit : value <= limit;
}

/** The smallest of the values that at least this share of them doesn't exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The median of the ratios of each round, because what slows down a whole round affects both values. */
export function medianRatio(over: readonly number[], under: readonly number[]): number {
  return median(over.map((value, index) => value / (under[index] ?? Number.NaN)));
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

/** A row with the median and the largest of some times. */
export function timesRow(what: string, values: readonly number[]): Measured['rows'][number] {
  return { what, ms: rounded(median(values)), worst: rounded(Math.max(...values)) };
}
