import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isAlive, isMissing, namesIn } from './fileFacts.ts';

/** How often a held lock is renewed. */
const renewalMs = 5_000;
/** How many renewals a lock may miss: a busy extension host misses some. */
const maxMissedRenewals = 4;

/**
 * Locks that let one window at a time send in a conversation. Each window that requests a lock creates a file with the
 * window's process id in its name and the host name inside, and renews it while it holds the lock. It checks for other
 * locks after creating its own, so of two windows that request one at the same moment at least one finds the other and
 * withdraws.
 *
 * A lock counts while its process is alive and renews it. The lock of a killed process does not count. A lock that has
 * not been renewed for 20 s does not count either: its process id may belong to another program by now, or its process
 * may have run on another machine with the same home folder. No name is used twice, so any window can remove
 * a lock that does not count.
 *
 * @param folder created when first needed.
 */
export function conversationLocks(folder: string, intervalMs = renewalMs) {
  const own = new Set<string>();

  async function isHeld(name: string, pid: number): Promise<boolean> {
    const path = join(folder, name);
    try {
      const [{ mtimeMs }, machine] = await Promise.all([stat(path), readFile(path, 'utf8')]);
      // The absolute difference, so that setting the clock back does not make a lock younger.
      const isRenewed = Math.abs(Date.now() - mtimeMs) < intervalMs * maxMissedRenewals;
      // An empty file is still being written.
      const isHere = machine === '' || machine === hostname();
      return isRenewed && !(isHere && (pid === process.pid || !isAlive(pid)));
    } catch (error) {
      if (isMissing(error)) {
        return false;
      }
      throw error;
    }
  }

  /** The locks of other windows: the held ones, and the dead ones that do not count. */
  async function readLocks(id?: string): Promise<{ held: string[]; dead: string[] }> {
    const held: string[] = [];
    const dead: string[] = [];
    for (const name of await namesIn(folder)) {
      const [, lockedId, pid] = /^([\w-]{1,64})\.(\d+)\.[\w-]+$/.exec(name) ?? [];
      if (lockedId !== undefined && (id === undefined || lockedId === id) && !own.has(name)) {
        ((await isHeld(name, Number(pid))) ? held : dead).push(name);
      }
    }
    return { held, dead };
  }

  const remove = (names: readonly string[]) =>
    Promise.all(names.map((name) => rm(join(folder, name), { force: true })));

  return {
    /** @returns a function that releases the lock; undefined when another window holds it. */
    async take(id: string): Promise<(() => void) | undefined> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${id}.${process.pid}.${randomUUID()}`;
      const path = join(folder, name);
      own.add(name);
      const release = () => {
        own.delete(name);
        try {
          rmSync(path, { force: true });
        } catch {
          // It expires, since it is no longer renewed.
        }
      };
      try {
        await writeFile(path, hostname(), { mode: 0o600, flag: 'wx' });
        const { held, dead } = await readLocks(id);
        await remove(dead);
        if (held.length > 0) {
          release();
          return undefined;
        }
      } catch (error) {
        release();
        throw error;
      }
      const renewal = setInterval(() => {
        const now = new Date();
        // The file is gone or the disk refuses writes: the lock expires, and two windows may send at once.
        utimes(path, now, now).catch(() => undefined);
      }, intervalMs);
      renewal.unref();
      return () => {
        clearInterval(renewal);
        release();
      };
    },
    async isTakenElsewhere(id: string): Promise<boolean> {
      return (await readLocks(id)).held.length > 0;
    },
    /** Removes the locks of closed windows. */
    async clear(): Promise<void> {
      await remove((await readLocks()).dead);
    },
  };
}
