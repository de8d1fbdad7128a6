import * as l10n from '@vscode/l10n';
import { sentences } from '../../core/base/localization.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import { unsavedEnds } from '../../core/chat/store/unsavedText.ts';
import type { Log } from '../ui/log.ts';
import { showWarningMessage } from '../ui/messages.ts';
import { runCommand } from '../ui/runCommand.ts';

/**
 * Notifies the person of conversations that lost text because it couldn't be written before their window was closed,
 * and records the loss in those conversations.
 *
 * @param ids the conversations that were marked as unsaved.
 */
export async function reportUnsaved(store: UnsavedStore, ids: readonly string[], log: Log): Promise<void> {
  for (const id of ids) {
    try {
      await reportOne(store, id, log);
    } catch (error) {
      // The others are still reported.
      log.defect(`Conversation ${id} can't be read for what could not be saved`, error);
      await markAgain(store, id, log);
    }
  }
}

type UnsavedStore = Pick<ConversationStore, 'read' | 'append' | 'markUnsaved'>;

async function reportOne(store: UnsavedStore, id: string, log: Log): Promise<void> {
  const file = await store.read(id);
  if (file === undefined) {
    // It was deleted in the meantime.
    return;
  }
  const { title, text } = unsavedEnds(id, file);
  if (text !== '') {
    await store.append(id, text).catch(async (error: unknown) => {
      log.defect(`Conversation ${id} can still not be written`, error);
      await markAgain(store, id, log);
    });
  }
  const open = l10n.t('Open');
  void showWarningMessage(
    sentences(
      title === undefined ? l10n.t('A conversation is incomplete.') : l10n.t('"{0}" is incomplete.', title),
      l10n.t(
        "Its last part couldn't be saved before its window was closed, because the disk was full or write-protected.",
      ),
    ),
    open,
  ).then((answer) => answer === open && runCommand('askModel.openConversation', id));
}

/** Marks the conversation again, so that the next start reports it. */
async function markAgain(store: UnsavedStore, id: string, log: Log): Promise<void> {
  await store.markUnsaved(id).catch((error: unknown) => log.defect(`Conversation ${id} can't be marked`, error));
}
