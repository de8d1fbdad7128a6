import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LogEntry } from '../../core/account/logEntry.ts';
import type { Clock } from '../../core/base/clock.ts';
import { numberText } from '../../core/base/localization.ts';
import { siteUnit } from '../../core/base/money.ts';
import { runInSlices } from '../../core/base/runInSlices.ts';
import type { Credit } from '../../core/connections/creditUnit.ts';
import type { ColumnMemory } from '../../core/usage/receipts/columnMemory.ts';
import { type LogTable, maxLogBytes, readLogFile } from '../../core/usage/receipts/importLog.ts';
import { type ColumnMap, entriesOf, mapKey, proposeColumns, withCredit } from '../../core/usage/receipts/logColumns.ts';
import { showErrorMessage } from '../ui/messages.ts';
import { pickRow } from '../ui/pickRow.ts';

/** A log that was exported from a gateway's console. */
export type LogFile = {
  readonly name: string;
  readonly entries: readonly LogEntry[];
  /** Whether the times have a zone; otherwise they were read as UTC. */
  readonly hasZone: boolean;
  /** Lines that could not be read. */
  readonly unreadable: number;
  /** What the columns were taken for, as a sentence, if the person was not asked. */
  readonly assumed?: string;
  /** Reads the same file again, after asking for all columns. */
  readonly askAgain: () => Promise<LogFile | undefined>;
};

/** Quota that is one dollar of a site of the new-api family, unless the site changes it (wire section 5). */
const quotaPerDollar = 500_000;
const sampleRows = 20;

/**
 * Lets the person choose a file, and asks what its columns mean where that can't be recognized. That is remembered for
 * files with the same columns.
 *
 * @param credit what a dollar of the site is worth, if the person stated it.
 * @returns undefined when the person cancelled or the file was refused.
 */
export async function askLogFile(
  connection: string,
  memory: ColumnMemory,
  clock: Clock,
  credit?: Credit,
): Promise<LogFile | undefined> {
  const title = l10n.t('Import a Log Exported from the Console');
  const filters = { 'CSV, JSON': ['csv', 'tsv', 'txt', 'json', 'jsonl'] };
  const [uri] = (await vscode.window.showOpenDialog({ title, filters, canSelectMany: false })) ?? [];
  if (uri === undefined) {
    return undefined;
  }
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const table = await readTable(uri, name, clock);
  if ('problem' in table) {
    void showErrorMessage(table.problem);
    return undefined;
  }
  const read = async (asksAll: boolean): Promise<LogFile | undefined> => {
    const found = await askColumns(l10n.t('Import {0}', name), connection, table, memory, asksAll);
    return (
      found && {
        name,
        hasZone: found.map.timeFormat !== 'local',
        ...(await runInSlices(clock, entriesOf(table.rows, withCredit(found.map, credit)))),
        assumed: found.assumed,
        askAgain,
      }
    );
  };
  const askAgain = () => read(true);
  return read(false);
}

async function readTable(
  uri: vscode.Uri,
  name: string,
  clock: Clock,
): Promise<LogTable | { readonly problem: string }> {
  const { size } = await vscode.workspace.fs.stat(uri);
  // A file that is larger is refused by its length, so it need not be read to its end.
  const bytes = size > maxLogBytes ? new Uint8Array(maxLogBytes + 1) : await vscode.workspace.fs.readFile(uri);
  return runInSlices(clock, readLogFile(name, new TextDecoder().decode(bytes)));
}

async function askColumns(
  title: string,
  connection: string,
  table: LogTable,
  memory: ColumnMemory,
  asksAll: boolean,
): Promise<{ readonly map: ColumnMap; readonly assumed: string | undefined } | undefined> {
  const { columns, rows } = table;
  const key = mapKey(columns);
  const proposed = proposeColumns(columns, rows);
  const { at, timeFormat, currency, unit: proposedUnit, perUnit: proposedPerUnit } = proposed;
  const remembered = memory.read(connection, key);
  const known: { readonly [Name in keyof ColumnMap]?: ColumnMap[Name] | undefined } = {
    ...proposed,
    ...remembered,
    // The unit of an earlier log says nothing about amounts in another currency.
    ...(remembered?.currency !== currency && { unit: proposedUnit, perUnit: proposedPerUnit }),
    ...(asksAll && { model: undefined, amount: undefined, unit: undefined, keyName: undefined }),
  };
  const map: { -readonly [Name in keyof ColumnMap]?: ColumnMap[Name] | undefined } = { ...known };
  if (at === undefined || timeFormat === undefined) {
    return undefined;
  }
  map.model ??= await askColumn(title, l10n.t('Which column has the model?'), table);
  if (map.model === undefined) {
    return undefined;
  }
  map.amount ??= await askColumn(title, l10n.t('Which column has what was charged?'), table);
  if (map.amount === undefined) {
    return undefined;
  }
  if (map.unit === undefined || map.perUnit === undefined) {
    const unit = await askUnit(title, columns[map.amount] ?? '');
    if (unit === undefined) {
      return undefined;
    }
    Object.assign(map, unit);
  }
  const keys = map.key === undefined ? [] : namesOf(rows, map.key);
  // A remembered key may have another name by now.
  if (keys.length > (map.keyName === undefined ? 1 : 0) && !keys.includes(map.keyName ?? '')) {
    map.keyName = await ask(title, l10n.t('Which key in the log does this connection use?'), keys);
    if (map.keyName === undefined) {
      return undefined;
    }
  }
  const { model, amount, unit = siteUnit, perUnit = 1 } = map;
  const complete = { ...map, at, timeFormat, model, amount, unit, perUnit, currency };
  await memory.write(connection, key, complete);
  const isAsked = (['model', 'amount', 'unit', 'keyName'] as const).some((each) => map[each] !== known[each]);
  const columnsText = l10n.t(
    'The model was read from the column "{0}", and what was charged from "{1}".',
    columns[model] ?? '',
    columns[amount] ?? '',
  );
  // Cells of another column may name another currency.
  const read = amount === proposed.amount ? complete : { ...complete, currency: undefined };
  return { map: read, assumed: isAsked ? undefined : columnsText };
}

/** Asks for a column by its name, with its first values. */
async function askColumn(title: string, placeholder: string, { columns, rows }: LogTable): Promise<number | undefined> {
  const outcome = await pickRow({
    title,
    placeholder,
    rows: columns.map((label, value) => ({
      label,
      description: namesOf(rows.slice(0, sampleRows), value).join(', '),
      value,
    })),
  });
  return outcome.status === 'picked' ? outcome.value : undefined;
}

async function askUnit(title: string, column: string): Promise<Pick<ColumnMap, 'unit' | 'perUnit'> | undefined> {
  const quota = l10n.t('Quota, of which {0} are one site unit', numberText(quotaPerDollar));
  const outcome = await pickRow({
    title,
    placeholder: l10n.t('What are the amounts in the column "{0}"?', column),
    rows: [
      { label: quota, value: { unit: siteUnit, perUnit: quotaPerDollar } },
      { label: l10n.t('Site units'), value: { unit: siteUnit, perUnit: 1 } },
      { label: 'USD', value: { unit: 'USD', perUnit: 1 } },
      { label: 'CNY', value: { unit: 'CNY', perUnit: 1 } },
      { label: 'EUR', value: { unit: 'EUR', perUnit: 1 } },
    ],
  });
  return outcome.status === 'picked' ? outcome.value : undefined;
}

async function ask(title: string, placeholder: string, values: readonly string[]): Promise<string | undefined> {
  const outcome = await pickRow({ title, placeholder, rows: values.map((value) => ({ label: value, value })) });
  return outcome.status === 'picked' ? outcome.value : undefined;
}

/** The different texts of a column. */
function namesOf(rows: LogTable['rows'], column: number): string[] {
  return [...new Set(rows.map((row) => row[column]?.trim() ?? ''))].filter((name) => name !== '').slice(0, 200);
}
