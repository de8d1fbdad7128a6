import * as vscode from 'vscode';
import type { ConnectionPorts, ConnectionSetting } from '../../core/connections/connections.ts';
import type { Log } from '../ui/log.ts';
import { showWarningMessage } from '../ui/messages.ts';

const name = 'askModel.connections';

/** Where connections are kept: addresses in the person's own settings, keys in SecretStorage. */
export function connectionStores(
  secrets: vscode.SecretStorage,
  log: Log,
  unacceptedRoute: ConnectionPorts['unacceptedRoute'],
): ConnectionPorts {
  let toldError = '';
  return {
    secrets,
    setting: userSetting,
    unacceptedRoute,
    newId: () => crypto.randomUUID().slice(0, 8),
    onProblems: (problems) => {
      if (problems.length > 0) {
        log.warn(problems.join('\n'));
        tellProblems(problems).catch((error: unknown) => log.defect('The settings could not be opened', error));
      }
    },
    onUnreadableSecret: (error) => {
      // Asked for each connection and at each call; one stack says it.
      if (String(error) !== toldError) {
        toldError = String(error);
        log.defect('SecretStorage could not be read', error);
      }
    },
    onKey: (key) => log.conceal(key),
  };
}

/** Only the user's own value counts; what a workspace or a folder says under that name is not read. */
const userSetting: ConnectionSetting = {
  read: () => vscode.workspace.getConfiguration().inspect<unknown>(name)?.globalValue,
  write: (entries) =>
    vscode.workspace
      .getConfiguration()
      .update(name, entries.length > 0 ? entries : undefined, vscode.ConfigurationTarget.Global),
  onDidChange: (listener, thisArgs, disposables) =>
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration(name) && listener.call(thisArgs, event),
      undefined,
      disposables as vscode.Disposable[],
    ),
};

async function tellProblems(problems: readonly string[]): Promise<void> {
  const open = 'Open Settings';
  const answer = await showWarningMessage(`Ask Model ignores part of its settings. ${problems.join(' ')}`, open);
  if (answer === open) {
    await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: name } });
  }
}
