import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import type { Connection, Destination } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { GatewayError } from '../../core/errors/gatewayProblem.ts';
import { type ComparedList, comparisonDocument } from '../../core/models/catalogue/compareLists.ts';
import { showErrorMessage, showInformationMessage, withProgress } from '../ui/messages.ts';
import { pickRow } from '../ui/pickRow.ts';
import { type CheckKey, inWords } from './askKey.ts';

export type CompareDeps = {
  readonly connections: Connections;
  readonly check: CheckKey;
  readonly clock: Clock;
};

/** *Compare What Two Keys See*: both lists read anew, without cost, told apart in a document the person can keep. */
export async function compareConnections(deps: CompareDeps, first: Connection): Promise<void> {
  const others = deps.connections.all.filter(({ id }) => id !== first.id);
  if (others.length === 0) {
    void showInformationMessage(
      'There is one connection so far. Connect with a second key, also of the same gateway, to compare what both see.',
    );
    return;
  }
  const outcome = await pickRow<Connection>({
    title: `Compare ${first.name} with…`,
    placeholder: 'Both lists are read anew, without cost',
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
  const lists = await withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Reading the models of ${first.name} and ${second.name}…`,
      cancellable: true,
    },
    async (token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      const both = await Promise.all([read(deps, first, abort.signal), read(deps, second, abort.signal)]);
      return abort.signal.aborted ? undefined : both;
    },
  );
  const [a, b] = lists ?? [];
  if (a && b) {
    const content = comparisonDocument(a, b);
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
    await vscode.window.showTextDocument(document, { preview: false });
  }
}

async function read(
  { connections, check, clock }: CompareDeps,
  connection: Connection,
  signal: AbortSignal,
): Promise<ComparedList | undefined> {
  const destination = await connections.destinationOf(connection);
  if (destination.status !== 'ready') {
    void showErrorMessage(`${connection.name} can’t be compared: ${whyNot(destination)}.`);
    return undefined;
  }
  const { url, headers, name, note } = connection;
  try {
    const list = await check({ url, key: destination.key, headers }, signal);
    return { name, host: new URL(url.base).host, ...(note && { note }), list, readAt: clock.now() };
  } catch (error) {
    if (!signal.aborted) {
      if (!(error instanceof GatewayError)) {
        throw error;
      }
      void showErrorMessage(`${name}: ${inWords(error.problem, new URL(url.base).host)}`);
    }
    return undefined;
  }
}

function whyNot(destination: Exclude<Destination, { status: 'ready' | 'disconnected' }>): string {
  switch (destination.status) {
    case 'keyMissing':
      return 'it has no key on this machine';
    case 'keyElsewhere':
      return `its key was given for ${destination.origin}`;
    case 'keyInClear':
      return 'others could read its key on the way; use it once to be asked whether they may';
    case 'keyUnreadable':
      return `VS Code’s secret storage can not be read (${destination.reason})`;
    default:
      return destination satisfies never;
  }
}
