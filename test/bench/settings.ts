/** Whether each benchmark only shows that it runs. Its figures mean nothing then. */
export const isSmokeRun = process.env.ASK_MODEL_BENCH_SMOKE === '1';
export const amount = (measured: number, smoke = 1): number => (isSmokeRun ? smoke : measured);

/** The number of chunks of a reply that arrives in bulk. */
export const bulkChunks = amount(50_000, 500);
