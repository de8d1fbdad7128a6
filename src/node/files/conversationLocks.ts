import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { LockHolder } from '../../core/chat/store/conversationStore.ts';
import { isAlive, namesIn, unlessMissing } from './fileFacts.ts';

/** How often a held lock is renewed. */
const renewalMs = 5_000;
/** How many renewals a lock may miss: a busy extension host misses some. */
const maxMissedRenewals = 4;
/** In the name of a lock for deleting all data, in place of an id; no id has its character. */
const everything = '~all';
const lockName = /^([\w-]{1,64}|~all)\.(\d+)\.[\w-]+$/;

/**
 * Locks that let one window at a time send in a conversation, and none while a window deletes all data. Each window that
 * requests a lock creates a file with the window's process id in its name and the host name inside, and renews it while
 * it holds the lock. It checks for other locks after creating its own, so of two that are requested at the same moment
 * at least one is withdrawn.
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
    const facts = await unlessMissing(Promise.all([stat(path), readFile(path, 'utf8')]), () => undefined);
    if (facts === undefined) {
      return false;
    }
    const [{ mtimeMs }, machine] = facts;
    // The absolute difference, so that setting the clock back does not make a lock younger.
    const isRenewed = Math.abs(Date.now() - mtimeMs) < intervalMs * maxMissedRenewals;
    // An empty file is still being written.
    const isHere = machine === '' || machine === hostname();
    return isRenewed && !(isHere && (pid === process.pid || !isAlive(pid)));
  }

  /** What locks are for: the held ones, and the names of dead ones that do not count. */
  async function readLocks(
    isWanted: (id: string, isOwn: boolean) => boolean,
  ): Promise<{ held: string[]; dead: string[] }> {
    const held: string[] = [];
    const dead: string[] = [];
    for (const name of await namesIn(folder)) {
      const [, id, pid] = lockName.exec(name) ?? [];
      const isOwn = own.has(name);
      if (id !== undefined && isWanted(id, isOwn)) {
        if (isOwn || (await isHeld(name, Number(pid)))) {
          held.push(id);
        } else {
          dead.push(name);
        }
      }
    }
    return { held, dead };
  }

  const remove = (names: readonly string[]) =>
    Promise.all(names.map((name) => rm(join(folder, name), { force: true })));

  /**
   * Takes a lock unless one that excludes it is held.
   *
   * @returns a function that releases it; or what the other locks are for.
   */
  async function takeUnless(
    isExcluding: (id: string, isOwn: boolean) => boolean,
    wanted: string,
  ): Promise<(() => void) | readonly string[]> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${wanted}.${process.pid}.${randomUUID()}`;
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
      const { held, dead } = await readLocks(isExcluding);
      await remove(dead);
      if (held.length > 0) {
        release();
        return held;
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
  }

  return {
    /** See `ConversationStore.lock`. The last lock of this window may not be released yet. */
    async take(id: string): Promise<(() => void) | LockHolder> {
      const taken = await takeUnless((each, isOwn) => each === everything || (each === id && !isOwn), id);
      return typeof taken === 'function' ? taken : taken.includes(everything) ? 'deletion' : 'otherWindow';
    },
    /** See `ConversationStore.lockAll`. */
    async takeAll(): Promise<(() => void) | undefined> {
      const taken = await takeUnless((each) => each !== everything, everything);
      return typeof taken === 'function' ? taken : undefined;
    },
    async isTakenElsewhere(id: string): Promise<boolean> {
      return (await readLocks((each, isOwn) => each === id && !isOwn)).held.length > 0;
    },
    /** Removes the locks of closed windows. */
    async clear(): Promise<void> {
      await remove((await readLocks(() => true)).dead);
    },
  };
}
