import * as vscode from 'vscode';
import type { ConversationStore } from '../core/chat/conversationStore.ts';
import { unsavedEnds } from '../core/chat/unsavedText.ts';
import type { Log } from './log.ts';
import { showWarningMessage } from './ui/messages.ts';

/**
 * Says of which conversations text was lost because it couldn't be written before its window went away, and writes that
 * down in them.
 *
 * @param ids those that were marked.
 */
export async function tellUnsaved(
  store: Pick<ConversationStore, 'read' | 'append' | 'markUnsaved'>,
  ids: readonly string[],
  log: Log,
): Promise<void> {
  for (const id of ids) {
    const file = await store.read(id);
    if (file === undefined) {
      // Deleted meanwhile.
      continue;
    }
    const { title, text } = unsavedEnds(id, file);
    if (text !== '') {
      await store.append(id, text).catch(async (error: unknown) => {
        log.defect(`Conversation ${id} can still not be written`, error);
        // The next start says it once more.
        await store.markUnsaved(id);
      });
    }
    const name = title === undefined ? 'A conversation' : `“${title}”`;
    const open = 'Open';
    void showWarningMessage(
      `${name} isn’t complete. What came last couldn’t be saved before its window was closed: the disk was full or write-protected.`,
      open,
    ).then((answer) => answer === open && vscode.commands.executeCommand('askModel.openConversation', id));
  }
}
