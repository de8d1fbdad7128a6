import { once } from '../../core/base/once.ts';
import type { TreeRows } from '../ui/lazyTree.ts';
import type { ConversationCommands } from './conversationCommands.ts';
import type { ConversationsPorts, StoredConversations } from './conversations.ts';

/** The list of conversations; loaded when it is first shown. */
export type OpenedConversations = {
  /** The rows of the list in the side bar. */
  readonly rows: () => Promise<TreeRows>;
  /** The commands for stored conversations. */
  readonly conversations: () => Promise<ConversationCommands>;
  readonly stored: () => Promise<StoredConversations>;
};

/** Builds the list of conversations in the side bar, and its commands. */
export function openConversations(ports: ConversationsPorts): OpenedConversations {
  const opened = once(async () => (await import('./conversations.ts')).conversations(ports));
  return {
    rows: async () => (await opened()).view,
    conversations: async () => (await opened()).commands,
    stored: async () => (await opened()).stored,
  };
}
