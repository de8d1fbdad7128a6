import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../../src/core/base/clock.ts';
import { runInSlices } from '../../src/core/base/runInSlices.ts';
import { knownCost } from '../../src/core/reply/cost.ts';
import { Ledger } from '../../src/core/usage/ledger.ts';
import { type CallEnd, type CallStart, endLine, startLine } from '../../src/core/usage/ledgerLine.ts';
import { composeUsage } from '../../src/core/usage/view/composeUsage.ts';
import { exportText } from '../../src/core/usage/view/exportCalls.ts';
import type { UsageChoice } from '../../src/core/usage/view/usageDocument.ts';
import { spanOf, tallyUsage } from '../../src/core/usage/view/usageTally.ts';
import { ledgerFiles } from '../../src/node/files/ledgerFiles.ts';
import { systemClock } from '../../src/node/system/machine.ts';
import { openLimiter } from '../unit/core/usage/limiterFixture.ts';
import { makeTemporary } from '../vscode/temporary.ts';
import { atMost, inRounds, type Measured, type Times } from './figures.ts';
import { amount } from './settings.ts';

/** Calls that are begun and ended one after the other. */
const calls = amount(200);
/** Rounds in which a new ledger reads everything. */
const rounds = { warmUp: amount(2), counted: amount(7) };
/** Two for each call. */
const lines = amount(100_000, 10_000);
const month = '2026-11';
/** Far above what the calls use, so that each is sent. */
const limits = { hard: { calls: 1e9, tokens: 1e12, cost: 1e9 }, soft: {}, othersPercent: 50 };
const prices = { input: 1, output: 4, unit: 'USD', source: 'listed' } as const;
const monthStart = new Date(2026, 10, 1).getTime();
const monthEnd = new Date(2026, 11, 1).getTime();

/** Spreads the calls over 29 days. */
const apartMs = (29 * 24 * 60 * 60_000) / (lines / 2);

/** Most calls are of other extensions, because a person doesn't ask that many questions. They have no conversation. */
function callOf(index: number): { start: CallStart; end: CallEnd } {
  const id = crypto.randomUUID();
  const at = monthStart + index * apartMs;
  return {
    start: {
      id,
      at,
      connection: `connection-${index % 4}`,
      host: 'gateway.example',
      model: `vendor/model-${index % 25}`,
      estimate: 1_210,
      ...(index % 3 === 0
        ? {
            caller: { kind: 'panel' },
            conversation: `00000000-0000-4000-8000-${String(index % 2_000).padStart(12, '0')}`,
            turn: crypto.randomUUID(),
          }
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

/** Writes a very busy month. */
function writeBusyMonth(folder: string): void {
  mkdirSync(join(folder, 'usage'), { recursive: true });
  for (let index = 0; index < lines / 2; index++) {
    const { start, end } = callOf(index);
    appendFileSync(join(folder, 'usage', `${month}.jsonl`), startLine(start) + endLine(end));
  }
}

/**
 * Measures what the ledger of paid calls costs: the time until the line of a call is on disk, which is before its
 * request is sent, without and with limits, and the time to add up a very busy month, with the longest time that this blocks the process.
 */
export async function ledger(): Promise<Measured> {
  const folder = makeTemporary('ledger');
  const writing = openLedger(folder);
  const begun = await timesToBegin('call to line on disk', (start) => writing.begin(start));
  writing.dispose();

  const busy = join(folder, 'busy');
  writeBusyMonth(busy);
  const summed = await inRounds(rounds, async (times) => {
    const reading = openLedger(busy);
    await timed(times, 'lines to sums', 'process blocked by that', () => sum(reading));
    await timed(times, '  again, with all of them read', 'blocked again', () => sum(reading));
    reading.dispose();
  });

  const full = openLedger(busy);
  const now = monthStart + (lines / 2) * apartMs;
  const limiter = openLimiter(full, { now: () => now }, { limits: () => limits, pricesOf: async () => () => prices });
  const withLimits = `  with limits and ${(lines / 2).toLocaleString('en')} calls in 29 days`;
  const limited = await timesToBegin(withLimits, async (start) => {
    const begun = await limiter.begin(start, {}, new AbortController().signal);
    if (!('call' in begun)) {
      throw new Error('A limit was reached');
    }
    return begun.call;
  });
  full.dispose();

  const shown = ['lines to sums', '  again, with all of them read', 'process blocked by that'];
  return {
    title: `ledger: median of ${calls} calls, and of ${rounds.counted} sums of ${lines.toLocaleString('en')} lines`,
    rows: [...begun.rows(), ...limited.rows(), ...summed.rows(shown)],
    bars: [
      atMost('call to line on disk', begun.median('call to line on disk'), 2),
      atMost('call with limits to line on disk', limited.median(withLimits), 2),
      atMost('lines to sums', summed.median('lines to sums'), 500),
      atMost('process blocked by sums at a time', summed.median('process blocked by that'), 50),
    ],
  };
}

/** Begins and ends calls one after the other. Their times are those to begin one. */
function timesToBegin(what: string, begin: (start: CallStart) => Promise<{ end(end: CallEnd): Promise<void> }>) {
  return inRounds({ warmUp: 0, counted: calls }, async (times, index) => {
    const { start, end } = callOf(index);
    const from = performance.now();
    const call = await begin(start);
    times.add(what, performance.now() - from);
    await call.end(end);
  });
}

/** Adds how long some work takes, and the longest time for which it blocks the process. */
async function timed(times: Times, what: string, blocked: string, run: () => Promise<void>): Promise<void> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const from = performance.now();
  await run();
  times.add(what, performance.now() - from);
  delays.disable();
  times.add(blocked, delays.max / 1e6);
}

async function sum(reading: Ledger): Promise<void> {
  const { unreadable } = await reading.callsBetween(monthStart, monthEnd);
  const { calls } = await reading.totals(monthStart, monthEnd);
  if (calls !== lines / 2 || unreadable !== 0) {
    throw new Error(`The ledger has ${calls} calls and ${unreadable} unreadable lines`);
  }
}

const began = performance.now();
/** The time goes on from the end of the busy month, so that all of its calls are in the last 30 days. */
const clock: Clock = {
  now: () => monthStart + (lines / 2) * apartMs + (performance.now() - began),
  after: (ms, run) => systemClock.after(ms, run),
};

/**
 * Measures the usage view over a very busy month: from opening it, with nothing read yet, to the document that its page
 * draws, then with a filter, and the export; each with the longest time that this blocks the process.
 */
export async function usageView(): Promise<Measured> {
  const folder = makeTemporary('usage-view');
  writeBusyMonth(folder);
  const steps = {
    opening: (ledger: Ledger) => documentOf(ledger, { period: 'days30' }),
    filtering: (ledger: Ledger) =>
      documentOf(ledger, { period: 'days30', connection: 'connection-1', model: 'vendor/model-1' }),
    exporting: exported,
  };
  const blockedBy = Object.keys(steps).map((what) => `  process blocked by ${what}`);
  const times = await inRounds(rounds, async (times) => {
    const ledger = openLedger(folder);
    for (const [what, run] of Object.entries(steps)) {
      await timed(times, what, `  process blocked by ${what}`, () => run(ledger));
    }
    ledger.dispose();
  });
  return {
    title: `usage view: median of ${rounds.counted} openings over ${lines.toLocaleString('en')} lines`,
    rows: times.rows(),
    bars: [
      atMost('opening the usage view', times.median('opening'), 500),
      atMost('process blocked by the usage view', Math.max(...blockedBy.map((what) => times.median(what))), 50),
    ],
  };
}

async function documentOf(ledger: Ledger, choice: UsageChoice): Promise<void> {
  const now = clock.now();
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

async function exported(ledger: Ledger): Promise<void> {
  const { calls } = await ledger.callsBetween(monthStart, clock.now());
  exportText('csv', calls, (name) => ({ name }));
}
