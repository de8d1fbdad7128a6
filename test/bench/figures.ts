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

/** Times in milliseconds by what took them. */
export class Times {
  readonly #all = new Map<string, number[]>();

  add(what: string, ms: number): void {
    this.of(what).push(ms);
  }

  of(what: string): number[] {
    const times = this.#all.get(what) ?? [];
    this.#all.set(what, times);
    return times;
  }

  median(what: string): number {
    return median(this.of(what));
  }

  /** A row with the median and the largest for each, by default in the order in which they were added first. */
  rows(names: readonly string[] = [...this.#all.keys()]): Measured['rows'] {
    return names.map((what) => ({ what, ms: rounded(this.median(what)), worst: rounded(Math.max(...this.of(what))) }));
  }
}

/** Runs rounds. The times of those that warm up are lost. */
export async function inRounds(
  { warmUp, counted }: { readonly warmUp: number; readonly counted: number },
  run: (times: Times, round: number) => void | Promise<void>,
): Promise<Times> {
  const times = new Times();
  for (let round = -warmUp; round < counted; round++) {
    await run(round < 0 ? new Times() : times, round);
  }
  return times;
}
