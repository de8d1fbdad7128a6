import type { ImportedConversation } from './conversationJson.ts';
import type { ConversationStore } from './conversationStore.ts';

/**
 * The ids that conversations are given here. Others may name a device on Windows, or the same file as another one where
 * the case of letters makes no difference.
 */
const ownId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Puts an imported conversation into the store.
 *
 * @param newId makes an id that no other conversation has.
 * @returns the id it has there: a new one when its own is taken, or is none that conversations are given.
 */
export async function keepImported(
  store: Pick<ConversationStore, 'read' | 'append' | 'setChangedAt'>,
  { id, text, changedAt }: ImportedConversation,
  newId: () => string,
): Promise<string> {
  const keepAs = async (own: string) => {
    await store.append(own, text);
    await store.setChangedAt(own, changedAt);
    return own;
  };
  if (!ownId.test(id) || (await store.read(id)) !== undefined) {
    return keepAs(newId());
  }
  try {
    return await keepAs(id);
  } catch {
    // Deleted here a moment ago, and still to be brought back under its own id; anything else fails once more.
    return keepAs(newId());
  }
}
