/** Runs the requested benchmarks, prints their results, and exits with 1 when a limit is missed. */
import { parseArgs } from 'node:util';
import { activation } from './activation.ts';
import { Bench, isSmokeRun } from './bench.ts';
import { contextList } from './contextList.ts';
import { decode, firstToken } from './decode.ts';
import { explain } from './explain.ts';
import { freeze } from './freeze.ts';
import { ledger, usageView } from './ledger.ts';
import { memory } from './memory.ts';
import { models } from './models.ts';
import { panel } from './panel.ts';
import { scaling } from './scaling.ts';
import { secrets } from './secrets.ts';
import { tokens } from './tokens.ts';

const benchmarks: { readonly [name: string]: (bench: Bench) => void | Promise<void> } = {
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
  const bench = new Bench();
  try {
    await measure(bench);
    console.log(`\n${bench.title}`);
    console.table(bench.rows);
    // In a smoke run the figures mean nothing.
    for (const { isMet, text } of isSmokeRun ? [] : bench.bars) {
      console.log(`${isMet ? 'PASS' : 'FAIL'}  ${text}`);
      failed += isMet ? 0 : 1;
    }
    failed += bench.rows.length === 0 ? 1 : 0;
  } catch (error) {
    console.error(`\n${name} broke:`, error);
    failed++;
  }
}
console.log(failed === 0 ? '\nAll bars met' : `\n${failed} bars missed or benchmarks broken`);
process.exit(failed === 0 ? 0 : 1);
