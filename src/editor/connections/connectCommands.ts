import * as vscode from 'vscode';
import type { BaseUrl } from '../../core/connections/baseUrl.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';
import type { UncheckedConnections } from '../../core/connections/uncheckedConnections.ts';
import { GatewayError } from '../../core/errors/gatewayProblem.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage, withProgress } from '../ui/messages.ts';
import { askKey, type CheckKey, inWords } from './askKey.ts';
import { type AskedRoutes, confirmRoute, connectFlow } from './connectFlow.ts';
import type { HeaderList } from './editHeaders.ts';

export type ConnectDeps = {
  readonly connections: Connections;
  readonly check: CheckKey;
  /** Whether a text holds what looks like a key, or a key this window knows: settings are plain text. */
  readonly holdsKey: (text: string) => boolean;
  readonly routes: AskedRoutes;
  readonly unchecked: Pick<UncheckedConnections, 'keep' | 'listed'>;
};

/** The extra headers of a connection that is there. */
export function headersOf(connections: Connections, { id, headers }: Connection): HeaderList {
  const find = () => connections.all.find((each) => each.id === id);
  return {
    read: () => find()?.headers ?? headers,
    set: async (edited, header) => {
      const connection = find();
      await (connection && connections.setHeader(connection, edited, header));
    },
  };
}

/** Remembers whether the key of a connection was checked when it was kept. */
export function noteCheck({ unchecked }: ConnectDeps, { id }: Connection, isChecked: boolean): Promise<void> {
  return isChecked ? unchecked.listed(id) : unchecked.keep(id);
}

/** *Connect to a Gateway*. @returns whether it led to a connection. */
export async function connect(deps: ConnectDeps): Promise<boolean> {
  const { connections } = deps;
  const connected = await connectFlow({
    ...deps,
    known: connections.all,
    add: async (url, key, isChecked, headers) => noteCheck(deps, await connections.add(url, key, headers), isChecked),
    replaceKey: async (connection, key, isChecked) => {
      await connections.replaceKey(connection, key);
      await connections.use(connection);
      await noteCheck(deps, connection, isChecked);
    },
    headersOf: (connection) => headersOf(connections, connection),
  });
  if (connected === undefined) {
    return false;
  }
  tell(connected.models);
  return true;
}

/** *Replace Key*. */
export async function replaceKey(deps: ConnectDeps, connection: Connection): Promise<boolean> {
  const { connections, check, routes, holdsKey } = deps;
  const { url, name } = connection;
  if (!(await confirmRoute(routes, url))) {
    return false;
  }
  const outcome = await askKey({
    url,
    headers: headersOf(connections, connection),
    holdsKey,
    title: `Key for ${name}`,
    check,
    keep: async (_, key, isChecked) => {
      await connections.replaceKey(connection, key);
      await noteCheck(deps, connection, isChecked);
    },
  });
  if (outcome.status !== 'done') {
    return false;
  }
  tell(outcome.value.models);
  return true;
}

/** *Remove Key*: the connection stays, and asks for a key when it is used. */
export async function removeKey({ connections }: ConnectDeps, connection: Connection): Promise<void> {
  const remove = 'Remove Key';
  const answer = await showWarningMessage(
    `Remove the key of ${connection.name} from this machine?`,
    {
      modal: true,
      detail:
        'It is deleted from VS Code’s secret storage, for every window. The gateway still knows it: to make it worthless, delete it in the gateway’s console.',
    },
    remove,
  );
  if (answer === remove) {
    await connections.removeKey(connection);
  }
}

/** *Remove Connection and Key*, after a confirmation that says what stays. */
export async function removeConnection({ connections }: ConnectDeps, connection: Connection): Promise<void> {
  const remove = 'Remove';
  const next = connections.all.find(({ id }) => id !== connection.id);
  const isActive = connections.active?.id === connection.id;
  const after = next && isActive ? ` After that, questions go to ${next.name}.` : '';
  const detail = `Its key is deleted from VS Code’s secret storage, and the list of its models with it. Conversations stay.${after}`;
  const answer = await showWarningMessage(
    `Remove the connection to ${connection.name}?`,
    { modal: true, detail },
    remove,
  );
  if (answer === remove) {
    await connections.remove(connection);
  }
}

/**
 * Asks in words that name both addresses whether a key may go to another one than it was given for.
 *
 * @returns `send` the same key there, enter `another`, or undefined when the person left.
 */
export async function askAboutNewOrigin(
  name: string,
  given: string,
  { origin: now, warning }: BaseUrl,
): Promise<'send' | 'another' | undefined> {
  const [from, to] = [hostOrOrigin(given, now), hostOrOrigin(now, given)];
  const send = `Send the Key to ${to}`;
  const another = 'Enter Another Key';
  const answer = await showWarningMessage(
    `The key ${name === from ? '' : `of ${name} `}was given for ${from}. May it go to ${to}?`,
    {
      modal: true,
      detail: `The address of this connection is ${now} now. Whoever runs ${to} could use the key and read your questions. Nothing was sent there so far.${warning ? `\n\n${warning}` : ''}`,
    },
    // Not the first one: an Enter too many must not send a key anywhere.
    another,
    send,
  );
  return answer === send ? 'send' : answer === another ? 'another' : undefined;
}

/**
 * A key that was given for another origin goes to the new one only when the person says so; one that others could read on
 * the way alike.
 */
export async function confirmAddress(deps: ConnectDeps, connection: Connection): Promise<boolean> {
  const { connections, check, routes } = deps;
  if ((await connections.destinationOf(connection)).status === 'keyInClear') {
    return confirmRoute(routes, connection.url);
  }
  const kept = await connections.keyGivenElsewhere(connection);
  if (kept === undefined || kept.origin === connection.url.origin) {
    return kept !== undefined || replaceKey(deps, connection);
  }
  const { url, name, headers } = connection;
  const answer = await askAboutNewOrigin(name, kept.origin, url);
  if (answer !== 'send') {
    return answer === 'another' && replaceKey(deps, connection);
  }
  if (!(await confirmRoute(routes, url))) {
    return false;
  }
  try {
    const list = await checkVisibly(check, connection, { url, key: kept.key, headers });
    if (list === undefined) {
      return false;
    }
    await connections.replaceKey(connection, kept.key);
    await noteCheck(deps, connection, true);
    tell(list.models.length);
    return true;
  } catch (error) {
    if (!(error instanceof GatewayError)) {
      throw error;
    }
    const enter = 'Enter Another Key';
    const chosen = await showErrorMessage(inWords(error.problem, new URL(url.base).host), enter);
    return chosen === enter && replaceKey(deps, connection);
  }
}

/** A free check with a notification that can be left. @returns undefined when the person left. */
export function checkVisibly(check: CheckKey, { name }: Connection, target: Parameters<CheckKey>[0]) {
  return withProgress(
    { location: vscode.ProgressLocation.Notification, title: `Checking ${name}…`, cancellable: true },
    async (token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      try {
        return await check(target, abort.signal);
      } catch (error) {
        if (abort.signal.aborted) {
          return undefined;
        }
        throw error;
      }
    },
  );
}

/** Leads to the missing step when a question can not be sent yet. */
export async function ensureConnected(deps: ConnectDeps): Promise<boolean> {
  const destination = await deps.connections.findDestination();
  switch (destination.status) {
    case 'ready':
      return true;
    case 'disconnected':
      return connect(deps);
    case 'keyUnreadable': {
      const reason = `VS Code’s secret storage can not be read, so there is no key to send: ${destination.reason}`;
      void showErrorMessage(reason);
      return false;
    }
    case 'keyMissing':
      return replaceKey(deps, destination.connection);
    case 'keyElsewhere':
    case 'keyInClear':
      return confirmAddress(deps, destination.connection);
    default:
      return destination satisfies never;
  }
}

/** The host alone, unless both have the same one and differ in scheme or port. */
function hostOrOrigin(origin: string, other: string): string {
  const { host } = new URL(origin);
  return host === new URL(other).host ? origin : host;
}

/** @param models undefined when the key was kept without a check. */
function tell(models: number | undefined): void {
  // Without a button, so that it goes by itself and does not stand in front of what comes next.
  void showInformationMessage(
    models === undefined
      ? 'Kept without checking. Add a model by its ID, and ask it a question to see whether the connection works.'
      : models === 0
        ? 'Connected, but this key sees no models. Its groups are set in the gateway’s console.'
        : `Connected: ${models} ${models === 1 ? 'model' : 'models'}`,
  );
}
