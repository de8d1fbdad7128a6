import { link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, isAlive, isMissing, namesIn } from './fileFacts.ts';

/** Inside the folder of the conversations. */
const folderName = 'deleted';
/** Limits how long conversations are held by a window that is never closed. */
const retentionMs = 30 * 24 * 60 * 60 * 1_000;

/** Deleted conversations, which the window that deleted them can restore. Its process id is in the name of the file. */
export function deletedConversations(folder: string, suffix: string) {
  const bin = join(folder, folderName);
  const pathOf = (id: string) => join(bin, `${id}.${process.pid}${suffix}`);
  return {
    async has(id: string): Promise<boolean> {
      return (await namesIn(bin)).some((name) => name.startsWith(`${id}.`));
    },
    async put(id: string, path: string): Promise<void> {
      await mkdir(bin, { recursive: true, mode: 0o700 });
      await rename(path, pathOf(id));
    },
    /** @returns false when the deleted file is gone, or `path` exists. */
    async restore(id: string, path: string): Promise<boolean> {
      try {
        // Linked, not renamed: a rename would replace a file that was created there since.
        await link(pathOf(id), path);
      } catch (error) {
        if (isMissing(error) || hasCode(error, 'EEXIST')) {
          return false;
        }
        throw error;
      }
      await rm(pathOf(id), { force: true });
      return true;
    },
    /** Permanently removes what no window can restore any more, and what was deleted more than 30 days ago. */
    async clear(now: number): Promise<void> {
      for (const name of await namesIn(bin)) {
        const [, id = '', pid = ''] = /^([\w-]{1,64})\.(\d+)/.exec(name) ?? [];
        const path = join(bin, name);
        if (id === '' || !name.endsWith(suffix)) {
          continue;
        }
        // This process has just started, so a file with its process id is from an earlier process.
        const isRestorable =
          Number(pid) !== process.pid &&
          isAlive(Number(pid)) &&
          now -
            (await stat(path).then(
              ({ ctimeMs }) => ctimeMs,
              () => 0,
            )) <
            retentionMs;
        if (!isRestorable) {
          await rm(path, { force: true });
        }
      }
    },
  };
}
