import { amountOf, parseJson, recordOf, textOf } from '../base/loose.ts';
import { mostOfCall } from '../base/money.ts';
import type { Credit } from '../connections/consoleSettings.ts';
import { redactedStart } from '../secrets/redact.ts';
import { amountUpTo, isFailure, label, sum, unixSeconds } from './accountValues.ts';
import type { LogEntry } from './logEntry.ts';
import type { SiteUnit } from './siteStatus.ts';

const maxLines = 10_000;

/** The log of a key, newest first. */
export type TokenLog = {
  readonly entries: readonly LogEntry[];
  /** How many lines could not be read. */
  readonly unreadable: number;
};

const kinds: ReadonlyMap<number | undefined, LogEntry['kind']> = new Map([
  [2, 'charge'],
  [5, 'error'],
  [6, 'refund'],
]);

/**
 * Reads `/api/log/token` of new-api (wire section 5). Lines about anything but calls are left out.
 *
 * @param credit what a dollar of the site is worth, if the person stated it.
 * @returns undefined when the body isn't a log.
 */
export function readTokenLog(body: unknown, site: SiteUnit, credit: Credit = site.credit): TokenLog | undefined {
  const { data } = recordOf(body);
  if (isFailure(body) || !Array.isArray(data)) {
    return undefined;
  }
  const factor = credit.factor / (site.quotaPerDollar ?? Number.NaN);
  const lines = data.slice(0, maxLines).map((line: unknown) => readLine(line, { factor, unit: credit.unit }));
  const entries = lines.filter((line) => typeof line === 'object');
  return { entries, unreadable: lines.filter((line) => line === undefined).length };
}

/** @returns `other` for a line that isn't about a call; undefined for one that can't be read. */
function readLine(line: unknown, { factor, unit }: Credit): LogEntry | 'other' | undefined {
  const fields = recordOf(line);
  const type = amountOf(fields.type);
  const kind = kinds.get(type);
  if (type !== undefined && kind === undefined) {
    return 'other';
  }
  const at = unixSeconds(fields.created_at);
  const model = label(fields.model_name, 256);
  const charged = sum(kind === 'error' ? 0 : amountOf(fields.quota), unit, factor)?.amount;
  const amount = amountUpTo(charged, mostOfCall);
  if (kind === undefined || at === undefined || model === undefined || amount === undefined) {
    return undefined;
  }
  const other = recordOf(parseJson(textOf(fields.other) ?? ''));
  const requestId = textOf(fields.request_id)?.trim();
  const facts = {
    // As the id of an answer is stored.
    requestId: requestId && redactedStart(requestId, [], 200),
    promptTokens: amountUpTo(fields.prompt_tokens, mostOfCall),
    completionTokens: amountUpTo(fields.completion_tokens, mostOfCall),
    cachedTokens: amountUpTo(other.cache_tokens, mostOfCall),
    group: label(fields.group),
    groupRatio: amountUpTo(other.group_ratio, 1e6),
    seconds: amountUpTo(fields.use_time, 1e6),
  };
  const stated = Object.entries(facts).filter(([, fact]) => fact !== undefined);
  return { at, kind, model, charged: { amount, unit }, ...Object.fromEntries(stated) };
}
