/** How many times each property is tried; `npm run test:long` sets more. */
import fc from 'fast-check';

fc.configureGlobal({ numRuns: Number(process.env.ASK_MODEL_RUNS ?? 100) });

/** Any character but half of a pair. The unit `binary` of fast-check has the same, and keeps a map of all million. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));
