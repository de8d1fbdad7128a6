import type { ConversationIndex } from '../../core/chat/store/conversationIndex.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { ChatPanels } from '../panel/chatPanels.ts';
import type { Log } from '../ui/log.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage, withProgress } from '../ui/messages.ts';
import type { ConversationsView } from './conversationsView.ts';

export type DeleteDeps = {
  readonly index: ConversationIndex;
  readonly store: ConversationStore;
  readonly view: ConversationsView;
  readonly panels: () => Promise<ChatPanels>;
  readonly log: Log;
};

/** Takes conversations away and offers to bring them back. One that still receives a reply is left where it is. */
export async function deleteConversations(deps: DeleteDeps, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) {
    return;
  }
  const [first] = await deps.index.summaries(ids.slice(0, 1));
  const { removed, running, failures } = await withProgress({ location: { viewId: 'askModel.conversations' } }, () =>
    remove(deps, ids),
  );
  await deps.view.look();
  for (const failure of failures) {
    deps.log.defect('A conversation could not be deleted', failure);
  }
  const left = [
    running > 0 && `${counted(running)} still receiving a reply ${running === 1 ? 'was' : 'were'} left. Stop it first.`,
    failures.length > 0 && `${counted(failures.length)} could not be deleted: ${wordsOf(failures[0])}`,
  ].filter((line) => typeof line === 'string');
  if (removed.length === 0) {
    void showWarningMessage(`Nothing was deleted. ${left.join(' ')}`.trim());
    return;
  }
  const what =
    removed.length === 1 && ids.length === 1 ? `“${first?.title ?? 'Conversation'}”` : counted(removed.length);
  // Not waited for: the command has done its work.
  void offerUndo(deps, removed, [`Deleted ${what}.`, ...left].join(' ')).catch((error: unknown) => {
    deps.log.defect('Undo of a deletion', error);
    void showErrorMessage(`Not everything could be brought back: ${wordsOf(error)}`);
  });
}

async function remove(deps: DeleteDeps, ids: readonly string[]) {
  const panels = await deps.panels();
  const removed: string[] = [];
  const failures: unknown[] = [];
  let running = 0;
  for (const id of ids) {
    try {
      const isRemoved =
        !(await deps.store.isClaimedElsewhere(id)) && (await panels.remove(id, () => deps.store.remove(id)));
      if (isRemoved) {
        removed.push(id);
      } else {
        running++;
      }
    } catch (error) {
      failures.push(error);
    }
  }
  return { removed, running, failures };
}

async function offerUndo(deps: DeleteDeps, removed: readonly string[], words: string): Promise<void> {
  const undo = 'Undo';
  if ((await showInformationMessage(words, undo)) !== undo) {
    return;
  }
  let gone = 0;
  try {
    for (const id of removed) {
      gone += (await deps.store.restore(id)) ? 0 : 1;
    }
  } finally {
    await deps.view.look();
  }
  if (gone > 0) {
    void showWarningMessage(`${counted(gone)} could not be brought back: deleted for good by now.`);
  }
}

function counted(conversations: number): string {
  return `${conversations.toLocaleString('en-US')} ${conversations === 1 ? 'conversation' : 'conversations'}`;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
