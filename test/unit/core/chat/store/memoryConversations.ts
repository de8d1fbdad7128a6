import type { Clock } from '../../../../../src/core/base/clock.ts';
import type { ConversationStore } from '../../../../../src/core/chat/store/conversationStore.ts';

type Held = { text: string; changedAt: number };

/** In place of the disk. */
export function memoryConversations(clock: Clock): ConversationStore {
  const held = new Map<string, Held>();
  const removed = new Map<string, Held>();
  const pictures = new Map<string, string>();
  return {
    async append(id, text) {
      if (removed.has(id)) {
        throw new Error('This conversation was deleted.');
      }
      held.set(id, { text: (held.get(id)?.text ?? '') + text, changedAt: clock.now() });
    },
    keepPicture: async (_, { name, base64 }) => void pictures.set(name, base64),
    readPicture: async (_, name) => pictures.get(name),
    pictureFile: (_, name) => name,
    isOnDisk: async () => true,
    read: async (id) => held.get(id)?.text,
    lock: async () => () => undefined,
    isAnyLocked: async () => false,
    isLockedElsewhere: async () => false,
    list: async () =>
      [...held]
        .map(([id, { text, changedAt }]) => ({ id, changedAt, size: text.length }))
        .sort((a, b) => b.changedAt - a.changedAt),
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
      if (found === undefined) {
        throw new Error('It no longer exists');
      }
      removed.delete(id);
      held.set(id, found);
    },
  };
}
