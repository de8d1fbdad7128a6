import { knownCost } from '../../reply/cost.ts';
import type { CallState, CountedCall } from '../usageTotals.ts';

export type ExportFormat = 'csv' | 'json';

/** The text of a file with calls, as CSV (RFC 4180, with heads) or JSON (an array of objects). @param rows see `exportRow`. */
export function exportText(format: ExportFormat, rows: readonly string[]): string {
  return format === 'json' ? `[\n${rows.join(',\n')}\n]\n` : `${[columns.join(','), ...rows].join('\r\n')}\r\n`;
}

const columns = [
  'time',
  'connection',
  'host',
  'model',
  'caller',
  'state',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'reasoningTokens',
  'cost',
  'unit',
  'source',
  'requestId',
  'conversationId',
] as const;

type Row = Readonly<Record<(typeof columns)[number], string | number | undefined>>;

/** A call as a row of a file. @param host unknown if the connection was removed. */
export function exportRow(
  format: ExportFormat,
  call: CountedCall,
  state: CallState,
  { name, host }: { readonly name: string; readonly host?: string },
): string {
  const { usage } = call;
  const cost = knownCost(call);
  const row: Row = {
    time: new Date(call.at).toISOString(),
    connection: name,
    host,
    model: call.model,
    caller: call.caller,
    state,
    inputTokens: usage?.promptTokens,
    cachedTokens: usage?.cachedTokens,
    outputTokens: usage?.completionTokens,
    reasoningTokens: usage?.reasoningTokens,
    cost: cost?.amount,
    unit: cost?.unit,
    source: cost?.source,
    requestId: call.requestId,
    conversationId: call.conversation,
  };
  return format === 'json' ? JSON.stringify(row) : Object.values(row).map(csvCell).join(',');
}

/**
 * A spreadsheet would run a text that begins like a formula, also after blanks or after what it takes for the end of a
 * cell; an apostrophe before it makes it a text.
 */
function csvCell(value: string | number | undefined): string {
  if (typeof value !== 'string') {
    return value === undefined ? '' : String(value);
  }
  const text = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]|[,;|\t\r\n]\s*[=+\-@＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
