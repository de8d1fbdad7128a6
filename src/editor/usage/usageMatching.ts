import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Accounts, TokenLogAnswer } from '../../core/account/accounts.ts';
import {
  type CallLog,
  entriesOf,
  hasColumns,
  knownColumns,
  type LogColumns,
  logColumns,
  quotaPerDollar,
} from '../../core/account/logEntries.ts';
import type { Clock } from '../../core/base/clock.ts';
import { Emitter } from '../../core/base/lifetime.ts';
import { numberText, sentences } from '../../core/base/localization.ts';
import { textOf } from '../../core/base/loose.ts';
import { siteUnit } from '../../core/base/money.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { advice, adviceText } from '../../core/errors/advice.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import { type LogTable, maxLogBytes, readLogFile } from '../../core/usage/receipts/logFile.ts';
import { type MatchResult, matchLog, receiptsOf, withOffset } from '../../core/usage/receipts/matchLog.ts';
import { showErrorMessage, showInformationMessage, withCancellableProgress } from '../ui/messages.ts';
import { pickRow, type Row } from '../ui/quickPick.ts';
import type { Remembered } from '../ui/remembered.ts';

/** How far a call and its line may be apart: a file may have times of any time zone. */
const aroundMs = 15 * 60 * 60_000;

/** Why a log wasn't read. */
type Unread = Exclude<TokenLogAnswer, { status: 'read' }>;

/** See `openUsageMatching`. */
export type UsageMatching = ReturnType<typeof openUsageMatching>;

/**
 * Compares the record of paid calls with logs of gateways, and records what was charged. Lives as long as the ledger.
 *
 * @param remembered has the columns of the log that was last imported for a connection, and the ratio of its key's group.
 */
export function openUsageMatching(
  ledger: Ledger,
  clock: Clock,
  connections: Pick<Connections, 'find' | 'change'>,
  remembered: Pick<Remembered, 'ofConnections'>,
  accounts: Pick<Accounts, 'log'>,
) {
  const didChange = new Emitter<void>();
  /** Fires when there is a new result, and when the results were forgotten. */
  const onDidChange = didChange.event;
  /** The last one of each connection, in this session and since calls were last removed. */
  const results = new Map<string, MatchResult>();
  const reading = new Set<string>();

  ledger.onDidClear(() => {
    results.clear();
    didChange.fire();
  });

  function resultOf(connection: string): MatchResult | undefined {
    return results.get(connection);
  }

  /**
   * *Match with the Gateway's Log*. The gateway is asked only once at a time. A notification that wasn't answered doesn't
   * count, because VS Code hides it after some seconds: the next click shows it again.
   */
  async function match(connection: string): Promise<void> {
    if (reading.has(connection)) {
      return;
    }
    reading.add(connection);
    const answer = await matchOnce(connection).finally(() => reading.delete(connection));
    if (answer !== undefined && answer.status !== 'read') {
      await tellFailure(connection, answer);
    }
  }

  /** *Import a Log…*: asks what the columns of a file mean unless it is known. That is remembered for the connection. */
  async function importLog(connection: string): Promise<void> {
    const file = await openLog();
    if (file === undefined) {
      return;
    }
    const { name, table } = file;
    const columnsOf = remembered.ofConnections('logColumns');
    for (let asksAll = false; ; asksAll = true) {
      const stored = z.safeParse(logColumns, columnsOf.read(connection)).data;
      const usual = stored && hasColumns(table.columns, stored) ? stored : knownColumns(table.columns);
      const known = asksAll ? undefined : usual;
      const title = l10n.t('Import {0}', name);
      const asked = known ?? (await askColumns(title, table));
      const columns = asked && (await askKey(title, table, asked));
      if (columns === undefined) {
        return;
      }
      await columnsOf.write(connection, columns);
      await compare(connection, entriesOf(table.rows, columns, connections.find(connection)?.creditUnit), name);
      const choose = l10n.t('Choose Columns…');
      const assumed = l10n.t(
        'The model was read from the column "{0}", and what was charged from "{1}".',
        columns.model,
        columns.amount,
      );
      if (columns !== known || (await showInformationMessage(assumed, choose)) !== choose) {
        return;
      }
    }
  }

  /** @returns the gateway's answer; undefined when the person cancelled. */
  async function matchOnce(connection: string): Promise<TokenLogAnswer | undefined> {
    const title = l10n.t("Reading the gateway's log");
    const answer = await withCancellableProgress(title, (signal) => accounts.log(connection, signal));
    if (answer?.status === 'read') {
      await compare(connection, answer);
    }
    return answer;
  }

  async function tellFailure(connection: string, answer: Unread): Promise<void> {
    const importFile = l10n.t('Import a Log…');
    const turnOn = l10n.t('Turn On and Match');
    const reason = failureText(answer, connections.find(connection)?.url.host ?? connection);
    const chosen = await (answer.status === 'notAllowed'
      ? showInformationMessage(reason, turnOn, importFile)
      : showErrorMessage(reason, importFile));
    if (chosen === turnOn) {
      await connections.change({ id: connection }, { probes: true });
      await match(connection);
    } else if (chosen === importFile) {
      await importLog(connection);
    }
  }

  /** @param file the name of the file that has the log; undefined for what the gateway answered. */
  async function compare(connection: string, { entries, unreadable, hasZone }: CallLog, file?: string): Promise<void> {
    const now = clock.now();
    const times = entries.map(({ at }) => at);
    const from = times.reduce((one, other) => Math.min(one, other), now) - aroundMs;
    const to = times.reduce((one, other) => Math.max(one, other), file === undefined ? now : 0) + aroundMs;
    const { calls: all } = await ledger.callsBetween(from, to);
    const calls = all.filter((call) => call.connection === connection && call.state !== 'running');
    const readAt = file === undefined ? now : undefined;
    const match = matchLog(calls, withOffset(entries, calls, hasZone), { from, to, readAt });
    await ledger.receive(receiptsOf(match, now));
    results.set(connection, { ...match, at: now, file, unreadable });
    if (match.groupRatio !== undefined) {
      await remembered.ofConnections('groupRatio').write(connection, match.groupRatio);
    }
    didChange.fire();
  }

  return { resultOf, match, importLog, onDidChange };
}

/** Why the log of the gateway could not be read, and what to do. */
function failureText(answer: Unread, host: string): string {
  const exported = l10n.t("Export the log in the gateway's console and import it.");
  switch (answer.status) {
    case 'noKey':
      return l10n.t('There is no key for this connection.');
    case 'notAllowed':
      return l10n.t('"Read Balance, Prices, and Log" is off for this connection, so {0} was not asked.', host);
    case 'notOffered':
      return sentences(l10n.t("{0} doesn't offer its log to keys, or none that can be read.", host), exported);
    case 'failed':
      return adviceText(advice(answer.problem, { host }));
  }
}

/** Lets the person choose a log that was exported from a gateway's console. */
async function openLog(): Promise<{ readonly name: string; readonly table: LogTable } | undefined> {
  const title = l10n.t('Import a Log Exported from the Console');
  const filters = { 'CSV, JSON': ['csv', 'tsv', 'txt', 'json'] };
  const [uri] = (await vscode.window.showOpenDialog({ title, filters, canSelectMany: false })) ?? [];
  if (uri === undefined) {
    return undefined;
  }
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const { size } = await vscode.workspace.fs.stat(uri);
  // A file that is larger is refused by its length, so it need not be read to its end.
  const bytes = size > maxLogBytes ? new Uint8Array(maxLogBytes + 1) : await vscode.workspace.fs.readFile(uri);
  const table = readLogFile(name, new TextDecoder().decode(bytes));
  if ('problem' in table) {
    void showErrorMessage(table.problem);
    return undefined;
  }
  return { name, table };
}

const sampleRows = 20;
const mostNames = 200;

/** Asks the person what the columns of a log mean. @returns undefined when the person cancelled. */
async function askColumns(title: string, table: LogTable): Promise<LogColumns | undefined> {
  const named = table.columns.map((label) => {
    return { label, description: textsOf(table.rows.slice(0, sampleRows), label).join(', '), value: label };
  });
  const asked: { [Role in keyof LogColumns]?: string | undefined } = {};
  for (const [role, placeholder, isNeeded] of [
    ['at', l10n.t('Which column has the date and time?'), true],
    ['model', l10n.t('Which column has the model?'), true],
    ['amount', l10n.t('Which column has what was charged?'), true],
    ['promptTokens', l10n.t('Which column has the input tokens?'), false],
    ['completionTokens', l10n.t('Which column has the output tokens?'), false],
    ['requestId', l10n.t('Which column has the request ID?'), false],
  ] as const) {
    const none = isNeeded ? [] : [{ label: l10n.t('None'), value: '' }];
    const column = await pick(title, placeholder, [...named, ...none]);
    if (column === undefined) {
      return undefined;
    }
    asked[role] = column === '' ? undefined : column;
  }
  const { at = '', model = '', amount = '', promptTokens, completionTokens, requestId } = asked;
  const quota = l10n.t('Quota, of which {0} are one site unit', numberText(quotaPerDollar));
  const unit = await pick(title, l10n.t('What are the amounts in the column "{0}"?', amount), [
    { label: quota, value: { unit: siteUnit, perUnit: quotaPerDollar } },
    { label: l10n.t('Site units'), value: { unit: siteUnit, perUnit: 1 } },
    ...['USD', 'CNY', 'EUR'].map((unit) => ({ label: unit, value: { unit, perUnit: 1 } })),
  ]);
  return unit && { at, model, amount, ...unit, promptTokens, completionTokens, requestId };
}

/** Asks which key of the log the connection uses, if it has several. A remembered one may have another name by now. */
async function askKey(title: string, { rows }: LogTable, columns: LogColumns): Promise<LogColumns | undefined> {
  const { key, keyName } = columns;
  const names = key === undefined ? [] : textsOf(rows, key);
  if (names.length <= (keyName === undefined ? 1 : 0) || names.includes(keyName ?? '')) {
    return columns;
  }
  const placeholder = l10n.t('Which key in the log does this connection use?');
  const options = names.map((label) => ({ label, value: label }));
  const picked = await pick(title, placeholder, options);
  return picked === undefined ? undefined : { ...columns, keyName: picked };
}

async function pick<T>(title: string, placeholder: string, rows: readonly Row<T>[]): Promise<T | undefined> {
  return (await pickRow({ title, placeholder, rows })).value;
}

/** The different texts of a column. */
function textsOf(rows: LogTable['rows'], column: string): string[] {
  return [...new Set(rows.flatMap((row) => textOf(row[column])?.trim() ?? []))].slice(0, mostNames);
}
