import type { Steps } from '../../base/runInSlices.ts';
import type { CountedCall } from '../usageTotals.ts';
import type { TallyPorts } from './usageTally.ts';

export type ExportFacts = TallyPorts & {
  /** The name and the host of a connection; the host is unknown if it was removed. */
  readonly connection: (id: string) => { readonly name: string; readonly host?: string | undefined };
};

/** The texts of a file with calls, one row each, as CSV (RFC 4180, with heads) or JSON (an array of objects). */
export function* exportCalls(format: 'csv' | 'json', calls: readonly CountedCall[], facts: ExportFacts): Steps<string> {
  const rows: string[] = [];
  for (const call of calls) {
    yield;
    const row = rowOf(call, facts);
    rows.push(format === 'json' ? JSON.stringify(row) : Object.values(row).map(csvCell).join(','));
  }
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

function rowOf(call: CountedCall, { connection, costOf, stateOf }: ExportFacts): Row {
  const { usage } = call;
  const { name, host } = connection(call.connection);
  const cost = costOf(call);
  return {
    time: new Date(call.at).toISOString(),
    connection: name,
    host,
    model: call.model,
    caller: call.caller,
    state: stateOf(call),
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
