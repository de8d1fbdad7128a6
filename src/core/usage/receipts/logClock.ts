import type { LogEntry } from '../../account/logEntry.ts';
import type { Steps } from '../../base/runInSlices.ts';
import type { RecordedCall } from './recordedCall.ts';

/** How the times of a gateway's log relate to this computer's. */
export type LogClock = {
  /** The log's time is later by this. */
  readonly offsetMs: number;
  /** How much a line may differ from that. */
  readonly toleranceMs: number;
};

export type Span = { readonly from: number; readonly to: number };

const defaultToleranceMs = 2 * 60_000;
/** All time zones differ from UTC by so many minutes, from -12 to +14 hours. */
const [zoneMs, westernmost, easternmost] = [15 * 60_000, -48, 56];

/** @param delays how long after the end of its call each line is dated, of the calls that are surely in the log. */
export function logClock(delays: readonly number[]): LogClock {
  const sorted = [...delays].sort((one, other) => one - other);
  const offsetMs = sorted[sorted.length >> 1] ?? 0;
  const deviation = Math.max(offsetMs - (sorted[0] ?? 0), (sorted.at(-1) ?? 0) - offsetMs);
  // A few calls don't show how much the delay varies.
  const toleranceMs = sorted.length < 5 ? defaultToleranceMs : Math.min(defaultToleranceMs, 5_000 + 2 * deviation);
  return { offsetMs, toleranceMs };
}

/** The times, by this computer's clock, at which the log may have a line of the call. */
export function lineTimes(
  { at, totalMs = 0, state }: RecordedCall,
  { toleranceMs }: Pick<LogClock, 'toleranceMs'>,
): Span {
  // A gateway continues a call that was stopped or cut off here.
  const after = state === 'complete' ? toleranceMs : defaultToleranceMs;
  return { from: at - toleranceMs, to: at + totalMs + after };
}

/**
 * Corrects the times of a log whose time zone isn't stated, such as OpenRouter's export in UTC: by the one offset with
 * which most lines fit a call by its request ID, or by its model and tokens, and its time. Without any, or with several
 * of which one is this computer's, it is this computer's.
 *
 * @param entries with times that were read as UTC.
 */
export function* inZone(entries: readonly LogEntry[], calls: readonly RecordedCall[]): Steps<readonly LogEntry[]> {
  const hasTokens = entries.some(({ promptTokens }) => promptTokens !== undefined);
  const nameOf = (model: string | undefined, { promptTokens, completionTokens }: LogEntry | RecordedCall) =>
    JSON.stringify([model, ...(hasTokens ? [promptTokens, completionTokens] : [])]);
  const byName = new Map<string, RecordedCall[]>();
  for (const call of calls) {
    yield;
    for (const name of new Set([call.requestId, nameOf(call.model, call), nameOf(call.answered ?? call.model, call)])) {
      if (name !== undefined) {
        byName.set(name, [...(byName.get(name) ?? []), call]);
      }
    }
  }
  const votes = new Map<number, number>();
  for (const entry of entries) {
    const fitting = new Set<number>();
    for (const call of byName.get(entry.requestId ?? '') ?? byName.get(nameOf(entry.model, entry)) ?? []) {
      yield;
      const { from, to } = lineTimes(call, { toleranceMs: defaultToleranceMs });
      for (let zone = Math.ceil((entry.at - to) / zoneMs); zone <= Math.floor((entry.at - from) / zoneMs); zone++) {
        if (zone >= westernmost && zone <= easternmost) {
          fitting.add(zone);
        }
      }
    }
    for (const zone of fitting) {
      votes.set(zone, (votes.get(zone) ?? 0) + 1);
    }
  }
  let best = -new Date(entries[0]?.at ?? 0).getTimezoneOffset() / 15;
  for (const [zone, count] of votes) {
    best = count > (votes.get(best) ?? 0) ? zone : best;
  }
  return entries.map((entry) => ({ ...entry, at: entry.at - best * zoneMs }));
}
