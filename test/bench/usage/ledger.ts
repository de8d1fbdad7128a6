import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Ledger } from '../../../src/core/usage/ledger.ts';
import { type CallEnd, type CallStart, endLine, startLine } from '../../../src/core/usage/ledgerLine.ts';
import { ledgerFiles } from '../../../src/node/files/ledgerFiles.ts';
import { systemClock } from '../../../src/node/system/machine.ts';
import { openLimiter } from '../../unit/core/usage/limiterFixture.ts';
import { makeTemporary, removeTemporary } from '../../vscode/temporary.ts';
import { atMost, type Measured, median, rounded } from '../figures.ts';
import { amount, ledgerRounds } from '../settings.ts';

/** Two for each call. */
export const lines = amount(100_000, 10_000);
const month = '2026-11';
/** Far above what the calls use, so that each is sent. */
const limits = { hard: { calls: 1e9, tokens: 1e12, cost: 1e9 }, soft: {}, othersPercent: 50 };
const prices = { input: 1, output: 4, unit: 'USD', source: 'listed' } as const;
export const monthStart = new Date(2026, 10, 1).getTime();
const monthEnd = new Date(2026, 11, 1).getTime();

/** Spreads the calls over 29 days. */
export const apartMs = (29 * 24 * 60 * 60_000) / (lines / 2);

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

export function openLedger(folder: string): Ledger {
  return new Ledger(ledgerFiles(folder), systemClock, (error) => {
    throw error;
  });
}

/** Writes a very busy month. */
export function writeBusyMonth(folder: string): void {
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
  try {
    const begun: number[] = [];
    const writing = openLedger(folder);
    for (let index = 0; index < ledgerRounds.calls; index++) {
      const { start, end } = callOf(index);
      const from = performance.now();
      const call = await writing.begin(start);
      begun.push(performance.now() - from);
      await call.end(end);
    }
    writing.dispose();

    const busy = join(folder, 'busy');
    writeBusyMonth(busy);
    const summed: number[] = [];
    const again: number[] = [];
    const blocked: number[] = [];
    for (let round = -ledgerRounds.warmUp; round < ledgerRounds.counted; round++) {
      const reading = openLedger(busy);
      const delays = monitorEventLoopDelay({ resolution: 1 });
      delays.enable();
      const first = await timeToSum(reading);
      delays.disable();
      const second = await timeToSum(reading);
      reading.dispose();
      if (round >= 0) {
        summed.push(first);
        again.push(second);
        blocked.push(delays.max / 1e6);
      }
    }

    const limited: number[] = [];
    const full = openLedger(busy);
    const now = monthStart + (lines / 2) * apartMs;
    const limiter = openLimiter(full, { now: () => now }, { limits: () => limits, pricesOf: async () => () => prices });
    for (let index = 0; index < ledgerRounds.calls; index++) {
      const { start, end } = callOf(index);
      const from = performance.now();
      const begun = await limiter.begin(start, {}, new AbortController().signal);
      limited.push(performance.now() - from);
      if (!('call' in begun)) {
        throw new Error('A limit was reached');
      }
      await begun.call.end(end);
    }
    full.dispose();

    const row = (what: string, values: readonly number[]) => ({
      what,
      ms: rounded(median(values)),
      worst: rounded(Math.max(...values)),
    });
    return {
      title: `ledger: median of ${ledgerRounds.calls} calls, and of ${ledgerRounds.counted} sums of ${lines.toLocaleString('en')} lines`,
      rows: [
        row('call to line on disk', begun),
        row(`  with limits and ${(lines / 2).toLocaleString('en')} calls in 29 days`, limited),
        row('lines to sums', summed),
        row('  again, with all of them read', again),
        row('process blocked by that', blocked),
      ],
      bars: [
        atMost('call to line on disk', median(begun), 2),
        atMost('call with limits to line on disk', median(limited), 2),
        atMost('lines to sums', median(summed), 500),
        atMost('process blocked by sums at a time', median(blocked), 50),
      ],
    };
  } finally {
    removeTemporary(folder);
  }
}

async function timeToSum(reading: Ledger): Promise<number> {
  const from = performance.now();
  const { calls, unreadable } = await reading.totals(monthStart, monthEnd);
  const taken = performance.now() - from;
  if (calls !== lines / 2 || unreadable !== 0) {
    throw new Error(`The ledger has ${calls} calls and ${unreadable} unreadable lines`);
  }
  return taken;
}
