import type { ConversationStore, KeptConversation } from './conversationStore.ts';

/**
 * Keeps each conversation where the person's choice put it when it began: what is on disk goes on there, and what was
 * begun in memory never reaches the disk, also when the choice is another one by then.
 *
 * @param isKeeping asked when a conversation begins.
 */
export function chosenStore(
  files: ConversationStore,
  memory: ConversationStore & { has(id: string): boolean },
  isKeeping: () => boolean,
): ConversationStore {
  /** Known to be on disk, so that no look is needed for each piece. */
  const onDisk = new Set<string>();
  const holds = async (id: string): Promise<ConversationStore> => {
    if (memory.has(id)) {
      return memory;
    }
    if (onDisk.has(id) || isKeeping()) {
      return files;
    }
    for await (const _ of files.pieces(id)) {
      return files;
    }
    return memory;
  };
  /** Each piece waits for the choice of the one before it: the order of the calls is the order of the text. */
  const choosing = new Map<string, Promise<ConversationStore>>();
  return {
    async append(id, text) {
      const choice = choosing.get(id) ?? holds(id);
      choosing.set(id, choice);
      try {
        const store = await choice;
        if (store === files) {
          onDisk.add(id);
        }
        await store.append(id, text);
      } finally {
        if (choosing.get(id) === choice) {
          choosing.delete(id);
        }
      }
    },
    isOnDisk: async (id) => (await (choosing.get(id) ?? holds(id))) === files,
    read: async (id) => (memory.has(id) ? memory : files).read(id),
    pieces: (id) => (memory.has(id) ? memory : files).pieces(id),
    claim: async (id) => (await holds(id)).claim(id),
    isClaimedElsewhere: async (id) => (memory.has(id) ? memory : files).isClaimedElsewhere(id),
    async list() {
      const [kept, held]: (readonly KeptConversation[])[] = await Promise.all([files.list(), memory.list()]);
      return [...(held ?? []), ...(kept ?? [])].sort((a, b) => b.changedAt - a.changedAt);
    },
    markUnsaved: async (id) => (memory.has(id) ? memory : files).markUnsaved(id),
    unmarkUnsaved: async (id) => (memory.has(id) ? memory : files).unmarkUnsaved(id),
    setChangedAt: async (id, changedAt) => (memory.has(id) ? memory : files).setChangedAt(id, changedAt),
    remove: async (id) => (memory.has(id) ? memory : files).remove(id),
    restore: async (id) => (memory.has(id) ? memory : files).restore(id),
  };
}
