import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import { unsavedEnds } from '../../core/chat/store/unsavedText.ts';
import type { Log } from '../ui/log.ts';
import { showWarningMessage } from '../ui/messages.ts';
import { runCommand } from '../ui/runCommand.ts';

/**
 * Says of which conversations text was lost because it couldn't be written before its window went away, and writes that
 * down in them.
 *
 * @param ids those that were marked.
 */
export async function tellUnsaved(store: UnsavedStore, ids: readonly string[], log: Log): Promise<void> {
  for (const id of ids) {
    try {
      await tell(store, id, log);
    } catch (error) {
      // The others are told all the same.
      log.defect(`Conversation ${id} can't be read for what could not be saved`, error);
      await markAgain(store, id, log);
    }
  }
}

type UnsavedStore = Pick<ConversationStore, 'read' | 'append' | 'markUnsaved'>;

async function tell(store: UnsavedStore, id: string, log: Log): Promise<void> {
  const file = await store.read(id);
  if (file === undefined) {
    // Deleted meanwhile.
    return;
  }
  const { title, text } = unsavedEnds(id, file);
  if (text !== '') {
    await store.append(id, text).catch(async (error: unknown) => {
      log.defect(`Conversation ${id} can still not be written`, error);
      await markAgain(store, id, log);
    });
  }
  const name = title === undefined ? 'A conversation' : `“${title}”`;
  const open = 'Open';
  void showWarningMessage(
    `${name} isn’t complete. What came last couldn’t be saved before its window was closed: the disk was full or write-protected.`,
    open,
  ).then((answer) => answer === open && runCommand('askModel.openConversation', id));
}

/** The next start says it once more. */
async function markAgain(store: UnsavedStore, id: string, log: Log): Promise<void> {
  await store.markUnsaved(id).catch((error: unknown) => log.defect(`Conversation ${id} can't be marked`, error));
}
