/** Runs the requested benchmarks, prints their results, and exits with 1 when a limit is missed. */
import { parseArgs } from 'node:util';
import { activation } from './activation.ts';
import { contextList } from './contextList.ts';
import { decode, firstToken } from './decode.ts';
import { explain } from './explain.ts';
import { isMet, type Measured, rounded } from './figures.ts';
import { freeze } from './freeze.ts';
import { ledger, usageView } from './ledger.ts';
import { memory } from './memory.ts';
import { models } from './models.ts';
import { panel } from './panel.ts';
import { scaling } from './scaling.ts';
import { secrets } from './secrets.ts';
import { isSmokeRun } from './settings.ts';
import { tokens } from './tokens.ts';

const benchmarks: { readonly [name: string]: () => Measured | Promise<Measured> } = {
  decode,
  'first-token': firstToken,
  scaling,
  ledger,
  usage: usageView,
  context: contextList,
  tokens,
  secrets,
  activation,
  explain,
  models,
  memory,
  panel,
  freeze,
};

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const wanted = values.only?.flatMap((names) => names.split(',')) ?? Object.keys(benchmarks);
const unknown = wanted.find((name) => !Object.hasOwn(benchmarks, name));
if (unknown !== undefined) {
  console.error(`Unknown benchmark: "${unknown}". Choose from: ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(1);
}
let failed = 0;
for (const [name, measure] of Object.entries(benchmarks).filter(([name]) => wanted.includes(name))) {
  try {
    const { title, rows, bars } = await measure();
    console.log(`\n${title}`);
    console.table(rows);
    // In a smoke run the figures mean nothing.
    for (const bar of isSmokeRun ? [] : bars) {
      const { what, value, limit, mustBe, unit } = bar;
      console.log(`${isMet(bar) ? 'PASS' : 'FAIL'}  ${what}: ${rounded(value, 3)} ${unit}, must be ${mustBe} ${limit}`);
      failed += isMet(bar) ? 0 : 1;
    }
    failed += rows.length === 0 ? 1 : 0;
  } catch (error) {
    console.error(`\n${name} broke:`, error);
    failed++;
  }
}
console.log(failed === 0 ? '\nAll bars met' : `\n${failed} bars missed or benchmarks broken`);
process.exit(failed === 0 ? 0 : 1);
