import * as l10n from '@vscode/l10n';
import type { Clock } from '../../base/clock.ts';
import type { ConversationStore } from './conversationStore.ts';

type Held = { text: string; changedAt: number };

/** Stores conversations in memory until the window closes, for a person who wants none on disk. */
export function memoryConversations(clock: Clock): ConversationStore & { has(id: string): boolean } {
  const held = new Map<string, Held>();
  const removed = new Map<string, Held>();
  return {
    has: (id) => held.has(id) || removed.has(id),
    async append(id, text) {
      if (removed.has(id)) {
        throw new Error(l10n.t('This conversation was deleted.'));
      }
      held.set(id, { text: (held.get(id)?.text ?? '') + text, changedAt: clock.now() });
    },
    isOnDisk: async () => false,
    read: async (id) => held.get(id)?.text,
    // No other window has access to it.
    lock: async () => () => undefined,
    lockAll: async () => () => undefined,
    isLockedElsewhere: async () => false,
    list: async () =>
      [...held]
        .map(([id, { text, changedAt }]) => ({ id, changedAt, size: text.length }))
        .sort((a, b) => b.changedAt - a.changedAt),
    markUnsaved: async () => undefined,
    unmarkUnsaved: async () => undefined,
    async setChangedAt(id, changedAt) {
      const found = held.get(id);
      if (found) {
        found.changedAt = changedAt;
      }
    },
    async remove(id) {
      const found = held.get(id);
      if (found) {
        held.delete(id);
        removed.set(id, found);
      }
    },
    async restore(id) {
      const found = removed.get(id);
      if (found === undefined || held.has(id)) {
        return false;
      }
      removed.delete(id);
      held.set(id, found);
      return true;
    },
  };
}
