import type { Clock } from '../base/clock.ts';
import { runInSlices, type Steps } from '../base/runInSlices.ts';
import { type CallEnd, readLine } from './ledgerLine.ts';
import type { LedgerStore } from './ledgerStore.ts';

/** What is needed of the end of a call only for single calls and for matching, so that it isn't held in memory. */
export type CallDetails = Pick<CallEnd, 'requestId' | 'answered' | 'totalMs' | 'cost'>;

type DetailsPorts = { readonly store: Pick<LedgerStore, 'months' | 'read'>; readonly clock: Clock };

/** Longer than any line, and read in one step. */
const pieceBytes = 256 * 1024;
const lineFeed = 0x0a;

/** Reads the ends of all calls in some months, by the ids of the calls. Rejects when the store can't be read. */
export async function readDetails(
  { store, clock }: DetailsPorts,
  isWanted: (month: string) => boolean,
): Promise<ReadonlyMap<string, CallDetails>> {
  const details = new Map<string, CallDetails>();
  const buffer = new Uint8Array(pieceBytes);
  for (const month of (await store.months()).filter(isWanted)) {
    let from = 0;
    for (;;) {
      const bytes = buffer.subarray(0, await store.read(month, from, buffer));
      const end = bytes.lastIndexOf(lineFeed) + 1;
      await runInSlices(clock, addDetails(details, new TextDecoder().decode(bytes.subarray(0, end))));
      if (bytes.length < pieceBytes) {
        break;
      }
      // A piece without a line feed is damaged.
      from += end === 0 ? bytes.length : end;
    }
  }
  return details;
}

function* addDetails(details: Map<string, CallDetails>, text: string): Steps<void> {
  for (const each of text.split('\n')) {
    // Half of the lines, which need not be parsed.
    const line = each.startsWith('"start"', 14) ? undefined : readLine(each);
    if (line?.type === 'end' && !details.has(line.id)) {
      const { requestId, answered, totalMs, cost } = line;
      details.set(line.id, {
        totalMs,
        ...(requestId !== undefined && { requestId }),
        ...(answered !== undefined && { answered }),
        ...(cost && { cost }),
      });
    }
    yield;
  }
}
