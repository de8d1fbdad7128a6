import * as l10n from '@vscode/l10n';
import { numberText } from '../../base/localization.ts';
import { isRecord, type LooseRecord, parseJson } from '../../base/loose.ts';

/** A usage log exported from a gateway's console. Of CSV, all cells are text. */
export type LogTable = { readonly columns: readonly string[]; readonly rows: readonly LooseRecord[] };

/** Larger files need not be read. */
export const maxLogBytes = 32 * 1024 * 1024;
const maxRows = 200_000;
/** Lists and objects of a file: several for each row. */
const maxParts = 5 * maxRows;
const maxColumns = 200;
/** The rows that show which columns there are. */
const sampleRows = 100;

/**
 * Reads a log exported as CSV, or as JSON: a list, also as `data`, `items` or `logs` of an object.
 *
 * @param name of the file, for the problem: sentences that say why it can't be imported and what to do.
 */
export function readLogFile(name: string, text: string): LogTable | { readonly problem: string } {
  const tooLarge = l10n.t(
    '{0} is too large. Export a shorter period: at most 32 MB and {1} rows can be imported.',
    name,
    numberText(maxRows),
  );
  const start = text.slice(0, 1_000);
  const isJson = /^\s*[[{]/.test(start);
  // Millions of lists and objects would take gigabytes, however small they are.
  if (text.length > maxLogBytes || (isJson && text.split(/[[{]/, maxParts).length === maxParts)) {
    return { problem: tooLarge };
  }
  if (/[\0\ufffd]/.test(start)) {
    return {
      problem: l10n.t("{0} isn't UTF-8 text. Export the log as CSV or JSON, or save the table as CSV UTF-8.", name),
    };
  }
  const [header = [], ...cells] = isJson ? [] : csvRows(text);
  const rows = isJson
    ? jsonRows(parseJson(text))
    : // Only the cells that a row has: a header may name columns that none does.
      cells.map((row) => Object.fromEntries(row.slice(0, header.length).map((cell, at) => [header[at] ?? '', cell])));
  if (rows && rows.length > maxRows) {
    return { problem: tooLarge };
  }
  const columns = isJson ? [...new Set(rows?.slice(0, sampleRows).flatMap(Object.keys))].slice(0, maxColumns) : header;
  if (rows === undefined || (columns.length < 3 && rows.length + columns.length > 0)) {
    return {
      problem: l10n.t("{0} isn't a usage log. Export the list of calls with their dates as CSV or JSON.", name),
    };
  }
  return rows.length > 0
    ? { columns, rows }
    : { problem: l10n.t('{0} contains no calls. Export a period that has calls.', name) };
}

/** The objects of a list, wherever it is; undefined without one. */
function jsonRows(value: unknown): LooseRecord[] | undefined {
  let list = value;
  while (isRecord(list)) {
    list = list.data ?? list.items ?? list.logs;
  }
  return Array.isArray(list) ? list.filter(isRecord) : undefined;
}

/** The rows of comma, semicolon or tab separated values (RFC 4180), without blank ones. Cells are text as they are. */
export function* csvRows(text: string): Generator<string[]> {
  const delimiter = delimiterOf(text);
  const ends = new RegExp(`[${delimiter}\\r\\n]`, 'g');
  let row: string[] = [];
  let rows = 0;
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  // With the header, one row more than can be imported shows that there are too many.
  for (let isLast = false; !isLast && rows < maxRows + 2; ) {
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
        rows++;
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
