import { link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, isAlive, isMissing } from './fileFacts.ts';

/** Beside the conversations. */
const folderName = 'deleted';
/** For who never closes a window. */
const keptMs = 30 * 24 * 60 * 60 * 1_000;

/** What was deleted and can be brought back by the window that did it. A file's name says which one that was. */
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
    /** @returns false when it is gone, or `path` is taken. */
    async takeBack(id: string, path: string): Promise<boolean> {
      try {
        // Linked and not renamed: that would replace what has come into its place.
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
    /** Removes for good what no window can bring back any more, and what is older than a month. */
    async clear(now: number): Promise<void> {
      for (const name of await namesIn(bin)) {
        const [, id = '', pid = ''] = /^([\w-]{1,64})\.(\d+)/.exec(name) ?? [];
        const path = join(bin, name);
        if (id === '' || !name.endsWith(suffix)) {
          continue;
        }
        // This one has just begun: what bears its number is from another that is gone.
        const isKept =
          Number(pid) !== process.pid &&
          isAlive(Number(pid)) &&
          now -
            (await stat(path).then(
              ({ ctimeMs }) => ctimeMs,
              () => 0,
            )) <
            keptMs;
        if (!isKept) {
          await rm(path, { force: true });
        }
      }
    },
  };
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) {
      return [];
    }
    throw error;
  });
}
