import type { LogEntry } from '../../account/logEntry.ts';
import type { Steps } from '../../base/runInSlices.ts';
import { type LogClock, lineTimes } from './logClock.ts';
import type { RecordedCall } from './recordedCall.ts';

/** Calls and lines of a log that fit each other by model, time and tokens. */
export type LikelyPairs = {
  /** Those of which neither fits another one as well. */
  readonly pairs: ReadonlyMap<RecordedCall, LogEntry>;
  /** Those that fit several others, so that any pair might be wrong. */
  readonly unclear: { readonly calls: ReadonlySet<RecordedCall>; readonly entries: ReadonlySet<LogEntry> };
};

/** The candidate that fits best; `only` is undefined when several fit equally well. */
type Best<T> = { readonly score: number; readonly only: T | undefined };

/** With more lines of a model during a call, the lines of that model can't be distinguished. */
const maxLines = 300;
/** Each pair may leave only one candidate for others, which the next pass finds. */
const maxPasses = 10;

/**
 * As long as the log has all calls, no pair is wrong: a call is paired only if a single line fits it.
 *
 * @param comparesIds whether the log has the kind of request IDs that was recorded here, so that others mean other calls.
 */
export function* likelyPairs(
  calls: readonly RecordedCall[],
  entries: readonly LogEntry[],
  clock: LogClock,
  comparesIds: boolean,
): Steps<LikelyPairs> {
  const pairs = new Map<RecordedCall, LogEntry>();
  const paired = new Set<LogEntry>();
  const lines = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    yield;
    const list = lines.get(entry.model) ?? [];
    lines.set(entry.model, list);
    if (entry.kind !== 'refund') {
      list.push(entry);
    }
  }
  for (const list of lines.values()) {
    yield;
    list.sort((one, other) => one.at - other.at);
  }
  for (let pass = 1; ; pass++) {
    const ofCall = new Map<RecordedCall, Best<LogEntry>>();
    const ofEntry = new Map<LogEntry, Best<RecordedCall>>();
    const crowded = new Set<string>();
    for (const call of calls) {
      yield;
      const { from, to } = lineTimes(call, clock);
      for (const model of pairs.has(call) ? [] : new Set([call.model, call.answered ?? call.model])) {
        const list = lines.get(model) ?? [];
        const first = firstAt(list, from + clock.offsetMs);
        const candidates = list.slice(first, Math.min(firstAt(list, to + clock.offsetMs + 1), first + maxLines + 1));
        if (candidates.length > maxLines) {
          crowded.add(model);
          ofCall.set(call, { score: 0, only: undefined });
          continue;
        }
        for (const entry of candidates) {
          const score = paired.has(entry) ? undefined : scoreOf(call, entry, comparesIds);
          if (score !== undefined) {
            add(ofCall, call, entry, 0);
            add(ofEntry, entry, call, score);
          }
        }
      }
    }
    const before = pairs.size;
    for (const [call, { only: entry }] of ofCall) {
      if (entry !== undefined && ofEntry.get(entry)?.only === call && !crowded.has(entry.model)) {
        pairs.set(call, entry);
        paired.add(entry);
        ofCall.delete(call);
        ofEntry.delete(entry);
      }
    }
    if (pairs.size === before || pass === maxPasses) {
      const inCrowd = [...crowded].flatMap((model) => lines.get(model) ?? []).filter((entry) => !paired.has(entry));
      return { pairs, unclear: { calls: new Set(ofCall.keys()), entries: new Set([...ofEntry.keys(), ...inCrowd]) } };
    }
  }
}

/** How many counts of tokens are equal; undefined when the line isn't of this call. */
function scoreOf(call: RecordedCall, entry: LogEntry, comparesIds: boolean): number | undefined {
  const isOther =
    comparesIds && call.requestId !== undefined && entry.requestId !== undefined && call.requestId !== entry.requestId;
  const prompt = equal(call.promptTokens, entry.promptTokens);
  const completion = equal(call.completionTokens, entry.completionTokens);
  const isError = entry.kind === 'error' && call.state === 'complete';
  return isOther || isError || prompt === undefined || completion === undefined ? undefined : prompt + completion;
}

/** 1 for equal counts, 0 when one isn't known, undefined for different ones. */
function equal(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) {
    return 0;
  }
  return one === other ? 1 : undefined;
}

function add<Key, T>(all: Map<Key, Best<T>>, key: Key, candidate: T, score: number): void {
  const best = all.get(key);
  if (best === undefined || score >= best.score) {
    all.set(key, { score, only: best?.score === score ? undefined : candidate });
  }
}

/** The index of the first line at or after a time. */
function firstAt(sorted: readonly LogEntry[], at: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.at ?? at) < at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
