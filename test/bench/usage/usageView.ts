import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../../../src/core/base/clock.ts';
import { knownCost } from '../../../src/core/reply/cost.ts';
import type { Ledger } from '../../../src/core/usage/ledger.ts';
import { composeUsage } from '../../../src/core/usage/view/composeUsage.ts';
import { exportRow, exportText } from '../../../src/core/usage/view/exportCalls.ts';
import type { UsageChoice } from '../../../src/core/usage/view/usageDocument.ts';
import { tallyUsage } from '../../../src/core/usage/view/usageTally.ts';
import { systemClock } from '../../../src/node/system/machine.ts';
import { makeTemporary, removeTemporary } from '../../vscode/temporary.ts';
import { atMost, type Measured, median, rounded } from '../figures.ts';
import { ledgerRounds } from '../settings.ts';
import { apartMs, lines, monthStart, openLedger, writeBusyMonth } from './ledger.ts';

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
  try {
    writeBusyMonth(folder);
    const names = ['opening', 'filtering', 'exporting'] as const;
    const taken = names.map((what) => ({ what, ms: [] as number[], blocked: [] as number[] }));
    for (let round = -ledgerRounds.warmUp; round < ledgerRounds.counted; round++) {
      const ledger = openLedger(folder);
      const runs = [
        () => documentOf(ledger, { period: 'days30' }),
        () => documentOf(ledger, { period: 'days30', connection: 'connection-1', model: 'vendor/model-1' }),
        () => exported(ledger),
      ];
      for (const [index, run] of runs.entries()) {
        const delays = monitorEventLoopDelay({ resolution: 1 });
        delays.enable();
        const from = performance.now();
        await run();
        const ms = performance.now() - from;
        delays.disable();
        if (round >= 0) {
          taken[index]?.ms.push(ms);
          taken[index]?.blocked.push(delays.max / 1e6);
        }
      }
      ledger.dispose();
    }
    const row = (what: string, values: readonly number[]) => ({
      what,
      ms: rounded(median(values)),
      worst: rounded(Math.max(...values)),
    });
    const blocked = taken.map((each) => median(each.blocked));
    return {
      title: `usage view: median of ${ledgerRounds.counted} openings over ${lines.toLocaleString('en')} lines`,
      rows: taken.flatMap((each) => [row(each.what, each.ms), row('  process blocked by that', each.blocked)]),
      bars: [
        atMost('opening the usage view', median(taken[0]?.ms ?? []), 500),
        atMost('process blocked by the usage view', Math.max(...blocked), 50),
      ],
    };
  } finally {
    removeTemporary(folder);
  }
}

async function documentOf(ledger: Ledger, choice: UsageChoice): Promise<void> {
  const read = await tallyUsage(ledger, clock.now(), choice, 50, knownCost);
  const document = composeUsage({
    ...read,
    costOf: knownCost,
    stateOf: (call) => ledger.stateOf(call),
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
  const rows: string[] = [];
  await ledger.visit(monthStart, clock.now(), (call) => {
    rows.push(exportRow('csv', call, ledger.stateOf(call), { name: call.connection }));
  });
  exportText('csv', rows);
}
