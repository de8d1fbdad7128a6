/** How much of what is endless is tried: a little by `npm test`, more by `test:all`, everything there is by `test:long`. */
import fc from 'fast-check';

/** `few` in `npm test`, `all` in `npm run test:long`. */
const cases = process.env.ASK_MODEL_CASES;

/** Of three values the one for this run. */
export const byCases = <T>(few: T, usual: T, all: T): T => (cases === 'few' ? few : cases === 'all' ? all : usual);

/** Whether this is `npm test`, which leaves out what walks through all there is. */
export const isQuick = cases === 'few';

/** How many times a property is tried that does not say otherwise. */
export const runs = byCases(20, 100, 5_000);

fc.configureGlobal({ numRuns: runs });

/** Any character but half of a pair. The unit `binary` of fast-check has the same, and keeps a map of all million. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));
