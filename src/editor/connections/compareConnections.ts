import * as l10n from '@vscode/l10n';
import type { Clock } from '../../core/base/clock.ts';
import { sentences } from '../../core/base/localization.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { GatewayError } from '../../core/errors/gatewayProblem.ts';
import { type ComparedList, comparisonDocument } from '../../core/models/catalogue/compareLists.ts';
import { showErrorMessage, showInformationMessage, withCancellableProgress } from '../ui/messages.ts';
import { pickRow } from '../ui/pickRow.ts';
import { showMarkdown } from '../ui/showMarkdown.ts';
import { type CheckKey, problemText } from './askKey.ts';
import { whyNotReady } from './whyNotReady.ts';

export type CompareDeps = {
  readonly connections: Connections;
  readonly check: CheckKey;
  readonly clock: Clock;
};

/**
 * *Compare Models of Two Keys*: reads both model lists again, without cost, and opens a document with their differences.
 */
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
      ...(each.note && { detail: each.note }),
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
  if (a && b) {
    await showMarkdown(comparisonDocument(a, b));
  }
}

async function read(
  { connections, check, clock }: CompareDeps,
  connection: Connection,
  signal: AbortSignal,
): Promise<ComparedList | undefined> {
  const { url, headers, name, note } = connection;
  const destination = await connections.destinationOf(connection);
  if (destination.status !== 'ready') {
    void showErrorMessage(sentences(l10n.t("{0} can't be compared.", name), whyNotReady(destination)));
    return undefined;
  }
  try {
    const list = await check({ url, key: destination.key, headers }, signal);
    return { name, host: new URL(url.base).host, ...(note && { note }), list, readAt: clock.now() };
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
