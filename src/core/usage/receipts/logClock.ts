import type { RecordedCall } from './recordedCall.ts';

/** How the times of a gateway's log relate to this computer's. */
export type LogClock = {
  /** The log's time is later by this. Also corrects a wrong time zone. */
  readonly offsetMs: number;
  /** How much a line may differ from that. */
  readonly toleranceMs: number;
};

export type Span = { readonly from: number; readonly to: number };

const defaultToleranceMs = 2 * 60_000;

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
export function lineTimes({ at, totalMs = 0, state }: RecordedCall, { toleranceMs }: LogClock): Span {
  // A gateway continues a call that was stopped or cut off here.
  const after = state === 'complete' ? toleranceMs : defaultToleranceMs;
  return { from: at - toleranceMs, to: at + totalMs + after };
}
