import type { LogEntry } from '../../account/logEntry.ts';
import type { Money } from '../../base/money.ts';
import type { Steps } from '../../base/runInSlices.ts';
import { type Cost, isByPrices, isFromLog, knownCost } from '../../reply/cost.ts';
import type { Usage } from '../../reply/usage.ts';
import type { CallEnd, Receipt } from '../ledgerLine.ts';
import type { CountedCall } from '../usageTotals.ts';

/** A call as it was recorded here, to be compared with the gateway's own log. */
export type RecordedCall = Pick<CallEnd, 'state' | 'isFree' | 'answered' | 'requestId'> &
  Pick<CountedCall, 'id' | 'at' | 'model'> &
  Partial<Pick<CountedCall, 'caller' | 'conversation' | 'isInMemory'>> & {
    readonly promptTokens?: number;
    readonly completionTokens?: number;
    readonly totalMs?: number;
    /** As reported, or by prices. */
    readonly cost?: Cost;
    /** What an earlier reading of the log gave. */
    readonly charged?: Cost;
  };

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
  readonly covered?: TimeSpan;
};

/** How the calls of a connection compare with its gateway's log. */
export type MatchResult = LogMatch & {
  /** When the log was read, in Unix milliseconds. */
  readonly at: number;
  /** The name of the file; undefined for what the gateway answered. */
  readonly file: string | undefined;
  /** Lines of the log that could not be read. */
  readonly unreadable: number;
};

type TimeSpan = { readonly from: number; readonly to: number };

/**
 * The time in question, in Unix milliseconds. `readAt` is when the log was read from the gateway; without it, as for an
 * exported log, it is complete only until its newest line.
 */
export type LogSpan = TimeSpan & { readonly readAt?: number | undefined };

const minuteMs = 60_000;
/** How far clocks may differ. A gateway also continues a call that was stopped or cut off here. */
const toleranceMs = 2 * minuteMs;
/** All time zones differ from UTC by so many quarters of an hour, from -12 to +14 hours. */
const [quarterMs, westernmost, easternmost] = [15 * minuteMs, -48, 56];
/** With more lines of a model in a minute, or calls with the same tokens, they can't be told apart. */
const mostAlike = 100;

/** Calls as they are compared with a gateway's log. Those that are still running are left out. */
export function recordedCalls(
  calls: readonly CountedCall[],
  isRunning: (call: CountedCall) => boolean,
): RecordedCall[] {
  return calls
    .filter((call) => !isRunning(call))
    .map((call) => ({
      ...call,
      state: call.state ?? 'unknown',
      promptTokens: call.usage?.promptTokens,
      completionTokens: call.usage?.completionTokens,
      // A receipt has taken the place of the cost that was known before.
      cost: knownCost({ usage: call.usage, cost: call.pricedCost }),
      charged: isFromLog(call.cost) ? call.cost : undefined,
    }));
}

/**
 * Corrects the times of a log by one offset in quarters of an hour: that with which most lines are of the end of a call
 * with their request ID, or their model and tokens. A log without time zones, such as OpenRouter's export, is in UTC or
 * in that of the computer whose console wrote it.
 *
 * @param hasZone without, times were read as UTC, and are this computer's where no call shows the offset.
 */
export function* withOffset(
  entries: readonly LogEntry[],
  calls: readonly RecordedCall[],
  hasZone: boolean,
): Steps<readonly LogEntry[]> {
  const hasTokens = entries.some(({ promptTokens }) => promptTokens !== undefined);
  const nameOf = (model: string, { promptTokens, completionTokens }: LogEntry | RecordedCall) =>
    JSON.stringify([model, ...(hasTokens ? [promptTokens, completionTokens] : [])]);
  const byName = new Map<string, RecordedCall[]>();
  for (const call of calls) {
    yield;
    for (const name of [call.requestId, nameOf(call.answered ?? call.model, call)]) {
      if (name !== undefined) {
        const alike = byName.get(name) ?? [];
        byName.set(name, alike);
        alike.push(call);
      }
    }
  }
  const votes = new Map<number, number>();
  for (const entry of entries) {
    yield;
    const alike = byName.get(entry.requestId ?? '') ?? byName.get(nameOf(entry.model, entry)) ?? [];
    for (const { at, totalMs = 0 } of alike.length > mostAlike ? [] : alike) {
      const quarters = Math.round((entry.at - at - totalMs) / quarterMs);
      if (quarters >= westernmost && quarters <= easternmost) {
        votes.set(quarters, (votes.get(quarters) ?? 0) + 1);
      }
    }
  }
  let best = hasZone ? 0 : -new Date(entries[0]?.at ?? 0).getTimezoneOffset() / 15;
  for (const [quarters, count] of votes) {
    best = count > (votes.get(best) ?? 0) ? quarters : best;
  }
  return best === 0 ? entries : entries.map((entry) => ({ ...entry, at: entry.at - best * quarterMs }));
}

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
  }
  // The log should have the others, unless they can't have been charged.
  const missing = calls.filter((call) => call.state !== 'notSent' && call.isFree !== true && !found.has(call));
  const { pairs, unclear } = yield* likelyPairs(missing, others, found.size > 0);
  for (const [call, entry] of pairs) {
    matched.push({ call, charged: entry.charged, how: 'likely', entry });
  }
  const { covered, groupRatio } = factsOf(entries, span);
  const isIn = (at: number) => at >= span.from && at <= span.to;
  const isCovered = (call: RecordedCall) => {
    const { from, to } = lineTimes(call);
    // The log may lack lines of its oldest second.
    return covered !== undefined && isIn(call.at) && from > covered.from && to <= covered.to;
  };
  const paired = new Set(pairs.values());
  const isOpen = (entry: LogEntry) => entry.kind === 'charge' && !paired.has(entry) && isIn(entry.at);
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

function factsOf(entries: readonly LogEntry[], { readAt }: LogSpan) {
  let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let stating: LogEntry | undefined;
  for (const entry of entries) {
    oldest = Math.min(oldest, entry.at);
    newest = Math.max(newest, entry.at);
    if (entry.kind === 'charge' && entry.groupRatio !== undefined && !(stating && stating.at >= entry.at)) {
      stating = entry;
    }
  }
  const covered = entries.length > 0 ? { from: oldest, to: readAt ?? newest } : undefined;
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

/** The times at which the log may have a line of the call. */
function lineTimes({ at, totalMs = 0 }: RecordedCall): TimeSpan {
  return { from: at - toleranceMs, to: at + totalMs + toleranceMs };
}

/** The candidate that fits best; `only` is undefined when several fit equally well. */
type Best<T> = { readonly score: number; readonly only: T | undefined };

/**
 * Finds calls and lines that fit each other by model, minute and tokens, and of which neither fits another one as well.
 *
 * @param comparesIds whether the log has the kind of request IDs that was recorded here, so that others mean other calls.
 * @returns `unclear`: those that fit several others, so that any pair might be wrong.
 */
function* likelyPairs(calls: readonly RecordedCall[], entries: readonly LogEntry[], comparesIds: boolean) {
  const minuteOf = (at: number) => Math.floor(at / minuteMs);
  const byMinute = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    yield;
    if (entry.kind !== 'refund') {
      const name = `${minuteOf(entry.at)} ${entry.model}`;
      const alike = byMinute.get(name) ?? [];
      byMinute.set(name, alike);
      alike.push(entry);
    }
  }
  const ofCall = new Map<RecordedCall, Best<LogEntry>>();
  const ofEntry = new Map<LogEntry, Best<RecordedCall>>();
  const crowded = new Set<LogEntry[]>();
  for (const call of calls) {
    const { from, to } = lineTimes(call);
    for (const model of new Set([call.model, call.answered ?? call.model])) {
      for (let minute = minuteOf(from); minute <= minuteOf(to); minute++) {
        yield;
        const alike = byMinute.get(`${minute} ${model}`) ?? [];
        if (alike.length > mostAlike) {
          ofCall.set(call, { score: Number.POSITIVE_INFINITY, only: undefined });
          crowded.add(alike);
          continue;
        }
        for (const entry of alike) {
          const score = entry.at < from || entry.at > to ? undefined : scoreOf(call, entry, comparesIds);
          if (score !== undefined) {
            add(ofCall, call, entry, 0);
            add(ofEntry, entry, call, score);
          }
        }
      }
    }
  }
  const pairs = new Map<RecordedCall, LogEntry>();
  for (const [call, { only: entry }] of ofCall) {
    if (entry !== undefined && ofEntry.get(entry)?.only === call) {
      pairs.set(call, entry);
      ofCall.delete(call);
      ofEntry.delete(entry);
    }
  }
  return {
    pairs,
    unclear: { calls: new Set(ofCall.keys()), entries: new Set([...ofEntry.keys(), ...[...crowded].flat()]) },
  };
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

/**
 * What is recorded of the calls that were found in a gateway's log, apart from what is recorded already, or was found more
 * reliably. One that was charged in several units has the first.
 *
 * @param at when the log was read, in Unix milliseconds.
 */
export function receiptsOf({ matched }: LogMatch, at: number): (Receipt & { readonly began: number })[] {
  const receipts = new Map<string, (Receipt & { readonly began: number }) | false>();
  for (const { call, charged, how, entry } of matched) {
    if (!receipts.has(call.id)) {
      const usage = usageOf(entry);
      // A refund can exceed a charge by a rounding error.
      const cost = { amount: Math.max(0, charged.amount), unit: charged.unit, source: how };
      const receipt = { id: call.id, began: call.at, at, cost, usage };
      receipts.set(call.id, isNew(cost, call.charged) && receipt);
    }
  }
  return [...receipts.values()].filter((receipt) => receipt !== false);
}

function isNew({ amount, unit, source }: Cost, known: Cost | undefined): boolean {
  return source === known?.source
    ? amount !== known.amount || unit !== known.unit
    : source === 'charged' || known === undefined;
}

function usageOf({ promptTokens, completionTokens, cachedTokens }: LogMatch['matched'][number]['entry']) {
  const usage: Usage = { promptTokens, completionTokens, cachedTokens };
  return promptTokens === undefined && completionTokens === undefined ? undefined : usage;
}
