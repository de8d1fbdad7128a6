import type * as vscode from 'vscode';
import type { Event } from '../../core/base/lifetime.ts';
import { once } from '../../core/base/once.ts';
import type { Conversation } from '../../core/chat/conversation/conversation.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { ChatPanels } from '../panel/chatPanels.ts';
import type { LazyTree, TreeRows } from '../ui/lazyTree.ts';
import type { SharedPorts } from '../ui/sharedPorts.ts';
import type { ConversationCommands } from './conversationCommands.ts';

export type ConversationsPorts = SharedPorts & {
  readonly panels: () => Promise<ChatPanels>;
  readonly conversationStore: () => Promise<ConversationStore>;
  /** A conversation as this window has it open; undefined when it has not. */
  readonly live: (id: string) => Conversation | undefined;
  /** Fires with the id of a conversation in which this window did something. */
  readonly onDidChangeConversation: Event<string>;
  readonly tree: LazyTree;
  /** Where dialogs begin when no folder is open. */
  readonly home: vscode.Uri;
};

/** The list of conversations; loaded when it is first shown. */
export type OpenedConversations = {
  /** Its rows in the side bar. */
  readonly rows: () => Promise<TreeRows>;
  /** What a person can do with conversations besides going on with them. */
  readonly conversations: () => Promise<ConversationCommands>;
};

/** Builds the list of conversations in the side bar, and its commands. */
export function openConversations(ports: ConversationsPorts): OpenedConversations {
  const kept = once(async () => {
    const { keptConversations } = await import('./keptConversations.ts');
    return ports.store.add(
      keptConversations({
        ...ports,
        store: await ports.conversationStore(),
        onDidChange: ports.onDidChangeConversation,
      }),
    );
  });
  return {
    rows: async () => (await kept()).view,
    conversations: async () => (await kept()).commands,
  };
}
