/** How many times each property is tried; `npm run test:long` sets more. */
import fc from 'fast-check';

fc.configureGlobal({ numRuns: Number(process.env.ASK_MODEL_RUNS ?? 100) });
