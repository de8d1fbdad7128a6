import * as z from 'zod/mini';
import { isRecord, type LooseRecord, parseJson, recordOf, textOf } from '../base/loose.ts';
import { type Money, mostOfCall, siteUnit } from '../base/money.ts';
import type { Credit } from '../connections/consoleSettings.ts';
import { redactedStart } from '../secrets/redact.ts';
import { amountUpTo, isFailure, label, type SiteUnit } from './accountDialects.ts';

/** One line of the log that a gateway keeps of a key's calls. A field that the line doesn't state is absent. */
export type LogEntry = {
  /** When the call ended, in Unix milliseconds. Sites state whole seconds. */
  readonly at: number;
  /** What the line says: a charge, a call that failed without one, or credit that was given back. */
  readonly kind: 'charge' | 'error' | 'refund';
  readonly model: string;
  /** The response header `X-Oneapi-Request-Id` of the call. */
  readonly requestId?: string | undefined;
  /** What was charged, or given back; 0 for an error. */
  readonly charged: Money;
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  /** Tokens of the prompt that the gateway had cached. */
  readonly cachedTokens?: number | undefined;
  /** The factor of the prices of the key's group at that time. */
  readonly groupRatio?: number | undefined;
};

/** The calls of a log, and how many of its lines could not be read. */
export type CallLog = {
  readonly entries: readonly LogEntry[];
  readonly unreadable: number;
  /** Whether the times have a zone; otherwise they were read as UTC. */
  readonly hasZone: boolean;
};

const text = z.optional(z.string());

/** What the columns of a log mean: their names, unless stated otherwise. */
export const logColumns = z.object({
  at: z.string(),
  model: z.string(),
  amount: z.string(),
  /** The unit of the amounts, as in `Money`. Not a name. */
  unit: z.string(),
  /** How many of the column's numbers make one of the unit, such as 500,000 for quota; otherwise 1. Not a name. */
  perUnit: z.number().check(z.positive()),
  promptTokens: text,
  completionTokens: text,
  cachedTokens: text,
  requestId: text,
  /** The type of a line: charge, error, refund or something else. */
  kind: text,
  /** JSON with the ratio of the group and the cached tokens. */
  other: text,
  /** The name of the key in the console. */
  key: text,
  /** Only lines of the key with this name are read. Not a name of a column. */
  keyName: text,
});
export type LogColumns = z.infer<typeof logColumns>;

/** Quota that is one dollar of a site of the new-api family, unless the site changes it (wire section 5). */
export const quotaPerDollar = 500_000;

const ofNewApi: LogColumns = {
  at: 'created_at',
  model: 'model_name',
  amount: 'quota',
  unit: siteUnit,
  perUnit: quotaPerDollar,
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  requestId: 'request_id',
  kind: 'type',
  other: 'other',
  key: 'token_name',
};
const ofOpenRouter: LogColumns = {
  at: 'created_at',
  model: 'model_permaslug',
  amount: 'cost_total',
  unit: 'USD',
  perUnit: 1,
  promptTokens: 'tokens_prompt',
  completionTokens: 'tokens_completion',
  cachedTokens: 'tokens_cached',
  requestId: 'generation_id',
  key: 'api_key_name',
};

/** A table of spend logs (BerriAI/litellm#1498). */
const ofLiteLlm: LogColumns = {
  at: 'endTime',
  model: 'model',
  amount: 'spend',
  unit: 'USD',
  perUnit: 1,
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  requestId: 'request_id',
};

/** What the columns of a log mean by their names; undefined for a log of another console. */
export function knownColumns(columns: readonly string[]): LogColumns | undefined {
  return [ofNewApi, ofOpenRouter, ofLiteLlm].find((known) => hasColumns(columns, known));
}

/** Whether a log has the columns without which it can't be read. */
export function hasColumns(columns: readonly string[], { at, model, amount }: LogColumns): boolean {
  return [at, model, amount].every((name) => columns.includes(name));
}

/**
 * Reads `/api/log/token` of new-api (wire section 5).
 *
 * @param credit what a dollar of the site is worth, if the person stated it.
 * @returns undefined when the body isn't a log.
 */
export function readTokenLog(body: unknown, site: SiteUnit, credit: Credit = site.credit): CallLog | undefined {
  const { data } = recordOf(body);
  if (isFailure(body) || !Array.isArray(data) || site.quotaPerDollar === undefined) {
    return undefined;
  }
  const rows = data.filter(isRecord);
  const log = entriesOf(rows, { ...ofNewApi, perUnit: site.quotaPerDollar }, credit);
  return { ...log, unreadable: log.unreadable + data.length - rows.length };
}

/** What a line of new-api says, by its type. Lines of other types, such as of a payment, are of no call. */
const kinds = new Map<string, LogEntry['kind']>([
  ['2', 'charge'],
  ['5', 'error'],
  ['6', 'refund'],
]);

/**
 * Reads the calls of a log. Lines of other keys and lines that no call made, such as payments, are left out.
 *
 * @param credit what a dollar of the site is worth, if the person stated it.
 */
export function entriesOf(rows: readonly LooseRecord[], map: LogColumns, credit?: Credit): CallLog {
  const entries: LogEntry[] = [];
  let unreadable = 0;
  let hasZone = true;
  for (const row of rows) {
    const cell = (column: string | undefined) =>
      (column !== undefined && Object.hasOwn(row, column) && textOf(row[column])?.trim()) || '';
    const countIn = (column: string | undefined) =>
      amountUpTo(moneyIn(cell(column).replaceAll(',', ''))?.number, mostOfCall);
    const type = cell(map.kind);
    const kind = /^\d+$/.test(type) ? kinds.get(type) : 'charge';
    const isOfCall = kinds.has(type) || cell(map.model) !== '';
    if (kind === undefined || !isOfCall || (map.keyName !== undefined && cell(map.key) !== map.keyName)) {
      continue;
    }
    const model = label(cell(map.model), 256);
    const time = timeOf(cell(map.at));
    const money = kind === 'error' ? { number: 0, currency: undefined } : moneyIn(cell(map.amount));
    const unit = money?.currency ?? map.unit;
    const isOfSite = credit !== undefined && (unit === siteUnit || unit === 'USD');
    const factor = (isOfSite ? credit.factor : 1) / (money?.currency === undefined ? map.perUnit : 1);
    const charged = money && (kind === 'refund' ? Math.abs(money.number) : money.number) * factor;
    const amount = charged === undefined ? undefined : amountUpTo(Number(charged.toPrecision(12)), mostOfCall);
    if (model === undefined || time === undefined || amount === undefined) {
      unreadable++;
      continue;
    }
    hasZone &&= time.hasZone;
    const other = recordOf(parseJson(cell(map.other)));
    const requestId = cell(map.requestId);
    entries.push({
      at: time.at,
      kind,
      model,
      charged: { amount, unit: isOfSite ? credit.unit : unit },
      // As the id of an answer is stored.
      requestId: requestId === '' ? undefined : redactedStart(requestId, [], 200),
      promptTokens: countIn(map.promptTokens),
      completionTokens: countIn(map.completionTokens),
      cachedTokens: countIn(map.cachedTokens) ?? amountUpTo(other.cache_tokens, mostOfCall),
      groupRatio: amountUpTo(other.group_ratio, 1e6),
    });
  }
  return { entries, unreadable, hasZone };
}

/** Longer cells are neither times nor amounts. */
const maxChars = 40;

/**
 * Reads Unix time, ISO 8601, or date and time such as `2026/11/25 10:00`.
 *
 * @returns Unix milliseconds, without a zone as if it were UTC; undefined if the cell is no time.
 */
export function timeOf(cell: string): { readonly at: number; readonly hasZone: boolean } | undefined {
  if (cell.length > maxChars) {
    return undefined;
  }
  if (/^\d{9,13}(?:\.\d+)?$/.test(cell)) {
    return { at: Math.round(Number(cell) * (Number(cell) < 1e11 ? 1_000 : 1)), hasZone: true };
  }
  const [, year, month = '', day = '', time = '', seconds = ':00', zone = ''] =
    /^(\d{4})[-/.年](\d\d?)[-/.月](\d\d?)日?[T ]*(\d\d?:\d\d)(:\d\d(?:\.\d+)?)? ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/.exec(
      cell,
    ) ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${time.padStart(5, '0')}${seconds}`;
  const at = Date.parse(`${date}${zone === '' || zone === 'UTC' ? 'Z' : zone.replace(/^.\d\d$/, '$&:00')}`);
  return Number.isFinite(at) ? { at, hasZone: zone !== '' } : undefined;
}

const currencies = new Map([
  ['$', 'USD'],
  ['＄', 'USD'],
  ['US$', 'USD'],
  ['¥', 'CNY'],
  ['￥', 'CNY'],
  ['元', 'CNY'],
  ['RMB', 'CNY'],
  ['€', 'EUR'],
  ['£', 'GBP'],
]);

/**
 * The number of a cell, and the currency that it names, if any. With a comma, which stands for thousands in one language and
 * for a decimal point in another, it is unknown.
 */
function moneyIn(cell: string): { readonly number: number; readonly currency: string | undefined } | undefined {
  const [, before = '', digits, after = ''] =
    /^([^\d.,+-]{0,8})([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([^\d.,+-]{0,8})$/i.exec(cell.slice(0, maxChars + 1)) ??
    [];
  const named = (before + after).trim();
  const currency = currencies.get(named) ?? /^[A-Z]{3}$/.exec(named)?.[0];
  // Money of an unknown currency is not what the person says that the column holds.
  return digits === undefined || (currency === undefined && /\p{Sc}/u.test(named))
    ? undefined
    : { number: Number(digits), currency };
}
