/** Runs the requested benchmarks, prints their results, and exits with 1 when a limit is missed. */
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { activation } from './activation.ts';
import { decode } from './decode.ts';
import { explain } from './explain.ts';
import { isMet, type Measured, rounded } from './figures.ts';
import { firstToken } from './firstToken.ts';
import { freeze } from './freeze.ts';
import { secrets } from './masking/secrets.ts';
import { memory } from './memory.ts';
import { models } from './models.ts';
import { contextList } from './panel/contextList.ts';
import { panel } from './panel.ts';
import { scaling } from './scaling.ts';
import { isSmokeRun } from './settings.ts';
import { tokens } from './tokens.ts';
import { ledger } from './usage/ledger.ts';
import { usageView } from './usage/usageView.ts';

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

const { values } = parseArgs({ options: { json: { type: 'boolean' }, only: { type: 'string', multiple: true } } });
const wanted = values.only?.flatMap((names) => names.split(',')) ?? Object.keys(benchmarks);
const unknown = wanted.find((name) => !Object.hasOwn(benchmarks, name));
if (unknown !== undefined) {
  console.error(`Unknown benchmark: "${unknown}". Choose from: ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(1);
}

const results: { [name: string]: Measured } = {};
for (const [name, measure] of Object.entries(benchmarks)) {
  if (wanted.includes(name)) {
    const measured = await measureOrReport(name, measure);
    results[name] = measured;
    if (!values.json && !isSmokeRun) {
      print(measured);
    }
  }
}

if (isSmokeRun) {
  const broken = Object.keys(results).filter((name) => results[name]?.rows.length === 0);
  console.log(broken.length === 0 ? 'All benchmarks run' : `Broken: ${broken.join(', ')}`);
  process.exit(broken.length === 0 ? 0 : 1);
}

const bars = Object.values(results).flatMap((measured) => measured.bars);
const missed = bars.filter((bar) => !isMet(bar));
if (values.json) {
  const machine = { node: process.version, cpu: cpus()[0]?.model.trim(), cores: availableParallelism() };
  const judged = bars.map((bar) => ({ ...bar, isMet: isMet(bar) }));
  const tables = Object.fromEntries(Object.entries(results).map(([name, { rows }]) => [name, rows]));
  console.log(JSON.stringify({ machine, results: tables, bars: judged, isGood: missed.length === 0 }));
} else {
  console.log(`\n${bars.length - missed.length} bars met, ${missed.length} missed`);
}
process.exit(missed.length === 0 ? 0 : 1);

/** In a smoke run, a benchmark without rows is broken, and the others still run. */
async function measureOrReport(name: string, measure: () => Measured | Promise<Measured>): Promise<Measured> {
  if (!isSmokeRun) {
    return measure();
  }
  let measured: Measured = { title: name, rows: [], bars: [] };
  try {
    measured = await measure();
  } catch (error) {
    console.error(error);
  }
  console.log(measured.rows.length > 0 ? `✔ ${name}` : `✖ ${measured.title}`);
  return measured;
}

function print({ title, rows, bars: limits }: Measured): void {
  console.log(`\n${title}`);
  if (rows.length > 0) {
    console.log(table(rows));
  }
  for (const bar of limits) {
    const { name, value, limit, mustBe, unit } = bar;
    console.log(
      `${isMet(bar) ? 'PASS' : 'FAIL'}  ${name}: ${rounded(value, 3)} ${unit}, must be ${mustBe} ${limit} ${unit}`,
    );
  }
}

/** Formats a table with text aligned to the left and figures to the right. */
function table(rows: Measured['rows']): string {
  const names = Object.keys(rows[0] ?? {});
  const cell = (value: string | number | undefined) =>
    typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 3 }) : (value ?? '');
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const isFigure = names.map((name) => rows.some((row) => typeof row[name] === 'number'));
  const pad = (text: string, column: number) =>
    isFigure[column] ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0);
  return lines.map((line) => `  ${line.map(pad).join('  ')}`).join('\n');
}
