/** The result of a benchmark, and shared calculations. */

/** A figure with a limit that it must meet. */
export type Bar = {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly mustBe: 'at least' | 'at most';
  readonly unit: string;
};

/** A figure that must not exceed its limit. */
export function atMost(name: string, value: number, limit: number, unit = 'ms'): Bar {
  return { name, value, limit, mustBe: 'at most', unit };
}

/** The result of a benchmark. */
export type Measured = {
  readonly title: string;
  /** One row per contender or case, with the same columns in each. */
  readonly rows: readonly { readonly [column: string]: string | number }[];
  readonly bars: readonly Bar[];
};

/** Whether a figure meets its limit. */
export function isMet({ value, limit, mustBe }: Bar): boolean {
  // NaN never meets a limit.
  return mustBe === 'at least' ? value >= limit : value <= limit;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
}

/** The smallest of the values that at least this share of them doesn't exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The median of the ratios of each round, because what slows down a whole round affects both values. */
export function medianRatio(over: readonly number[], under: readonly number[]): number {
  return median(over.map((value, index) => value / (under[index] ?? Number.NaN)));
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
