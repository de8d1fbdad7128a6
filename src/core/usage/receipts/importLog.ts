import * as l10n from '@vscode/l10n';
import { numberText } from '../../base/localization.ts';
import { isRecord, type LooseRecord, parseJson, textOf } from '../../base/loose.ts';
import type { Steps } from '../../base/runInSlices.ts';
import { csvRows, maxColumns } from './csvRows.ts';
import { sampleOf, timeFormatOf } from './logCells.ts';

/** A usage log exported from a gateway's console. Cells are text; a row may have fewer or more of them than columns. */
export type LogTable = { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** Larger files need not be read. */
export const maxLogBytes = 32 * 1024 * 1024;
const maxRows = 200_000;
/** A small file can have many short rows with different fields, which would make a huge table: it has fewer columns then. */
const maxCells = 4_000_000;

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
  if (columns.every((_, index) => timeFormatOf(sampleOf(rows, index)) === undefined)) {
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
