import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentences } from '../../core/base/localization.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { GatewayError } from '../../core/errors/gatewayProblem.ts';
import { showErrorMessage, showInformationMessage, withCancellableProgress } from '../ui/messages.ts';
import { pickRow } from '../ui/quickPick.ts';
import { type CheckKey, problemText } from './askKey.ts';
import { whyNotReady } from './findSender.ts';

export type CompareDeps = {
  readonly connections: Connections;
  readonly check: CheckKey;
};

/** *Compare Models of Two Keys*: reads both model lists again, without cost, and shows their ids in the diff editor. */
export async function compareConnections(deps: CompareDeps, first: Connection): Promise<void> {
  const others = deps.connections.all.filter(({ id }) => id !== first.id);
  if (others.length === 0) {
    void showInformationMessage(
      l10n.t('There is only one connection. Connect with another key first, to the same gateway or a different one.'),
    );
    return;
  }
  const outcome = await pickRow<Connection>({
    title: l10n.t('Compare {0} With', first.name),
    placeholder: l10n.t('Select a connection. Both model lists are read again, free of charge.'),
    rows: others.map((each) => ({
      value: each,
      label: each.name,
      description: each.url.base,
      detail: each.note,
    })),
  });
  if (outcome.status !== 'picked') {
    return;
  }
  const second = outcome.value;
  const lists = await withCancellableProgress(
    l10n.t('Reading the models of {0} and {1}…', first.name, second.name),
    (signal) => Promise.all([read(deps, first, signal), read(deps, second, signal)]),
  );
  const [a, b] = lists ?? [];
  if (a !== undefined && b !== undefined) {
    await showDifferences(first, a, second, b);
  }
}

async function showDifferences(first: Connection, a: string, second: Connection, b: string): Promise<void> {
  const scheme = 'ask-model-lists';
  const side = ({ id, name }: Connection) =>
    vscode.Uri.from({ scheme, path: `/${name.replaceAll('/', '-')}`, query: id });
  const title = l10n.t('Models: {0} ↔ {1}', labelOf(first), labelOf(second));
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ query }) => (query === first.id ? a : b),
  });
  try {
    await vscode.commands.executeCommand('vscode.diff', side(first), side(second), title, { preview: true });
  } finally {
    provider.dispose();
  }
}

function labelOf({ name, url }: Connection): string {
  return `${name} (${new URL(url.base).host})`;
}

/** The ids of the models that a connection's key can use, sorted, one a line. */
async function read(
  { connections, check }: CompareDeps,
  connection: Connection,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { url, headers, name } = connection;
  const destination = await connections.destinationOf(connection);
  if (destination.status !== 'ready') {
    void showErrorMessage(sentences(l10n.t("{0} can't be compared.", name), whyNotReady(destination)));
    return undefined;
  }
  try {
    const { models } = await check({ url, key: destination.key, headers }, signal);
    return models.map(({ id }) => `${id}\n`).join('');
  } catch (error) {
    if (!(error instanceof GatewayError)) {
      throw error;
    }
    const words = problemText(error.problem, new URL(url.base).host);
    void showErrorMessage(
      l10n.t({ message: '{0}: {1}', args: [name, words], comment: ['A name, then what is said about it'] }),
    );
    return undefined;
  }
}
