import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, namesIn, unlessMissing } from './fileFacts.ts';

/** How often a held lock is renewed. */
const renewalMs = 5_000;
/** How many renewals a lock may miss: a busy extension host misses some. */
const maxMissedRenewals = 4;
const lockName = /^[\w-]{1,64}\.\d+\.[\w-]+$/;

/**
 * Locks that let one window at a time send in a conversation. Each window that requests a lock creates an empty file with
 * the window's process id in its name, and renews it while it holds the lock. It checks for other locks after creating its
 * own, so of two that are requested at the same moment at least one is withdrawn.
 *
 * A lock counts while its process is alive and renews it. The lock of a killed process does not count. A lock that has
 * not been renewed for 20 s does not count either: its process id may belong to another program by now. No name is used
 * twice, so any window can remove a lock that does not count.
 *
 * @param folder created when first needed.
 */
export function conversationLocks(folder: string, intervalMs = renewalMs) {
  const own = new Set<string>();

  async function isHeld(name: string): Promise<boolean> {
    if (own.has(name)) {
      return true;
    }
    const pid = Number(name.split('.')[1]);
    const facts = await unlessMissing(stat(join(folder, name)), () => undefined);
    if (facts === undefined || pid === process.pid || !isAlive(pid)) {
      return false;
    }
    // The absolute difference, so that setting the clock back does not make a lock younger.
    return Math.abs(Date.now() - facts.mtimeMs) < intervalMs * maxMissedRenewals;
  }

  async function isAnyHeld(names: readonly string[]): Promise<boolean> {
    return (await Promise.all(names.map(isHeld))).includes(true);
  }

  /** Whether another window holds the lock; the last one of this window may not be released yet. */
  async function isTakenElsewhere(id: string): Promise<boolean> {
    return isAnyHeld((await namesIn(folder)).filter((name) => name.startsWith(`${id}.`) && !own.has(name)));
  }

  /** See `ConversationStore.lock`. */
  async function take(id: string): Promise<(() => void) | undefined> {
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
      await writeFile(path, '', { mode: 0o600, flag: 'wx' });
      if (await isTakenElsewhere(id)) {
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
  }

  return {
    take,
    isTakenElsewhere,
    isAnyTaken: async (): Promise<boolean> => isAnyHeld(await namesIn(folder)),
    /** Removes the locks of closed windows. */
    async clear(): Promise<void> {
      for (const name of (await namesIn(folder)).filter((each) => lockName.test(each))) {
        await ((await isHeld(name)) || rm(join(folder, name), { force: true }));
      }
    },
  };
}
