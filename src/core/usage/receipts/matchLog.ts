import type { LogEntry } from '../../account/logEntry.ts';
import type { Money } from '../../base/money.ts';
import type { Steps } from '../../base/runInSlices.ts';
import { isByPrices } from '../../reply/cost.ts';
import { likelyPairs } from './likelyPairs.ts';
import { type LogClock, lineTimes, logClock, type Span } from './logClock.ts';
import { mayBeLogged, type RecordedCall } from './recordedCall.ts';

/** A call with what the gateway charged for it. */
type MatchedCall = {
  readonly call: RecordedCall;
  readonly charged: Money;
  /** `charged`: by its request ID. `likely`: by model, time and tokens. */
  readonly how: 'charged' | 'likely';
  /** The line of the log; several lines of one request are one, with the sum of what they charged and gave back. */
  readonly entry: LogEntry;
};

/** What a gateway's log says of the calls that were recorded here. */
export type LogMatch = {
  /** A call is in it again for each further unit that it was charged in. */
  readonly matched: readonly MatchedCall[];
  /** Those of `matched` with other tokens than reported, another charge than reported, or one that is higher than by prices, or none. */
  readonly differing: readonly MatchedCall[];
  /** Charges that fit no call that was recorded here. */
  readonly onlyThere: readonly LogEntry[];
  /** Calls that the log should have, and doesn't. */
  readonly onlyHere: readonly RecordedCall[];
  /** Calls and charges that fit each other, but others as well, so that any pair might be wrong. */
  readonly unclear: { readonly calls: readonly RecordedCall[]; readonly entries: readonly LogEntry[] };
  /** Of the newest charge that states it. */
  readonly groupRatio?: number;
  /** The time that the log tells of, by this computer's clock; absent for a log without lines. */
  readonly covered?: Span;
};

/**
 * The time in question, in Unix milliseconds. `readAt` is when the log was read from the gateway; without it, as for an
 * exported log, it is complete only until its newest line.
 */
export type LogSpan = Span & { readonly readAt?: number | undefined };

/**
 * Finds the calls that were recorded here in a gateway's log.
 *
 * @param calls also some minutes before and after the span, because the lines of those may be in it.
 * @param entries in any order. A log may lack what is older than its oldest line (wire section 5: at most 1,000 lines).
 */
export function* matchLog(
  calls: readonly RecordedCall[],
  entries: readonly LogEntry[],
  span: LogSpan,
): Steps<LogMatch> {
  // An ID that several calls have identifies none of them.
  const callOf = new Map<string, RecordedCall | undefined>();
  for (const call of calls) {
    yield;
    if (call.requestId !== undefined) {
      callOf.set(call.requestId, callOf.has(call.requestId) ? undefined : call);
    }
  }
  const matched: MatchedCall[] = [];
  const others: LogEntry[] = [];
  const found = new Set<RecordedCall>();
  const delays: number[] = [];
  for (const entry of yield* sumById(entries, (id) => callOf.has(id) && callOf.get(id) === undefined)) {
    yield;
    const call = entry.requestId === undefined ? undefined : callOf.get(entry.requestId);
    // A refund alone doesn't tell what was charged before it.
    if (call === undefined || entry.kind === 'refund') {
      others.push(entry);
      continue;
    }
    matched.push({ call, charged: entry.charged, how: 'charged', entry });
    found.add(call);
    if (call.totalMs !== undefined) {
      delays.push(entry.at - call.at - call.totalMs);
    }
  }
  const clock = logClock(delays);
  const missing = calls.filter((call) => mayBeLogged(call) && !found.has(call));
  const { pairs, unclear } = yield* likelyPairs(missing, others, clock, found.size > 0);
  for (const [call, entry] of pairs) {
    matched.push({ call, charged: entry.charged, how: 'likely', entry });
  }
  const { covered, groupRatio } = factsOf(entries, clock, span);
  const isIn = (at: number) => at >= span.from && at <= span.to;
  const isCovered = (call: RecordedCall) => {
    const { from, to } = lineTimes(call, clock);
    // The log may lack lines of its oldest second.
    return covered !== undefined && isIn(call.at) && from > covered.from && to <= covered.to;
  };
  const paired = new Set(pairs.values());
  const isOpen = (entry: LogEntry) => entry.kind === 'charge' && !paired.has(entry) && isIn(entry.at - clock.offsetMs);
  const open = others.filter(isOpen);
  return {
    matched,
    differing: matched.filter(differs),
    onlyThere: open.filter((entry) => !unclear.entries.has(entry)),
    onlyHere: missing.filter((call) => !pairs.has(call) && !unclear.calls.has(call) && isCovered(call)),
    unclear: {
      calls: [...unclear.calls].filter(({ at }) => isIn(at)),
      entries: open.filter((entry) => unclear.entries.has(entry)),
    },
    groupRatio,
    covered: covered && { from: Math.max(span.from, covered.from), to: Math.min(span.to, covered.to) },
  };
}

/** Makes one line of all lines of a request in the same unit. A line that is there twice counts once. */
function* sumById(entries: readonly LogEntry[], isShared: (id: string) => boolean): Steps<LogEntry[]> {
  const lines: LogEntry[] = [];
  const indexes = new Map<string, number>();
  const added = new Set<string>();
  for (const entry of entries) {
    yield;
    const { requestId, kind, charged } = entry;
    const amount = kind === 'refund' ? -Math.abs(charged.amount) : charged.amount;
    const id = requestId === undefined || isShared(requestId) ? undefined : JSON.stringify([requestId, charged.unit]);
    const index = id === undefined ? undefined : indexes.get(id);
    const line = index === undefined ? undefined : lines[index];
    const text = JSON.stringify(entry);
    if (id !== undefined && added.has(text)) {
      continue;
    }
    added.add(text);
    if (index !== undefined && line !== undefined) {
      const main = kind === 'charge' && line.kind !== 'charge' ? entry : line;
      lines[index] = { ...main, charged: { ...charged, amount: line.charged.amount + amount } };
      continue;
    }
    if (id !== undefined) {
      indexes.set(id, lines.length);
    }
    lines.push(kind === 'refund' ? { ...entry, charged: { ...charged, amount } } : entry);
  }
  return lines;
}

function factsOf(entries: readonly LogEntry[], { offsetMs }: LogClock, { readAt }: LogSpan) {
  let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let stating: LogEntry | undefined;
  for (const entry of entries) {
    oldest = Math.min(oldest, entry.at);
    newest = Math.max(newest, entry.at);
    if (entry.kind === 'charge' && entry.groupRatio !== undefined && !(stating && stating.at >= entry.at)) {
      stating = entry;
    }
  }
  const covered = entries.length > 0 ? { from: oldest - offsetMs, to: readAt ?? newest - offsetMs } : undefined;
  return { covered, groupRatio: stating?.groupRatio };
}

function differs({ call, charged, entry }: MatchedCall): boolean {
  const isOther = (one: number | undefined, other: number | undefined) =>
    entry.kind === 'charge' && one !== undefined && other !== undefined && one !== other;
  const { cost } = call;
  const above = cost === undefined || cost.unit !== charged.unit ? 0 : charged.amount - cost.amount;
  return (
    isOther(call.promptTokens, entry.promptTokens) ||
    isOther(call.completionTokens, entry.completionTokens) ||
    // Consoles round to four decimals, and gateways to their own unit.
    (cost !== undefined &&
      (isByPrices(cost) && (charged.amount > 0 || entry.kind !== 'charge') ? above : Math.abs(above)) >
        Math.max(0.000_1, 0.01 * Math.min(cost.amount, charged.amount)))
  );
}
