import type { LogEntry } from '../../account/logEntries.ts';
import type { Money } from '../../base/money.ts';
import { type Cost, isByPrices, isFromLog, knownCost } from '../../reply/cost.ts';
import type { Usage } from '../../reply/usage.ts';
import type { Receipt } from '../ledgerLine.ts';
import type { CountedCall } from '../usageTotals.ts';

/** A call with what the gateway charged for it. */
type MatchedCall = {
  readonly call: CountedCall;
  readonly charged: Money;
  /** `charged`: by its request ID. `likely`: by model, time and tokens. */
  readonly how: 'charged' | 'likely';
  /** The line of the log; of several lines of one request, the charge. */
  readonly entry: LogEntry;
};

/**
 * What the record and the log don't say alike. `differing`: a call with other tokens than reported, another charge than
 * reported, or one that is higher than by prices, or none. `onlyThere`: a charge that fits no call that was recorded here.
 * `onlyHere`: a call that the log should have, and doesn't. `unclear`: a call or a charge that fits others, but several, so
 * that any pair might be wrong.
 */
export type Finding = {
  readonly kind: 'differing' | 'onlyHere' | 'onlyThere' | 'unclear';
  readonly call?: CountedCall;
  readonly entry?: LogEntry;
};

/** What a gateway's log says of the calls that were recorded here. */
export type LogMatch = {
  readonly matched: readonly MatchedCall[];
  readonly findings: readonly Finding[];
  /** Of the newest charge that states it. */
  readonly groupRatio?: number | undefined;
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

/**
 * The time in question, in Unix milliseconds. `readAt` is when the log was read from the gateway; without it, as for an
 * exported log, it is complete only until its newest line.
 */
export type LogSpan = { readonly from: number; readonly to: number; readonly readAt?: number | undefined };

const minuteMs = 60_000;
/** How far clocks may differ. A gateway also continues a call that was stopped or cut off here. */
const toleranceMs = 2 * minuteMs;
/** All time zones differ from UTC by so many quarters of an hour, from -12 to +14 hours. */
const [quarterMs, westernmost, easternmost] = [15 * minuteMs, -48, 56];

/** What a call cost as reported or by prices, whatever the log said of it. */
export function costBeforeLog({ usage, pricedCost: cost }: CountedCall): Cost | undefined {
  return knownCost({ usage, cost });
}

/**
 * Corrects the times of a log by one offset in quarters of an hour: that with which most lines are of the end of a call
 * with their request ID, or their model and tokens. A log without time zones, such as OpenRouter's export, is in UTC or
 * in that of the computer whose console wrote it.
 *
 * @param hasZone without, times were read as UTC, and are this computer's where no call shows the offset.
 */
export function withOffset(
  entries: readonly LogEntry[],
  calls: readonly CountedCall[],
  hasZone: boolean,
): readonly LogEntry[] {
  const hasTokens = entries.some(({ promptTokens }) => promptTokens !== undefined);
  const nameOf = (model: string, { promptTokens, completionTokens }: Usage = {}) =>
    JSON.stringify([model, ...(hasTokens ? [promptTokens, completionTokens] : [])]);
  const byId = Map.groupBy(calls, ({ requestId = '' }) => requestId);
  const byName = new Map<string, CountedCall[]>();
  for (const call of calls) {
    for (const model of modelsOf(call)) {
      add(byName, nameOf(model, call.usage), call);
    }
  }
  const votes = new Map<number, number>();
  for (const entry of entries) {
    const alike = (entry.requestId && byId.get(entry.requestId)) || byName.get(nameOf(entry.model, entry)) || [];
    for (const { at, totalMs = 0 } of alike) {
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
  return entries.map((entry) => ({ ...entry, at: entry.at - best * quarterMs }));
}

/**
 * Finds the calls that were recorded here in a gateway's log.
 *
 * @param calls also some minutes before and after the span, because the lines of those may be in it.
 * @param entries in any order. A log may lack what is older than its oldest line (wire section 5: at most 1,000 lines).
 */
export function matchLog(
  calls: readonly CountedCall[],
  entries: readonly LogEntry[],
  { from, to, readAt }: LogSpan,
): LogMatch {
  const { matched, others } = byRequestId(calls, entries);
  const found = new Set(matched.map(({ call }) => call));
  // The log should have the others, unless they can't have been charged.
  const missing = calls.filter((call) => call.state !== 'notSent' && call.isFree !== true && !found.has(call));
  const { pairs, unclear } = likelyPairs(missing, others, found.size > 0);
  for (const [call, entry] of pairs) {
    matched.push({ call, charged: entry.charged, how: 'likely', entry });
  }
  const times = entries.map(({ at }) => at).sort((one, other) => one - other);
  const [oldest = Number.POSITIVE_INFINITY, newest = 0] = [times[0], times.at(-1)];
  const isIn = (at: number) => at >= from && at <= to;
  // The log may lack lines of its oldest second.
  const isCovered = (call: CountedCall) =>
    isIn(call.at) && call.at - toleranceMs > oldest && lastLine(call) <= (readAt ?? newest);
  const paired = new Set(pairs.values());
  const open = others.filter((entry) => entry.kind === 'charge' && !paired.has(entry) && isIn(entry.at));
  const stating = entries.filter(({ kind, groupRatio }) => kind === 'charge' && groupRatio !== undefined);
  return {
    matched,
    findings: [
      ...matched.filter(differs).map(({ call, entry }) => ({ kind: 'differing' as const, call, entry })),
      ...missing.flatMap((call): Finding[] => {
        const isUnclear = unclear.calls.has(call);
        const isFinding = !pairs.has(call) && (isUnclear ? isIn(call.at) : isCovered(call));
        return isFinding ? [{ kind: isUnclear ? 'unclear' : 'onlyHere', call }] : [];
      }),
      ...open.map((entry): Finding => ({ kind: unclear.entries.has(entry) ? 'unclear' : 'onlyThere', entry })),
    ],
    groupRatio: stating.sort((one, other) => other.at - one.at)[0]?.groupRatio,
  };
}

/** Adds up the lines of each request. A line that is there twice counts once. */
function byRequestId(calls: readonly CountedCall[], entries: readonly LogEntry[]) {
  // An ID that several calls have identifies none of them.
  const byId = new Map(
    [...Map.groupBy(calls, ({ requestId = '' }) => requestId)].filter(([, { length }]) => length === 1),
  );
  const callOf = ({ requestId }: LogEntry) => (requestId ? byId.get(requestId)?.[0] : undefined);
  const matched: MatchedCall[] = [];
  for (const [requestId, lines] of Map.groupBy(entries, ({ requestId = '' }) => requestId)) {
    const [call] = (requestId && byId.get(requestId)) || [];
    // A refund alone doesn't tell what was charged before it.
    const entry = lines.find(({ kind }) => kind === 'charge') ?? lines.find(({ kind }) => kind === 'error');
    if (call && entry) {
      const { unit } = entry.charged;
      const different = new Map(lines.map((line) => [JSON.stringify(line), line]));
      const amount = [...different.values()]
        .filter(({ charged }) => charged.unit === unit)
        .reduce((sum, { kind, charged }) => sum + (kind === 'refund' ? -1 : 1) * charged.amount, 0);
      matched.push({ call, charged: { amount, unit }, how: 'charged', entry });
    }
  }
  return { matched, others: entries.filter((entry) => callOf(entry) === undefined) };
}

/** The models of which a line of the call may be: the one that was asked, and the one that answered. */
function modelsOf({ model, answered = model }: CountedCall): ReadonlySet<string> {
  return new Set([model, answered]);
}

function add<Name, T>(groups: Map<Name, T[]>, name: Name, each: T): void {
  const group = groups.get(name) ?? [];
  groups.set(name, group);
  group.push(each);
}

function differs({ call, charged, entry }: MatchedCall): boolean {
  const cost = costBeforeLog(call);
  const above = cost === undefined || cost.unit !== charged.unit ? 0 : charged.amount - cost.amount;
  return (
    (entry.kind === 'charge' && Math.min(...equalTokens(call.usage, entry)) < 0) ||
    // Consoles round to four decimals, and gateways to their own unit.
    (cost !== undefined &&
      // A gateway need not charge what the vendor does.
      cost.source !== 'vendor' &&
      (isByPrices(cost) && (charged.amount > 0 || entry.kind !== 'charge') ? above : Math.abs(above)) >
        Math.max(0.000_1, 0.01 * Math.min(cost.amount, charged.amount)))
  );
}

/** The time until which the log may have a line of the call. */
function lastLine({ at, totalMs = 0 }: CountedCall): number {
  return at + totalMs + toleranceMs;
}

/**
 * Finds calls and lines that fit each other by model, minute and tokens, and of which neither fits another one as well.
 *
 * @param comparesIds whether the log has the kind of request IDs that was recorded here, so that others mean other calls.
 * @returns `unclear`: those that fit several others, so that any pair might be wrong.
 */
function likelyPairs(calls: readonly CountedCall[], entries: readonly LogEntry[], comparesIds: boolean) {
  const minuteOf = (at: number) => Math.floor(at / minuteMs);
  const byMinute = new Map<string, CountedCall[]>();
  for (const call of calls) {
    for (const model of modelsOf(call)) {
      for (let minute = minuteOf(call.at - toleranceMs); minute <= minuteOf(lastLine(call)); minute++) {
        add(byMinute, `${minute} ${model}`, call);
      }
    }
  }
  /** The lines that fit a call best, each with whether it fits no other call as well. */
  const claims = new Map<CountedCall, { readonly entry: LogEntry; readonly isOnly: boolean }[]>();
  const unclear = new Set<LogEntry>();
  for (const entry of entries.filter(({ kind }) => kind !== 'refund')) {
    const near = byMinute.get(`${minuteOf(entry.at)} ${entry.model}`) ?? [];
    const scores = near.map((call) => scoreOf(call, entry, comparesIds));
    const best = Math.max(0, ...scores);
    const fitting = near.filter((_, index) => scores[index] === best);
    for (const call of fitting) {
      add(claims, call, { entry, isOnly: fitting.length === 1 });
      unclear.add(entry);
    }
  }
  const pairs = new Map<CountedCall, LogEntry>();
  for (const [call, [claim, another]] of claims) {
    if (claim?.isOnly && another === undefined) {
      pairs.set(call, claim.entry);
      claims.delete(call);
      unclear.delete(claim.entry);
    }
  }
  return { pairs, unclear: { calls: new Set(claims.keys()), entries: unclear } };
}

/** How many counts of tokens are equal; below 0 when the line isn't of this call. */
function scoreOf(call: CountedCall, entry: LogEntry, comparesIds: boolean): number {
  const isNear = entry.at >= call.at - toleranceMs && entry.at <= lastLine(call);
  const isOther =
    comparesIds && call.requestId !== undefined && entry.requestId !== undefined && call.requestId !== entry.requestId;
  const [prompt, completion] = equalTokens(call.usage, entry);
  const isError = entry.kind === 'error' && call.state === 'complete';
  return !isNear || isOther || isError ? -1 : Math.min(prompt, completion, 0) || prompt + completion;
}

/** Compares input and output. new-api logs the input of Claude without what is cached (QuantumNous/new-api#7290). */
function equalTokens(usage: Usage = {}, entry: LogEntry): [prompt: number, completion: number] {
  const { promptTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  const fresh = promptTokens && promptTokens - cachedTokens - cacheWriteTokens;
  return [
    Math.max(equal(promptTokens, entry.promptTokens), equal(fresh, entry.promptTokens)),
    equal(usage.completionTokens, entry.completionTokens),
  ];
}

/** 1 for equal counts, 0 when one isn't known, -1 for different ones. */
function equal(one: number | undefined, other: number | undefined): number {
  if (one === undefined || other === undefined) {
    return 0;
  }
  return one === other ? 1 : -1;
}

/**
 * What is recorded of the calls that were found in a gateway's log, apart from what is recorded already, or was found more
 * reliably.
 *
 * @param at when the log was read, in Unix milliseconds.
 */
export function receiptsOf({ matched }: LogMatch, at: number): (Receipt & { readonly began: number })[] {
  return matched.flatMap(({ call, charged, how, entry }) => {
    // A refund can exceed a charge by a rounding error.
    const cost = { amount: Math.max(0, charged.amount), unit: charged.unit, source: how };
    const { promptTokens, completionTokens, cachedTokens } = entry;
    const hasTokens = promptTokens !== undefined || completionTokens !== undefined;
    const usage = hasTokens ? { promptTokens, completionTokens, cachedTokens } : undefined;
    return isNew(cost, isFromLog(call.cost) ? call.cost : undefined)
      ? [{ id: call.id, began: call.at, at, cost, usage }]
      : [];
  });
}

function isNew({ amount, unit, source }: Cost, known: Cost | undefined): boolean {
  return source === known?.source
    ? amount !== known.amount || unit !== known.unit
    : source === 'charged' || known === undefined;
}
