import type { ConversationStore } from './conversationStore.ts';

/**
 * Stores each conversation where the person's choice put it when it began: a conversation on disk continues there, and
 * one begun in memory never reaches the disk, even if the choice changes later.
 *
 * @param isKeeping whether to store a new conversation on disk; called when it begins.
 */
export function chosenStore(
  files: ConversationStore,
  memory: ConversationStore & { has(id: string): boolean },
  isKeeping: () => boolean,
): ConversationStore {
  /** The store of each conversation this window has appended to. All appends await one promise, to keep their order. */
  const chosen = new Map<string, Promise<ConversationStore>>();
  const held = (id: string) => (memory.has(id) ? memory : files);
  const choose = async (id: string) =>
    !memory.has(id) && (isKeeping() || (await files.read(id)) !== undefined) ? files : memory;
  const storeOf = (id: string) => chosen.get(id) ?? choose(id);
  return {
    async append(id, text) {
      const choice = storeOf(id);
      chosen.set(id, choice);
      const store = await choice.catch((error: unknown) => {
        chosen.delete(id);
        throw error;
      });
      await store.append(id, text);
    },
    isOnDisk: async (id) => (await storeOf(id)) === files,
    read: async (id) => held(id).read(id),
    // Also for one in memory, so that a deletion of all data in another window finds its calls.
    lock: (id) => files.lock(id),
    lockAll: () => files.lockAll(),
    isLockedElsewhere: async (id) => held(id).isLockedElsewhere(id),
    list: async () => [...(await memory.list()), ...(await files.list())].sort((a, b) => b.changedAt - a.changedAt),
    markUnsaved: async (id) => held(id).markUnsaved(id),
    unmarkUnsaved: async (id) => held(id).unmarkUnsaved(id),
    setChangedAt: async (id, changedAt) => held(id).setChangedAt(id, changedAt),
    remove: async (id) => held(id).remove(id),
    restore: async (id) => held(id).restore(id),
  };
}
