import * as vscode from 'vscode';
import { type CheckKey, connectFlow, replaceKeyFlow } from './connectFlow.ts';
import type { Connections } from './connections.ts';

export type ConnectDeps = {
  readonly connections: Connections;
  readonly check: CheckKey;
};

/** *Connect to a Gateway*. @returns whether there is a connection now. */
export async function connect({ connections, check }: ConnectDeps): Promise<boolean> {
  const connected = await connectFlow(check, (url, key) => connections.save(url, key), connections.active?.url.base);
  if (connected === undefined) {
    return false;
  }
  tell(connected.models);
  return true;
}

/** *Replace Key*: for the connection in use. */
export async function replaceKey(deps: ConnectDeps): Promise<boolean> {
  const connection = deps.connections.active;
  if (connection === undefined) {
    return connect(deps);
  }
  const connected = await replaceKeyFlow(connection.url, deps.check, (_, key) =>
    deps.connections.replaceKey(connection, key),
  );
  if (connected) {
    tell(connected.models);
  }
  return connected !== undefined;
}

/** *Remove Connection and Key*, after a confirmation that says what stays. */
export async function disconnect({ connections }: ConnectDeps): Promise<void> {
  const connection = connections.active;
  if (connection === undefined) {
    void vscode.window.showInformationMessage('There is no connection to remove.');
    return;
  }
  const remove = 'Remove';
  const { next } = connections;
  const after = next ? ` After that, questions go to ${next.name}.` : '';
  const detail = `Its key is deleted from VS Code’s secret storage. Conversations stay.${after}`;
  const answer = await vscode.window.showWarningMessage(
    `Remove the connection to ${connection.name}?`,
    { modal: true, detail },
    remove,
  );
  if (answer === remove) {
    await connections.remove(connection);
  }
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
      void vscode.window.showErrorMessage(reason);
      return false;
    }
    default:
      return replaceKey(deps);
  }
}

function tell(models: number): void {
  // Without a button, so that it goes by itself and does not stand in front of what comes next.
  void vscode.window.showInformationMessage(
    models === 0
      ? 'Connected, but this key sees no models. Its groups are set in the gateway’s console.'
      : `Connected: ${models} ${models === 1 ? 'model' : 'models'}`,
  );
}
