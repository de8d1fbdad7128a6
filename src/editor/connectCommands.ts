import * as vscode from 'vscode';
import type { BaseUrl } from '../core/gateway/baseUrl.ts';
import type { Connection } from '../core/gateway/connection.ts';
import type { Connections } from '../core/gateway/connections.ts';
import { isGatewayError } from '../core/gateway/gatewayProblem.ts';
import { type AskedRoutes, askKey, type CheckKey, confirmRoute, connectFlow, inWords } from './connectFlow.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage, withProgress } from './ui/messages.ts';

export type ConnectDeps = {
  readonly connections: Connections;
  readonly check: CheckKey;
  /** Whether a text holds what looks like a key, or a key this window knows: settings are plain text. */
  readonly holdsKey: (text: string) => boolean;
  readonly routes: AskedRoutes;
};

/** *Connect to a Gateway*. @returns whether it led to a connection. */
export async function connect({ connections, check, routes }: ConnectDeps): Promise<boolean> {
  const connected = await connectFlow({
    check,
    routes,
    known: connections.all,
    add: (url, key) => connections.add(url, key),
    replaceKey: async (connection, key) => {
      await connections.replaceKey(connection, key);
      await connections.use(connection);
    },
  });
  if (connected === undefined) {
    return false;
  }
  tell(connected.models);
  return true;
}

/** *Replace Key*. */
export async function replaceKey(
  { connections, check, routes }: ConnectDeps,
  connection: Connection,
): Promise<boolean> {
  const { url, headers } = connection;
  if (!(await confirmRoute(routes, url))) {
    return false;
  }
  const outcome = await askKey({
    url,
    headers,
    title: `Key for ${connection.name}`,
    check,
    keep: (_, key) => connections.replaceKey(connection, key),
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
    tell(list.models.length);
    return true;
  } catch (error) {
    if (!isGatewayError(error)) {
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

function tell(models: number): void {
  // Without a button, so that it goes by itself and does not stand in front of what comes next.
  void showInformationMessage(
    models === 0
      ? 'Connected, but this key sees no models. Its groups are set in the gateway’s console.'
      : `Connected: ${models} ${models === 1 ? 'model' : 'models'}`,
  );
}
