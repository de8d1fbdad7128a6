import * as l10n from '@vscode/l10n';
import type { Clock } from '../../base/clock.ts';
import { type ConversationStore, PictureWaitsError } from './conversationStore.ts';

/**
 * Stores each conversation where the person's choice put it when it began: a conversation on disk continues there, and
 * one begun in memory, until the window closes, never reaches the disk, even if the choice changes later.
 *
 * @param isKeeping whether to store a new conversation on disk; called when it begins.
 */
export function chosenStore(
  files: ConversationStore,
  clock: Pick<Clock, 'now'>,
  isKeeping: () => boolean,
): ConversationStore {
  const memory = new Map<string, { text: string; changedAt: number; isRemoved?: boolean }>();
  /** Whether each conversation that this window has appended to is on disk. All appends await one promise, in order. */
  const chosen = new Map<string, Promise<boolean>>();
  /** Pictures by the ids of conversations and by their names: of those in memory, and those that could not be written. */
  const pictures = new Map<string, Map<string, string>>();
  const writePictures = async (id: string) => {
    for (const [name, base64] of pictures.get(id) ?? []) {
      await files.keepPicture(id, { name, base64 });
      pictures.get(id)?.delete(name);
    }
  };
  const choose = async (id: string) => !memory.has(id) && (isKeeping() || (await files.read(id)) !== undefined);
  const isOnDisk = (id: string) => chosen.get(id) ?? choose(id);
  return {
    // The locks also for one in memory, so that a window that deletes all data finds its calls.
    ...files,
    async append(id, text) {
      const choice = isOnDisk(id);
      chosen.set(id, choice);
      const isDisk = await choice.catch((error: unknown) => {
        chosen.delete(id);
        throw error;
      });
      if (isDisk) {
        await files.append(id, text);
        await writePictures(id).catch((error: unknown) => {
          throw new PictureWaitsError(error);
        });
        return;
      }
      const held = memory.get(id);
      if (held?.isRemoved) {
        throw new Error(l10n.t('This conversation was deleted.'));
      }
      memory.set(id, { text: (held?.text ?? '') + text, changedAt: clock.now() });
    },
    async keepPicture(id, { name, base64 }) {
      pictures.set(id, (pictures.get(id) ?? new Map<string, string>()).set(name, base64));
      await ((await isOnDisk(id)) && writePictures(id));
    },
    readPicture: async (id, name) => pictures.get(id)?.get(name) ?? files.readPicture(id, name),
    pictureFile: (id, name) => (pictures.get(id)?.has(name) ? undefined : files.pictureFile(id, name)),
    isOnDisk,
    async read(id) {
      const held = memory.get(id);
      return held ? (held.isRemoved ? undefined : held.text) : files.read(id);
    },
    isLockedElsewhere: async (id) => !memory.has(id) && files.isLockedElsewhere(id),
    async list() {
      const held = [...memory].filter(([, { isRemoved }]) => !isRemoved);
      const listed = held.map(([id, { text, changedAt }]) => ({ id, changedAt, size: text.length }));
      return [...listed, ...(await files.list())].sort((a, b) => b.changedAt - a.changedAt);
    },
    async setChangedAt(id, changedAt) {
      const held = memory.get(id);
      await (held ? Object.assign(held, { changedAt }) : files.setChangedAt(id, changedAt));
    },
    async remove(id) {
      const held = memory.get(id);
      await (held ? Object.assign(held, { isRemoved: true }) : files.remove(id));
    },
    async restore(id) {
      const held = memory.get(id);
      await (held ? Object.assign(held, { isRemoved: false }) : files.restore(id));
    },
  };
}
