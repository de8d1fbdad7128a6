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
  const rows = calls.map((call) => {
    const connection = connectionOf(call.connection);
    return Object.entries(columns).map(([name, cellOf]) => [name, cellOf(call, connection)] as const);
  });
  if (format === 'json') {
    return `[\n${rows.map((row) => JSON.stringify(Object.fromEntries(row))).join(',\n')}\n]\n`;
  }
  const lines = rows.map((row) => row.map(([, cell]) => csvCell(cell)));
  return `${[Object.keys(columns), ...lines].join('\r\n')}\r\n`;
}

type Cell = string | number | undefined;

/** The columns, each with its cell of a call. */
const columns: Readonly<Record<string, (call: CountedCall, connection: NamedConnection) => Cell>> = {
  time: ({ at }) => new Date(at).toISOString(),
  connection: (_, { name }) => name,
  host: (_, { host }) => host,
  model: ({ model }) => model,
  caller: ({ caller }) => caller,
  state: ({ state }) => state,
  inputTokens: ({ usage }) => usage?.promptTokens,
  cachedTokens: ({ usage }) => usage?.cachedTokens,
  outputTokens: ({ usage }) => usage?.completionTokens,
  reasoningTokens: ({ usage }) => usage?.reasoningTokens,
  cost: (call) => knownCost(call)?.amount,
  unit: (call) => knownCost(call)?.unit,
  source: (call) => knownCost(call)?.source,
  requestId: ({ requestId }) => requestId,
  conversationId: ({ conversation }) => conversation,
};

/**
 * A spreadsheet would run a text that begins like a formula, also after blanks or after what it takes for the end of a
 * cell; an apostrophe before it makes it a text.
 */
function csvCell(value: Cell): string {
  if (typeof value !== 'string') {
    return value === undefined ? '' : String(value);
  }
  const text = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]|[,;|\t\r\n]\s*[=+\-@＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
