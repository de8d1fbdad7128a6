import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pictureName } from '../../core/base/pictures.ts';
import { Sequencer } from '../../core/base/sequencer.ts';
import { type ConversationStore, deletedElsewhere } from '../../core/chat/store/conversationStore.ts';
import { appendLines } from './appendLines.ts';
import { conversationLocks } from './conversationLocks.ts';
import { isAlive, isMissing, namesIn, unlessMissing } from './fileFacts.ts';

const suffix = '.jsonl';
/** Limits how long conversations are held by a window that is never closed. */
const retentionMs = 30 * 24 * 60 * 60 * 1_000;
/** The folder of the locks, inside the folder of the conversations. */
const locksFolderName = 'claims';
/** The folder of pictures, inside that folder: it has a folder for each conversation whose answers have some. */
const picturesFolderName = 'pictures';

/** The last time that all file systems can store, in Unix seconds; an imported conversation may be from any time. */
const lastSecond = 2 ** 31 - 1;

/**
 * Stores conversations as append-only files, one line per event, readable by their owner only. Writes to one file are
 * made in call order; see `appendLines` for what holds when a process is killed, a disk is full or two windows write.
 *
 * Deleted conversations are moved to a subfolder, from which the window that deleted them can restore them. Their pictures
 * stay in place until they can't be restored any more.
 *
 * @param folder created when first needed.
 */
export function conversationFiles(folder: string): ConversationStore & {
  /**
   * Permanently removes the conversations that closed windows deleted, and those that were deleted more than 30 days
   * before `now`, with their pictures. Also removes the locks of closed windows.
   */
  clearDeleted(now: number): Promise<void>;
} {
  /** By id: operations on one file run in call order. */
  const sequencer = new Sequencer();
  /** Conversations whose file has existed. If it is missing, it was deleted on purpose and is not created again. */
  const known = new Set<string>();
  const locks = conversationLocks(join(folder, locksFolderName));
  const deleted = deletedConversations(folder);
  const pathOf = (id: string) => {
    if (!isId(id)) {
      throw new Error('Not the id of a conversation');
    }
    return join(folder, id + suffix);
  };

  const pictures = join(folder, picturesFolderName);
  const pictureFile = (id: string, name: string) => {
    pathOf(id);
    if (!pictureName.test(name)) {
      throw new Error('Not the name of a picture');
    }
    return join(pictures, id, name);
  };

  return {
    async keepPicture(id, { name, base64 }) {
      const path = pictureFile(id, name);
      await mkdir(join(pictures, id), { recursive: true, mode: 0o700 });
      await writeFile(path, base64, { encoding: 'base64', mode: 0o600 });
    },
    readPicture: async (id, name) => unlessMissing(readFile(pictureFile(id, name), 'base64'), () => undefined),
    pictureFile,
    async append(id, text) {
      const path = pathOf(id);
      await sequencer.run(id, async () => {
        if (!known.has(id)) {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          if (await deleted.has(id)) {
            throw deletedElsewhere();
          }
        }
        try {
          await appendLines(path, text, !known.has(id));
        } catch (error) {
          throw known.has(id) && isMissing(error) ? deletedElsewhere() : error;
        }
        known.add(id);
      });
    },
    isOnDisk: async () => true,
    async read(id) {
      await sequencer.settled(id);
      const text = await unlessMissing(readFile(pathOf(id), 'utf8'), () => undefined);
      if (text !== undefined) {
        known.add(id);
      }
      return text;
    },
    async lock(id) {
      pathOf(id);
      return locks.take(id);
    },
    isAnyLocked: () => locks.isAnyTaken(),
    isLockedElsewhere: (id) => locks.isTakenElsewhere(id),
    async list() {
      const names = (await namesIn(folder)).filter(
        (name) => name.endsWith(suffix) && isId(name.slice(0, -suffix.length)),
      );
      const found = await Promise.all(
        names.map(async (name) => {
          // Skips what is not a file or was just deleted.
          const file = await stat(join(folder, name)).catch(() => undefined);
          return file?.isFile()
            ? [{ id: name.slice(0, -suffix.length), changedAt: file.mtimeMs, size: file.size }]
            : [];
        }),
      );
      return found.flat().sort((a, b) => b.changedAt - a.changedAt);
    },
    async setChangedAt(id, changedAt) {
      const path = pathOf(id);
      const seconds = Math.min(changedAt / 1_000, lastSecond);
      await sequencer.run(id, () => utimes(path, seconds, seconds));
    },
    async remove(id) {
      const path = pathOf(id);
      // Another window may have deleted it already.
      await sequencer.run(id, () => unlessMissing(deleted.put(id, path), () => undefined));
    },
    async restore(id) {
      const path = pathOf(id);
      return sequencer.run(id, () => deleted.restore(id, path));
    },
    async clearDeleted(now) {
      await locks.clear();
      await deleted.clear(now);
      for (const id of await namesIn(pictures)) {
        if (isId(id) && !(await deleted.has(id)) && !(await hasFile(pathOf(id)))) {
          await rm(join(pictures, id), { recursive: true, force: true });
        }
      }
    },
  };
}

async function hasFile(path: string): Promise<boolean> {
  return (await stat(path).catch((error: unknown) => (isMissing(error) ? undefined : true))) !== undefined;
}

/** Excludes names that Windows reserves for devices, whatever their extension. */
function isId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text) && !/^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(text);
}

/** Deleted conversations, which the window that deleted them can restore. Its process id is in the name of the file. */
function deletedConversations(folder: string) {
  const bin = join(folder, 'deleted');
  const pathOf = (id: string) => join(bin, `${id}.${process.pid}${suffix}`);
  return {
    async has(id: string): Promise<boolean> {
      return (await namesIn(bin)).some((name) => name.startsWith(`${id}.`));
    },
    async put(id: string, path: string): Promise<void> {
      await mkdir(bin, { recursive: true, mode: 0o700 });
      await rename(path, pathOf(id));
    },
    restore: (id: string, path: string): Promise<void> => rename(pathOf(id), path),
    /** Permanently removes what no window can restore any more, and what was deleted more than 30 days ago. */
    async clear(now: number): Promise<void> {
      for (const name of await namesIn(bin)) {
        const [, id = '', pid = ''] = /^([\w-]{1,64})\.(\d+)/.exec(name) ?? [];
        const path = join(bin, name);
        if (id === '' || !name.endsWith(suffix)) {
          continue;
        }
        const { ctimeMs } = await stat(path).catch(() => ({ ctimeMs: 0 }));
        // This process has just started, so a file with its process id is from an earlier process.
        const isRestorable = Number(pid) !== process.pid && isAlive(Number(pid)) && now - ctimeMs < retentionMs;
        if (!isRestorable) {
          await rm(path, { force: true });
        }
      }
    },
  };
}
