import { knownCost } from '../../reply/cost.ts';
import type { CountedCall } from '../usageTotals.ts';

export type ExportFormat = 'csv' | 'json';

/** The person's connection of a call; without a host if it was removed. */
type NamedConnection = { readonly name: string; readonly host?: string };

/** The text of a file with calls, as CSV (RFC 4180, with heads) or JSON (an array of objects). */
export function exportText(
  format: ExportFormat,
  calls: readonly CountedCall[],
  connectionOf: (id: string) => NamedConnection,
): string {
  const rows = calls.map((call) => rowOf(call, connectionOf(call.connection)));
  if (format === 'json') {
    return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`;
  }
  return `${[columns, ...rows.map((row) => columns.map((column) => csvCell(row[column])))].join('\r\n')}\r\n`;
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

function rowOf(call: CountedCall, { name, host }: NamedConnection): Row {
  const { usage, state } = call;
  const cost = knownCost(call);
  return {
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
