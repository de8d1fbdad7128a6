import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { runInSlices } from '../../src/core/base/runInSlices.ts';
import { knownCost } from '../../src/core/reply/cost.ts';
import { Ledger } from '../../src/core/usage/ledger.ts';
import { type CallEnd, type CallStart, lineText } from '../../src/core/usage/ledgerLine.ts';
import { composeUsage } from '../../src/core/usage/view/composeUsage.ts';
import { exportText } from '../../src/core/usage/view/exportCalls.ts';
import type { UsageChoice } from '../../src/core/usage/view/usageDocument.ts';
import { spanOf, tallyUsage } from '../../src/core/usage/view/usageTally.ts';
import { ledgerFiles } from '../../src/node/files/ledgerFiles.ts';
import { systemClock } from '../../src/node/system/machine.ts';
import { openLimiter } from '../unit/core/usage/limiterFixture.ts';
import { makeTemporary } from '../vscode/temporary.ts';
import { amount, type Bench, type Figures, inRounds } from './bench.ts';

/** Calls that are begun and ended one after the other. */
const calls = amount(200);
/** Rounds in which a new ledger reads everything. */
const rounds = { warmUp: amount(2), counted: amount(7) };
/** The calls of a very busy month, with two lines each. They are spread over its first 29 days. */
const monthly = amount(50_000, 5_000);
const lines = (2 * monthly).toLocaleString('en');
const monthStart = new Date(2026, 10, 1).getTime();
const monthEnd = new Date(2026, 11, 1).getTime();
const dayMs = 24 * 60 * 60_000;
/** The end of the busy days. All of them are in the last 30 days. */
const now = monthStart + 29 * dayMs;
/** Far above what the calls use, so that each is sent. */
const limits = { hard: { calls: 1e9, tokens: 1e12, cost: 1e9 }, soft: {}, othersPercent: 50 };
const prices = { input: 1, output: 4, unit: 'USD', source: 'listed' } as const;

/** Most calls are of other extensions, because a person doesn't ask that many questions. They have no conversation. */
function callOf(index: number): { start: CallStart; end: CallEnd } {
  const id = crypto.randomUUID();
  const at = monthStart + index * ((29 * dayMs) / monthly);
  const turn = crypto.randomUUID();
  const conversation = `00000000-0000-4000-8000-${String(index % 2_000).padStart(12, '0')}`;
  return {
    start: {
      id,
      at,
      connection: `connection-${index % 4}`,
      host: 'gateway.example',
      model: `vendor/model-${index % 25}`,
      estimate: 1_210,
      ...(index % 3 === 0
        ? { caller: { kind: 'panel' }, conversation, turn }
        : { caller: { kind: 'extension', id: 'publisher.extension' } }),
    },
    end: {
      id,
      at: at + 3_500,
      state: 'complete',
      usage: { promptTokens: 1_200, completionTokens: 340, totalTokens: 1_540, cachedTokens: 1_000, cost: 0.0021 },
      requestId: `req-${id}`,
      firstTokenMs: 640,
      totalMs: 3_500,
    },
  };
}

function openLedger(folder: string): Ledger {
  return new Ledger(ledgerFiles(folder), systemClock, (error) => {
    throw error;
  });
}

/** Returns a folder with the ledger of a very busy month. */
function busyMonth(): string {
  const folder = makeTemporary('ledger');
  mkdirSync(join(folder, 'usage'));
  for (let index = 0; index < monthly; index++) {
    const { start, end } = callOf(index);
    const text = lineText({ type: 'start', ...start }) + lineText({ type: 'end', ...end });
    appendFileSync(join(folder, 'usage', '2026-11.jsonl'), text);
  }
  return folder;
}

/**
 * Measures what the ledger of paid calls costs: the time until the line of a call is on disk, which is before its
 * request is sent, without and with limits, and the time to add up a very busy month, with the longest time that this blocks the process.
 */
export async function ledger(bench: Bench): Promise<void> {
  bench.title = `ledger: median of ${calls} calls, and of ${rounds.counted} sums of ${lines} lines`;
  const onDisk = 'call to line on disk';
  const writing = openLedger(makeTemporary('ledger'));
  const begun = await timesToBegin(onDisk, (start) => writing.begin(start));
  writing.dispose();

  const busy = busyMonth();
  const [sums, again, blocked] = [
    'lines to sums',
    '  again, with all of them read',
    'process blocked by that',
  ] as const;
  const summed = await inRounds(rounds, async (figures) => {
    const reading = openLedger(busy);
    await timed(figures, sums, blocked, () => sum(reading));
    await timed(figures, again, 'blocked again', () => sum(reading));
    reading.dispose();
  });

  const full = openLedger(busy);
  const limiter = openLimiter(full, { now: () => now }, { limits: () => limits, pricesOf: async () => () => prices });
  const withLimits = `  with limits and ${monthly.toLocaleString('en')} calls in 29 days`;
  const limited = await timesToBegin(withLimits, async (start) => {
    const begun = await limiter.begin(start, {}, new AbortController().signal);
    if (!('call' in begun)) {
      throw new Error('A limit was reached');
    }
    return begun.call;
  });
  full.dispose();

  bench.rows.push(...begun.rows(), ...limited.rows(), ...summed.rows([sums, again, blocked]));
  bench.atMost(onDisk, begun.median(onDisk), 2);
  bench.atMost('call with limits to line on disk', limited.median(withLimits), 2);
  bench.atMost(sums, summed.median(sums), 500);
  bench.atMost('process blocked by sums at a time', summed.median(blocked), 50);
}

/** Begins and ends calls one after the other. Their times are those to begin one. */
function timesToBegin(what: string, begin: (start: CallStart) => Promise<{ end(end: CallEnd): Promise<void> }>) {
  return inRounds({ warmUp: 0, counted: calls }, async (figures, index) => {
    const { start, end } = callOf(index);
    const from = performance.now();
    const call = await begin(start);
    figures.add(what, performance.now() - from);
    await call.end(end);
  });
}

/** Adds how long some work takes, and the longest time for which it blocks the process. */
async function timed(figures: Figures, what: string, blocked: string, run: () => Promise<void>): Promise<void> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await figures.time(what, run);
  delays.disable();
  figures.add(blocked, delays.max / 1e6);
}

async function sum(reading: Ledger): Promise<void> {
  const { unreadable } = await reading.callsBetween(monthStart, monthEnd);
  const { calls } = await reading.totals(monthStart, monthEnd);
  if (calls !== monthly || unreadable !== 0) {
    throw new Error(`The ledger has ${calls} calls and ${unreadable} unreadable lines`);
  }
}

/**
 * Measures the usage view over a very busy month: from opening it, with nothing read yet, to the document that its page
 * draws, then with a filter, and the export; each with the longest time that this blocks the process.
 */
export async function usageView(bench: Bench): Promise<void> {
  bench.title = `usage view: median of ${rounds.counted} openings over ${lines} lines`;
  const folder = busyMonth();
  const filter = { connection: 'connection-1', model: 'vendor/model-1' };
  const steps = {
    opening: (ledger: Ledger) => documentOf(ledger, { period: 'days30' }),
    filtering: (ledger: Ledger) => documentOf(ledger, { period: 'days30', ...filter }),
    exporting: async (ledger: Ledger) => {
      const { calls } = await ledger.callsBetween(monthStart, now);
      exportText('csv', calls, (name) => ({ name }));
    },
  };
  const blocked = (what: string) => `  process blocked by ${what}`;
  const figures = await inRounds(rounds, async (figures) => {
    const ledger = openLedger(folder);
    for (const [what, run] of Object.entries(steps)) {
      await timed(figures, what, blocked(what), () => run(ledger));
    }
    ledger.dispose();
  });
  bench.rows.push(...figures.rows());
  bench.atMost('opening the usage view', figures.median('opening'), 500);
  const longest = Math.max(...Object.keys(steps).map((what) => figures.median(blocked(what))));
  bench.atMost('process blocked by the usage view', longest, 50);
}

async function documentOf(ledger: Ledger, choice: UsageChoice): Promise<void> {
  const { from, to } = spanOf(choice.period, now);
  const read = await ledger.callsBetween(from, to);
  const document = composeUsage({
    ...(await runInSlices(systemClock, tallyUsage(read, now, choice, knownCost))),
    most: 50,
    costOf: knownCost,
    choice,
    connections: [],
    connectionName: (id) => id,
    titles: new Map(),
    limits: undefined,
    logButtons: [],
    hasConsole: false,
  });
  // VS Code hands it to the page as text.
  const size = JSON.stringify(document).length;
  if (size < 5_000 || document.tables.at(-1)?.rows.length !== 50) {
    throw new Error(`The document has ${size} characters`);
  }
}
