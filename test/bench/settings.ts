/** How much is measured. The bars are ratios and differences taken in one run; see each benchmark. */

/** Chat chunks of the reply that arrives in bulk. */
export const bulkChunks = 50_000;
/** Between the first event and the rest of a paced reply. */
export const restAfterMs = 3;

/** Runs whose figures are thrown away, then rounds that count: each contender once a round, in turn. */
export const decodeRounds = { warmUp: 10, counted: 15 };
export const otherDecodeRounds = { warmUp: 10, counted: 9 };
/** Calls of a contender each time it is its turn: the median is over `counted × calls`. */
export const firstTokenRounds = { warmUp: 20, counted: 40, calls: 5 };
export const scalingRounds = { warmUp: 3, counted: 9 };
export const activationStarts = 8;

/** One task in ten thousand takes twice its time when another machine of the same host is at work. */
export const panelRounds = 3;
export const openingRounds = 3;
