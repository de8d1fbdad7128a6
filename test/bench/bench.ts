/** Whether each benchmark only shows that it runs. Its figures mean nothing then. */
export const isSmokeRun = process.env.ASK_MODEL_BENCH_SMOKE === '1';
export const amount = (measured: number, smoke = 1): number => (isSmokeRun ? smoke : measured);

/** What a benchmark prints. */
export class Bench {
  title = '';
  /** One row per contender or case, with the same columns in each. */
  readonly rows: { readonly [column: string]: string | number }[] = [];
  readonly bars: { readonly isMet: boolean; readonly text: string }[] = [];

  /** Adds a figure with a limit that it must meet. NaN never does. */
  atMost(what: string, value: number, limit: number, unit = 'ms'): void {
    this.bars.push({ isMet: value <= limit, text: `${what}: ${rounded(value, 3)} ${unit}, must be at most ${limit}` });
  }

  atLeast(what: string, value: number, limit: number, unit: string): void {
    this.bars.push({ isMet: value >= limit, text: `${what}: ${rounded(value, 3)} ${unit}, must be at least ${limit}` });
  }
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

/** Figures by what they are of: times in milliseconds, unless it says something else. */
export class Figures {
  readonly #all = new Map<string, number[]>();

  add(what: string, ...values: readonly number[]): void {
    this.of(what).push(...values);
  }

  /** Adds how long some work takes. */
  async time(what: string, work: () => unknown): Promise<void> {
    const from = performance.now();
    await work();
    this.add(what, performance.now() - from);
  }

  of(what: string): number[] {
    const values = this.#all.get(what) ?? [];
    this.#all.set(what, values);
    return values;
  }

  median(what: string): number {
    return median(this.of(what));
  }

  most(what: string): number {
    return Math.max(...this.of(what));
  }

  /** A row with the median and the largest for each, by default in the order in which they were added first. */
  rows(names: readonly string[] = [...this.#all.keys()]): Bench['rows'] {
    return names.map((what) => ({ what, ms: rounded(this.median(what)), worst: rounded(this.most(what)) }));
  }
}

/** Runs rounds. The figures of those that warm up are lost. */
export async function inRounds(
  { warmUp, counted }: { readonly warmUp: number; readonly counted: number },
  run: (figures: Figures, round: number) => void | Promise<void>,
): Promise<Figures> {
  const figures = new Figures();
  for (let round = -warmUp; round < counted; round++) {
    await run(round < 0 ? new Figures() : figures, round);
  }
  return figures;
}
