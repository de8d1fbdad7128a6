/** The amount of measuring. The limits are in each benchmark; they are ratios and differences within one run. */

/** Whether each benchmark only shows that it runs. Its figures mean nothing then. */
export const isSmokeRun = process.env.ASK_MODEL_BENCH_SMOKE === '1';
export const amount = (measured: number, smoke = 1): number => (isSmokeRun ? smoke : measured);

/** The number of chunks of a reply that arrives in bulk. */
export const bulkChunks = amount(50_000, 500);
/** The time between the first event and the rest of a paced reply. */
export const restAfterMs = 3;

/** Rounds that don't count, then rounds that count. Each round has one turn of each contender. */
export const decodeRounds = { warmUp: amount(10), counted: amount(15) };
export const otherDecodeRounds = { warmUp: amount(10), counted: amount(9) };
/** `calls` is the number of calls in each turn, so the median is over `counted × calls`. */
export const firstTokenRounds = { warmUp: amount(20), counted: amount(40), calls: amount(5) };
export const scalingRounds = { warmUp: amount(3), counted: amount(9) };
/** `calls` are begun and ended one after the other; the sums are read by a ledger that has read nothing before. */
export const ledgerRounds = { calls: amount(200), warmUp: amount(2), counted: amount(7) };
/** The number of texts that are cut from each source for the estimate of tokens. */
export const textsPerSource = amount(8, 2);
export const secretsRounds = { warmUp: amount(2), counted: amount(9) };
/** Each takes four seconds. */
export const explainRounds = { warmUp: amount(3), counted: amount(12) };
export const activationStarts = amount(8, 2);

/** Several rounds, because one task in ten thousand takes twice as long when other virtual machines use the host. */
export const panelRounds = amount(3);
export const openingRounds = amount(3);
