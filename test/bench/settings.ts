/** The amount of measuring. The limits are in each benchmark; they are ratios and differences within one run. */

/** The number of chunks of a reply that arrives in bulk. */
export const bulkChunks = 50_000;
/** The time between the first event and the rest of a paced reply. */
export const restAfterMs = 3;

/** Rounds that don't count, then rounds that count. Each round has one turn of each contender. */
export const decodeRounds = { warmUp: 10, counted: 15 };
export const otherDecodeRounds = { warmUp: 10, counted: 9 };
/** `calls` is the number of calls in each turn, so the median is over `counted × calls`. */
export const firstTokenRounds = { warmUp: 20, counted: 40, calls: 5 };
export const scalingRounds = { warmUp: 3, counted: 9 };
/** `calls` are begun and ended one after the other; the sums are read by a ledger that has read nothing before. */
export const ledgerRounds = { calls: 200, warmUp: 2, counted: 7 };
export const fileRounds = { warmUp: 3, counted: 15 };
/** The number of texts that are cut from each source for the estimate of tokens. */
export const textsPerSource = 8;
export const secretsRounds = { warmUp: 2, counted: 9 };
/** Each takes four seconds. */
export const explainRounds = { warmUp: 3, counted: 12 };
export const activationStarts = 8;

/** Several rounds, because one task in ten thousand takes twice as long when other virtual machines use the host. */
export const panelRounds = 3;
export const openingRounds = 3;
