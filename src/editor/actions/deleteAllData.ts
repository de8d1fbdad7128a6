import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText } from '../../core/base/localization.ts';
import { messageOf } from '../../core/base/loose.ts';
import type { Connections } from '../../core/connections/connections.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import type { StoredConversations } from '../conversations/openConversations.ts';
import type { Log } from '../ui/log.ts';
import { isConfirmed, showErrorMessage, showInformationMessage, showWarningMessage } from '../ui/messages.ts';
import { type Remembered, setOwnSetting } from '../ui/remembered.ts';

/**
 * *Delete All My Data*: keys, connections, conversations, lists of models, choices, permissions and the record of paid
 * calls, after a confirmation that lists them. Settings other than those stay. What can't be deleted is reported, and
 * the rest is deleted all the same.
 *
 * @param clearSecrets deletes every secret of the extension, also those of connections that the settings no longer have.
 * @param folder where the extension stores files.
 */
export async function deleteAllData(
  log: Log,
  connections: Pick<Connections, 'all' | 'remove'>,
  conversations: StoredConversations,
  ledger: Pick<Ledger, 'clear'>,
  remembered: Pick<Remembered, 'forget'>,
  clearSecrets: () => Promise<void>,
  folder: vscode.Uri,
): Promise<void> {
  if (!(await isWanted(connections.all.length, await conversations.count()))) {
    return;
  }
  if (await conversations.isAnswering()) {
    void showWarningMessage(
      l10n.t('An answer is still arriving. Stop it, then delete your data again. Nothing was deleted.'),
    );
    return;
  }
  const failures: unknown[] = [];
  const steps: readonly (() => PromiseLike<unknown>)[] = [
    async () => failures.push(...(await conversations.removeAll())),
    ...connections.all.map((connection) => () => connections.remove(connection)),
    () => clearSecrets(),
    () => ledger.clear(),
    () => remembered.forget(),
    () => setOwnSetting('askModel.connections', undefined),
    // It's missing when nothing was stored yet.
    () => vscode.workspace.fs.createDirectory(folder),
    () => vscode.workspace.fs.delete(folder, { recursive: true }),
  ];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  await conversations.refresh().catch((error: unknown) => failures.push(error));
  for (const failure of failures) {
    log.defect('Some data could not be deleted', failure);
  }
  const [failure] = failures;
  if (failures.length > 0) {
    void showErrorMessage(l10n.t("Some data couldn't be deleted: {0}", log.redact(messageOf(failure))));
  } else {
    void showInformationMessage(l10n.t('All data of Ask Model was deleted from this computer.'));
  }
}

function isWanted(connections: number, conversations: number): Promise<boolean> {
  const items = [
    l10n.t('Connections with their keys: {0}', numberText(connections)),
    l10n.t('Conversations: {0}', numberText(conversations)),
    l10n.t('Lists of models, favorites, and default models'),
    l10n.t('Permissions, such as those of other extensions'),
    l10n.t('The record of paid calls'),
  ];
  const note = l10n.t(
    "Keys remain valid at the gateway. With Settings Sync, connections are also removed from your other computers. Other settings aren't changed. Deleted data can't be restored.",
  );
  const detail = `${items.map((item) => `• ${item}`).join('\n')}\n\n${note}`;
  return isConfirmed(l10n.t('Delete all data that Ask Model stored on this computer?'), l10n.t('Delete All'), detail);
}
