import type { MeteredCall } from './meteredCall.ts';

/** How calls compare with earlier ones of the same model. */
export type MeterChange = {
  readonly hasMoved: boolean;
  /** The tokens reported over those expected from the earlier calls: a median. */
  readonly factor: number;
  /** When the change began, in Unix milliseconds; 0 without one. */
  readonly since: number;
};

/**
 * How many times its standard error a change has to be, and which part of the text at least. In 70,000 simulated calls of
 * people who change between English, French, Chinese, code and data, as counted by the tokenizers of GPT-4, GPT-4o,
 * DeepSeek V3, Qwen3, Llama 3, Gemma and Claude 2, the texts alone never got there. They rarely do when a person asks about
 * two unusual files alone.
 */
const leastScore = 5;
const leastPart = 0.12;
/** How many standard deviations a single call counts for at most. */
const mostDeviations = 3;
/** The variance of the style of a project, which all its texts share, where that of a text is 1. */
const styleVariance = 0.03;

/**
 * What a gateway is expected to report is linear in these: a hidden prompt, what it adds for each message, the estimate,
 * and corrections for kinds of text. What is known of the factors before the first call comes from the same tokenizers.
 */
const termsOf = ([, , , , ...counts]: MeteredCall) => [1, ...counts];
const meansBefore = [0, 0, 1, 0.1, 0.2, 0.1];
const deviationsBefore = [1_500, 15, 0.5, 0.35, 0.6, 0.3];

/** The variance of what is reported for a text, for a tokenizer whose factors are known. */
const varianceOf = ([, , , varied, , , eastAsian, rare]: MeteredCall) =>
  (0.08 * varied + 8) ** 2 + (0.06 * eastAsian) ** 2 + (0.6 * rare) ** 2;

/**
 * Compares calls with the first ones. A Bayesian linear regression on the first calls gives what to expect and how
 * certain that is, so that a language or a length of texts that is new proves nothing.
 */
export function meterChange(first: readonly MeteredCall[], last: readonly MeteredCall[]): MeterChange {
  const { means, covariance } = fit(first);
  const weights = weightsOf(last);
  const weight = sum(weights);
  const calls = last.map((call, index) => {
    const [at, , reported, varied] = call;
    const terms = termsOf(call);
    const deviation = Math.sqrt(varianceOf(call));
    const expected = dot(terms, means);
    const more = reported - expected;
    const limit = mostDeviations * Math.hypot(deviation, Math.sqrt(dot(terms, times(covariance, terms))));
    return {
      at,
      share: (weights[index] ?? 0) / weight,
      score: clamp(more, limit) / deviation,
      part: more / Math.max(1, varied),
      factor: reported / Math.max(1, expected),
      terms: terms.map((term) => term / deviation),
    };
  });
  const mean = sum(calls.map(({ share, score }) => share * score));
  const meanTerms = meansBefore.map((_, term) => sum(calls.map(({ share, terms }) => share * (terms[term] ?? 0))));
  const error = Math.sqrt(1 / weight + styleVariance + dot(meanTerms, times(covariance, meanTerms)));
  const hasMoved = Math.abs(mean) > leastScore * error && Math.abs(median(calls.map(({ part }) => part))) > leastPart;
  // The change begins where the calls from then on exceed half of it the most.
  let since = 0;
  let most = 0;
  let excess = 0;
  for (const { at, score } of calls.toReversed()) {
    excess += score * Math.sign(mean) - Math.abs(mean) / 2;
    if (excess > most) {
      [most, since] = [excess, at];
    }
  }
  return { hasMoved, factor: median(calls.map(({ factor }) => factor)), since };
}

/** The factors of the terms, as a normal distribution. */
function fit(calls: readonly MeteredCall[]): { means: readonly number[]; covariance: readonly (readonly number[])[] } {
  const weights = weightsOf(calls);
  let means = meansBefore;
  let covariance = deviationsBefore.map((deviation, row) =>
    deviationsBefore.map((_, column) => (row === column ? deviation ** 2 : 0)),
  );
  for (const [index, call] of calls.entries()) {
    const terms = termsOf(call);
    const shared = times(covariance, terms);
    const variance = varianceOf(call) / (weights[index] ?? 1) + dot(terms, shared);
    const more = clamp(call[2] - dot(terms, means), mostDeviations * Math.sqrt(variance));
    means = means.map((mean, term) => mean + ((shared[term] ?? 0) * more) / variance);
    covariance = covariance.map((row, term) =>
      row.map((each, column) => each - ((shared[term] ?? 0) * (shared[column] ?? 0)) / variance),
    );
  }
  return { means, covariance };
}

/** Calls with the same main text weigh as much as one together. */
function weightsOf(calls: readonly MeteredCall[]): number[] {
  return calls.map((call) => 1 / calls.filter((each) => each[1] === call[1]).length);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const dot = (values: readonly number[], others: readonly number[]) =>
  values.reduce((total, value, index) => total + value * (others[index] ?? 0), 0);
const times = (matrix: readonly (readonly number[])[], values: readonly number[]) =>
  matrix.map((row) => dot(row, values));
const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 1;
