import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { numberText } from '../../core/base/localization.ts';
import { ConversationIndex } from '../../core/chat/store/conversationIndex.ts';
import type { OpenedPanels } from '../panel/openPanels.ts';
import type { LazyTree } from '../ui/registrations.ts';
import type { SharedPorts } from '../ui/remembered.ts';
import { conversationCommands, removeConversations } from './conversationCommands.ts';
import { ConversationsView } from './conversationsView.ts';

/** All conversations together. */
export type StoredConversations = ReturnType<typeof openConversations>['stored'];

/**
 * Builds the list of conversations in the side bar, and its commands.
 *
 * @param home where file dialogs start when no folder is open.
 */
export function openConversations(
  { store: own, clock, log }: SharedPorts,
  tree: LazyTree,
  { panels, conversations, unread, conversationStore: store }: OpenedPanels,
  home: vscode.Uri,
) {
  own.add(
    unread.onDidChange(() => {
      const { count: value } = unread;
      const tooltip = l10n.t('Conversations with a new answer: {0}', numberText(value));
      tree.view.badge = value === 0 ? undefined : { value, tooltip };
    }),
  );
  const live = (id: string) => conversations.get(id);
  const index = own.add(new ConversationIndex(store, clock, live));
  own.add(conversations.onDidChange((id) => index.changed(id)));
  const view = own.add(new ConversationsView(index, tree, clock, log, unread));
  const selection = () => tree.view.selection;
  const commands = conversationCommands({ index, store, view, selection, conversations, panels, clock, log, home });
  const stored = {
    count: async () => (await store.list()).length,
    /** The titles of those that exist, by their ids. */
    titles: async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
      new Map((await index.listed([...new Set(ids)])).map(({ id, title }) => [id, title])),
    /** Deletes all, and closes their panels. @returns why some could not be deleted. */
    removeAll: async (): Promise<readonly unknown[]> => {
      const ids = (await store.list()).map(({ id }) => id);
      const { failures } = await removeConversations(conversations, ids);
      // What is left are conversations without a question.
      for (const { surface } of conversations.panels) {
        surface.dispose();
      }
      return failures;
    },
    /** Whether an answer is arriving, here or in another window. */
    isAnswering: () => store.isAnyLocked(),
    /** Updates the list in the side bar. */
    refresh: () => view.refresh(),
  };
  return { /** The rows of the list in the side bar. */ view, commands, stored };
}
