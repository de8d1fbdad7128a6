import * as l10n from '@vscode/l10n';
import { numberText, plural, sentences } from '../../core/base/localization.ts';
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

/** Deletes conversations and offers to undo it. A conversation that is still receiving a reply is not deleted. */
export async function deleteConversations(deps: DeleteDeps, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) {
    return;
  }
  const [first] = await deps.index.summaries(ids.slice(0, 1));
  const { removed, running, failures } = await withProgress({ location: { viewId: 'askModel.conversations' } }, () =>
    removeConversations(deps, ids),
  );
  await deps.view.refresh();
  for (const failure of failures) {
    deps.log.defect('A conversation could not be deleted', failure);
  }
  const left = sentences(
    running > 0 &&
      plural(
        running,
        l10n.t("One conversation wasn't deleted because an answer is still arriving. Stop it first."),
        l10n.t(
          "{0} conversations weren't deleted because answers are still arriving. Stop them first.",
          numberText(running),
        ),
      ),
    failures.length > 0 &&
      plural(
        failures.length,
        l10n.t("One conversation couldn't be deleted: {0}", messageOf(failures[0])),
        l10n.t("{0} conversations couldn't be deleted: {1}", numberText(failures.length), messageOf(failures[0])),
      ),
  );
  if (removed.length === 0) {
    void showWarningMessage(sentences(l10n.t('Nothing was deleted.'), left));
    return;
  }
  const done =
    ids.length === 1 && first !== undefined
      ? l10n.t('Deleted "{0}".', first.title)
      : plural(
          removed.length,
          l10n.t('Deleted one conversation.'),
          l10n.t('Deleted {0} conversations.', numberText(removed.length)),
        );
  // Not awaited: the command itself is done.
  void offerUndo(deps, removed, sentences(done, left)).catch((error: unknown) => {
    deps.log.defect('Undo of a deletion', error);
    void showErrorMessage(l10n.t("Couldn't restore everything: {0}", messageOf(error)));
  });
}

/** Deletes conversations, apart from those that are receiving a reply. They can be restored until the window closes. */
export async function removeConversations(deps: Omit<DeleteDeps, 'view' | 'log' | 'index'>, ids: readonly string[]) {
  const panels = await deps.panels();
  const removed: string[] = [];
  const failures: unknown[] = [];
  let running = 0;
  for (const id of ids) {
    try {
      const isRemoved =
        !(await deps.store.isLockedElsewhere(id)) &&
        (await panels.conversations.remove(id, () => deps.store.remove(id)));
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
  const undo = l10n.t('Undo');
  if ((await showInformationMessage(words, undo)) !== undo) {
    return;
  }
  let gone = 0;
  try {
    for (const id of removed) {
      gone += (await deps.store.restore(id)) ? 0 : 1;
    }
  } finally {
    await deps.view.refresh();
  }
  if (gone > 0) {
    void showWarningMessage(
      plural(
        gone,
        l10n.t("One conversation couldn't be restored because it was permanently deleted."),
        l10n.t("{0} conversations couldn't be restored because they were permanently deleted.", numberText(gone)),
      ),
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
