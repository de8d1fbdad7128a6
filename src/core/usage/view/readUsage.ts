import type { Clock } from '../../base/clock.ts';
import { runInSlices } from '../../base/runInSlices.ts';
import type { Ledger } from '../ledger.ts';
import { type Span, spanOf } from './periods.ts';
import type { UsageChoice } from './usageDocument.ts';
import { type TallyPorts, tallyCalls, type UsageTally } from './usageTally.ts';

export type ReadUsage = {
  readonly now: number;
  readonly span: Span;
  readonly tally: UsageTally;
  /** Lines of the usage data that could not be read. */
  readonly unreadable: number;
};

/**
 * Reads what the view shows, in slices. Rejects when the ledger can't be read.
 *
 * @param most how many of the latest calls to collect.
 */
export async function readUsage(
  ledger: Ledger,
  clock: Clock,
  choice: UsageChoice,
  most: number,
  ports: TallyPorts,
): Promise<ReadUsage> {
  const now = clock.now();
  const span = spanOf(choice.period, now);
  const calls = await ledger.callsBetween(span.from, Number.MAX_SAFE_INTEGER);
  const unreadable = await ledger.unreadable(span.from, span.to);
  return { now, span, unreadable, tally: await runInSlices(clock, tallyCalls(calls, choice, span, most, ports)) };
}
