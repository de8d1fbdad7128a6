import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Clock } from '../../core/base/clock.ts';
import { numberText } from '../../core/base/localization.ts';
import { siteUnit } from '../../core/base/money.ts';
import { runInSlices } from '../../core/base/runInSlices.ts';
import type { Credit } from '../../core/connections/consoleSettings.ts';
import {
  entriesOf,
  hasColumns,
  knownColumns,
  type LogColumns,
  type LogFile,
  type LogTable,
  logColumns,
  maxLogBytes,
  quotaPerDollar,
  readLogFile,
} from '../../core/usage/receipts/logFile.ts';
import { showErrorMessage } from '../ui/messages.ts';
import { pickRow, type Row } from '../ui/quickPick.ts';

/** A log that was exported from a gateway's console. */
export type ImportedLog = LogFile & {
  readonly name: string;
  /** What the columns were taken for, as a sentence, if the person was not asked. */
  readonly assumed?: string;
  /** Reads the same file again, after asking for all columns. */
  readonly askAgain: () => Promise<ImportedLog | undefined>;
};

/** What the columns of a connection's last log mean; a stored value may be of any type. */
export type ColumnMemory = { read(): unknown; write(columns: object): PromiseLike<void> };

const sampleRows = 20;
const mostNames = 200;

/**
 * Lets the person choose a file, and asks what its columns mean unless it is known. That is remembered for the connection.
 *
 * @param credit what a dollar of the site is worth, if the person stated it.
 * @returns undefined when the person cancelled or the file was refused.
 */
export async function askLogFile(
  memory: ColumnMemory,
  clock: Clock,
  credit?: Credit,
): Promise<ImportedLog | undefined> {
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
  const ask = new ColumnQuestions(l10n.t('Import {0}', name), table);
  const read = async (asksAll: boolean): Promise<ImportedLog | undefined> => {
    const stored = z.safeParse(logColumns, memory.read()).data;
    const remembered = stored && hasColumns(table.columns, stored) ? stored : undefined;
    const known = asksAll ? undefined : (remembered ?? knownColumns(table.columns));
    const asked = known ?? (await ask.columns());
    const columns = asked && (await ask.key(asked));
    if (columns === undefined) {
      return undefined;
    }
    await memory.write(columns);
    const assumed = l10n.t(
      'The model was read from the column "{0}", and what was charged from "{1}".',
      columns.model,
      columns.amount,
    );
    return {
      name,
      ...(await runInSlices(clock, entriesOf(table, columns, credit))),
      assumed: columns === known ? assumed : undefined,
      askAgain: () => read(true),
    };
  };
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

/** Asks the person what the columns of a log mean. */
class ColumnQuestions {
  readonly #title: string;
  readonly #table: LogTable;

  constructor(title: string, table: LogTable) {
    this.#title = title;
    this.#table = table;
  }

  /** @returns undefined when the person cancelled. */
  async columns(): Promise<LogColumns | undefined> {
    const asked: { [Role in keyof LogColumns]?: string | undefined } = {};
    for (const [role, placeholder, isNeeded] of [
      ['at', l10n.t('Which column has the date and time?'), true],
      ['model', l10n.t('Which column has the model?'), true],
      ['amount', l10n.t('Which column has what was charged?'), true],
      ['promptTokens', l10n.t('Which column has the input tokens?'), false],
      ['completionTokens', l10n.t('Which column has the output tokens?'), false],
      ['requestId', l10n.t('Which column has the request ID?'), false],
    ] as const) {
      const column = await this.#column(placeholder, isNeeded);
      if (column === undefined) {
        return undefined;
      }
      asked[role] = column === '' ? undefined : column;
    }
    const { at = '', model = '', amount = '', promptTokens, completionTokens, requestId } = asked;
    const unit = await this.#unit(amount);
    return unit && { at, model, amount, ...unit, promptTokens, completionTokens, requestId };
  }

  /** Asks which key of the log the connection uses, if it has several. A remembered one may have another name by now. */
  async key(columns: LogColumns): Promise<LogColumns | undefined> {
    const { key, keyName } = columns;
    const names = key === undefined ? [] : this.#textsOf(key, this.#table.rows);
    if (names.length <= (keyName === undefined ? 1 : 0) || names.includes(keyName ?? '')) {
      return columns;
    }
    const placeholder = l10n.t('Which key in the log does this connection use?');
    const picked = await this.#pick(
      placeholder,
      names.map((label) => ({ label, value: label })),
    );
    return picked === undefined ? undefined : { ...columns, keyName: picked };
  }

  /** Asks for a column by its name, with its first values. @returns an empty text when the log has none. */
  #column(placeholder: string, isNeeded: boolean): Promise<string | undefined> {
    const { columns, rows } = this.#table;
    const named = columns.map((name) => ({
      label: name,
      description: this.#textsOf(name, rows.slice(0, sampleRows)).join(', '),
      value: name,
    }));
    return this.#pick(placeholder, [...named, ...(isNeeded ? [] : [{ label: l10n.t('None'), value: '' }])]);
  }

  #unit(column: string): Promise<Pick<LogColumns, 'unit' | 'perUnit'> | undefined> {
    const quota = l10n.t('Quota, of which {0} are one site unit', numberText(quotaPerDollar));
    return this.#pick(l10n.t('What are the amounts in the column "{0}"?', column), [
      { label: quota, value: { unit: siteUnit, perUnit: quotaPerDollar } },
      { label: l10n.t('Site units'), value: { unit: siteUnit, perUnit: 1 } },
      ...['USD', 'CNY', 'EUR'].map((unit) => ({ label: unit, value: { unit, perUnit: 1 } })),
    ]);
  }

  async #pick<T>(placeholder: string, rows: readonly Row<T, never>[]): Promise<T | undefined> {
    const outcome = await pickRow({ title: this.#title, placeholder, rows });
    return outcome.status === 'picked' ? outcome.value : undefined;
  }

  /** The different texts of a column. */
  #textsOf(column: string, rows: LogTable['rows']): string[] {
    const index = this.#table.columns.indexOf(column);
    const texts = new Set(rows.map((row) => row[index]?.trim() ?? ''));
    return [...texts].filter((text) => text !== '').slice(0, mostNames);
  }
}
