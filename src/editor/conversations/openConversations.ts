import * as l10n from '@vscode/l10n';
import { numberText, plural } from '../../core/base/localization.ts';
import { once } from '../../core/base/once.ts';
import type { TreeRows } from '../ui/registrations.ts';
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
  const { store, tree, unread } = ports;
  store.add(
    unread.onDidChange(() => {
      tree.view.badge = unread.count === 0 ? undefined : { value: unread.count, tooltip: unreadText(unread.count) };
    }),
  );
  const opened = once(async () => (await import('./conversations.ts')).conversations(ports));
  return {
    rows: async () => (await opened()).view,
    conversations: async () => (await opened()).commands,
    stored: async () => (await opened()).stored,
  };
}

function unreadText(count: number): string {
  return plural(
    count,
    l10n.t('One conversation has a new answer'),
    l10n.t('{0} conversations have new answers', numberText(count)),
  );
}
