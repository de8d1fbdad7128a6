import * as vscode from 'vscode';
import type { ConnectionPorts, ConnectionSetting } from '../../core/connections/connections.ts';
import type { Log } from '../ui/log.ts';
import { showSettingProblems } from '../ui/settingProblems.ts';

const name = 'askModel.connections';

/** Where connections are stored: addresses in the user settings, keys in SecretStorage. */
export function connectionStores(
  secrets: vscode.SecretStorage,
  log: Log,
  unacceptedRoute: ConnectionPorts['unacceptedRoute'],
  onKey: ConnectionPorts['onKey'],
): ConnectionPorts {
  let reportedError = '';
  return {
    secrets,
    setting: userSetting,
    unacceptedRoute,
    newId: () => crypto.randomUUID().slice(0, 8),
    onProblems: (problems) => showSettingProblems(log, name, problems),
    onUnreadableSecret: (error) => {
      // Keys are read for each connection and at each call; the same error is logged once.
      if (String(error) !== reportedError) {
        reportedError = String(error);
        log.defect('SecretStorage could not be read', error);
      }
    },
    onKey: (key) => {
      log.conceal(key);
      onKey(key);
    },
  };
}

/** The user value of the setting. The values of a workspace or a folder are not read. */
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
