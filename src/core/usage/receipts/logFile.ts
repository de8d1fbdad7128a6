import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { amountUpTo } from '../../account/accountValues.ts';
import type { LogEntry } from '../../account/logEntry.ts';
import { numberText } from '../../base/localization.ts';
import { isRecord, type LooseRecord, parseJson, textOf } from '../../base/loose.ts';
import { mostOfCall, siteUnit } from '../../base/money.ts';
import type { Steps } from '../../base/runInSlices.ts';
import type { Credit } from '../../connections/consoleSettings.ts';

/** A usage log exported from a gateway's console. Cells are text; a row may have fewer or more of them than columns. */
export type LogTable = { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** Larger files need not be read. */
export const maxLogBytes = 32 * 1024 * 1024;
const maxRows = 200_000;
const maxColumns = 200;
/** A small file can have many short rows with different fields, which would make a huge table: it has fewer columns then. */
const maxCells = 4_000_000;
/** Longer cells are neither times nor amounts. */
const maxChars = 40;
const sampleRows = 20;

/**
 * Reads a log exported as CSV, as JSON (a list, also as `data`, `items` or `logs` of an object), or as lines of JSON.
 *
 * @param name of the file, for the problem: sentences that say why it can't be imported and what to do.
 */
export function* readLogFile(name: string, text: string): Steps<LogTable | { readonly problem: string }> {
  const tooLarge = l10n.t(
    '{0} is too large. Export a shorter period: at most 32 MB and {1} rows can be imported.',
    name,
    numberText(maxRows),
  );
  if (text.length > maxLogBytes) {
    return { problem: tooLarge };
  }
  const start = text.slice(0, 1_000);
  if (/[\0\ufffd]/.test(start)) {
    return {
      problem: l10n.t("{0} isn't UTF-8 text. Export the log as CSV or JSON, or save the table as CSV UTF-8.", name),
    };
  }
  if (/^\s*</.test(start)) {
    return {
      problem: l10n.t("{0} is a web page. Export the usage log as CSV or JSON in the gateway's console.", name),
    };
  }
  const table = yield* /^\s*[[{]/.test(start) ? jsonTable(text) : csvTable(text);
  const [columns = [], ...rows] = table ?? [];
  if (rows.length > maxRows) {
    return { problem: tooLarge };
  }
  if (table === undefined || columns.length === 1 || columns.length === 2) {
    return { problem: l10n.t("{0} isn't a usage log. Choose a CSV or JSON file with a row for each call.", name) };
  }
  if (rows.length === 0) {
    return { problem: l10n.t('{0} contains no calls. Export a period that has calls.', name) };
  }
  if (!rows.slice(0, sampleRows).some((row) => row.some((cell) => timeOf(cell.trim()) !== undefined))) {
    return {
      problem: l10n.t(
        '{0} has no column with the date and time of each call. Export the list of calls, not a summary.',
        name,
      ),
    };
  }
  return { columns, rows };
}

function* csvTable(text: string): Steps<string[][]> {
  const table: string[][] = [];
  for (const row of csvRows(text)) {
    yield;
    table.push(row);
    if (table.length > maxRows + 1) {
      break;
    }
  }
  return table;
}

/** The names of all fields, then a row for each object; undefined for JSON without a list. */
function* jsonTable(text: string): Steps<string[][] | undefined> {
  const list = listOf(parseJson(text)) ?? (yield* jsonLines(text));
  const names = new Set<string>();
  const records: LooseRecord[] = [];
  for (const record of list?.slice(0, maxRows + 1) ?? []) {
    yield;
    if (isRecord(record)) {
      records.push(record);
      for (const name of Object.keys(record).slice(0, maxColumns - names.size)) {
        names.add(name);
      }
    }
  }
  const columns = [...names].slice(0, Math.ceil(maxCells / Math.max(1, records.length)));
  const table = [columns];
  for (const record of records) {
    yield;
    table.push(columns.map((name) => (Object.hasOwn(record, name) && textOf(record[name])) || ''));
  }
  return list && table;
}

function listOf(value: unknown, depth = 0): readonly unknown[] | undefined {
  if (Array.isArray(value)) {
    return value;
  }
  const list = isRecord(value) ? (value.data ?? value.items ?? value.logs) : undefined;
  return list === undefined || depth > 2 ? undefined : listOf(list, depth + 1);
}

/** The lines that are JSON; undefined if the first one isn't. */
function* jsonLines(text: string): Steps<unknown[] | undefined> {
  const records: unknown[] = [];
  for (const line of text.trim().split('\n')) {
    yield;
    records.push(parseJson(line));
    if (records[0] === undefined) {
      return undefined;
    }
  }
  return records;
}

/** The rows of comma, semicolon or tab separated values (RFC 4180), without blank ones. Cells are text as they are. */
export function* csvRows(text: string): Generator<string[]> {
  const delimiter = delimiterOf(text);
  const ends = new RegExp(`[${delimiter}\\r\\n]`, 'g');
  let row: string[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let isLast = false; !isLast; ) {
    let cell = '';
    // A quote right after the closing one is a part of the cell.
    for (let quote = ''; text[at] === '"'; quote = '"') {
      const closing = text.indexOf('"', at + 1);
      const close = closing === -1 ? text.length : closing;
      cell += quote + text.slice(at + 1, close);
      at = close + 1;
    }
    ends.lastIndex = at;
    const end = ends.exec(text)?.index ?? text.length;
    cell += text.slice(at, end);
    if (row.length < maxColumns) {
      row.push(cell);
    }
    isLast = end >= text.length;
    if (text[end] !== delimiter) {
      if (row.length > 1 || cell.trim() !== '') {
        yield row;
      }
      row = [];
    }
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
}

/** The most frequent one of the first line. */
function delimiterOf(text: string): string {
  const line = /^.*/.exec(text)?.[0].replaceAll(/"[^"]*"/g, '') ?? '';
  const count = (delimiter: string) => line.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

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
  group: text,
  /** The name of the key in the console. */
  key: text,
  /** Only lines of the key with this name are read. Not a name of a column. */
  keyName: text,
});
export type LogColumns = z.infer<typeof logColumns>;

/** Quota that is one dollar of a site of the new-api family, unless the site changes it (wire section 5). */
export const quotaPerDollar = 500_000;

const knownLogs: readonly LogColumns[] = [
  // new-api
  {
    at: 'created_at',
    model: 'model_name',
    amount: 'quota',
    unit: siteUnit,
    perUnit: quotaPerDollar,
    promptTokens: 'prompt_tokens',
    completionTokens: 'completion_tokens',
    requestId: 'request_id',
    kind: 'type',
    group: 'group',
    key: 'token_name',
  },
  // OpenRouter
  {
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
  },
];

/** What the columns of a log mean by their names; undefined for a log of another console. */
export function knownColumns(columns: readonly string[]): LogColumns | undefined {
  return knownLogs.find((known) => hasColumns(columns, known));
}

/** Whether a log has the columns without which it can't be read. */
export function hasColumns(columns: readonly string[], { at, model, amount }: LogColumns): boolean {
  return [at, model, amount].every((name) => columns.includes(name));
}

/** What a line of new-api says that isn't a charge; undefined for lines that no call made, such as of a payment. */
const kinds = new Map<string, LogEntry['kind'] | undefined>([
  ['1', undefined],
  ['3', undefined],
  ['4', undefined],
  ['5', 'error'],
  ['6', 'refund'],
  ['7', undefined],
]);

/** The calls of a log, and how many of its lines could not be read. */
export type LogFile = {
  readonly entries: readonly LogEntry[];
  readonly unreadable: number;
  /** Whether the times have a zone; otherwise they were read as UTC. */
  readonly hasZone: boolean;
};

/**
 * Reads the calls of a log. Lines of other keys and lines that no call made, such as payments, are left out.
 *
 * @param credit what a dollar of the site is worth, if the person stated it.
 */
export function* entriesOf({ columns, rows }: LogTable, map: LogColumns, credit?: Credit): Steps<LogFile> {
  const entries: LogEntry[] = [];
  let unreadable = 0;
  let hasZone = true;
  for (const row of rows) {
    yield;
    const cell = (column: string | undefined) =>
      column === undefined ? '' : (row[columns.indexOf(column)]?.trim() ?? '');
    const countIn = (column: string | undefined) =>
      amountUpTo(moneyIn(cell(column).replaceAll(',', ''))?.number, mostOfCall);
    const type = cell(map.kind);
    const kind = kinds.has(type) ? kinds.get(type) : 'charge';
    const model = cell(map.model);
    if (kind === undefined || model === '' || (map.keyName !== undefined && cell(map.key) !== map.keyName)) {
      continue;
    }
    const time = timeOf(cell(map.at));
    const money = moneyIn(cell(map.amount) === '' && kind === 'error' ? '0' : cell(map.amount));
    const unit = money?.currency ?? map.unit;
    const isOfSite = credit !== undefined && (unit === siteUnit || unit === 'USD');
    const factor = (isOfSite ? credit.factor : 1) / (money?.currency === undefined ? map.perUnit : 1);
    const charged = money && (kind === 'refund' ? Math.abs(money.number) : money.number) * factor;
    const amount = amountUpTo(charged, mostOfCall);
    if (time === undefined || amount === undefined) {
      unreadable++;
      continue;
    }
    hasZone &&= time.hasZone;
    entries.push({
      at: time.at,
      kind,
      model,
      charged: { amount, unit: isOfSite ? credit.unit : unit },
      requestId: cell(map.requestId) || undefined,
      group: cell(map.group) || undefined,
      promptTokens: countIn(map.promptTokens),
      completionTokens: countIn(map.completionTokens),
      cachedTokens: countIn(map.cachedTokens),
    });
  }
  return { entries, unreadable, hasZone };
}

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
    /^(\d{4})[-/.年](\d\d?)[-/.月](\d\d?)日?[T ]*(\d\d?:\d\d)(:\d\d(?:\.\d+)?)? ?(Z|UTC|[+-]\d\d:?\d\d)?$/.exec(cell) ??
    [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${time.padStart(5, '0')}${seconds}`;
  const at = Date.parse(`${date}${zone === '' || zone === 'UTC' ? 'Z' : zone}`);
  return Number.isFinite(at) ? { at, hasZone: zone !== '' } : undefined;
}

const currencies = new Map([
  ['$', 'USD'],
  ['US$', 'USD'],
  ['USD', 'USD'],
  ['¥', 'CNY'],
  ['￥', 'CNY'],
  ['元', 'CNY'],
  ['CNY', 'CNY'],
  ['€', 'EUR'],
  ['EUR', 'EUR'],
]);

/**
 * The number of a cell, and the currency that it names, if any. With a comma, which stands for thousands in one language and
 * for a decimal point in another, it is unknown.
 */
function moneyIn(cell: string): { readonly number: number; readonly currency: string | undefined } | undefined {
  const text = cell.slice(0, maxChars + 1);
  const [, before = '', digits, after = ''] =
    /^([^\d.,+-]{0,8})([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([^\d.,+-]{0,8})$/i.exec(text) ?? [];
  return digits === undefined
    ? undefined
    : { number: Number(digits), currency: currencies.get((before + after).trim()) };
}
