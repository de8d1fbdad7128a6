import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isAlive, isMissing } from './fileFacts.ts';

/** How often a claim is renewed. */
const beatMs = 5_000;
/** Beats that a claim may miss: a busy extension host misses some. */
const missedBeats = 4;

/**
 * The right to send in a conversation, which one window has at a time: a file for each window that wants it, with the
 * window's process in its name and its machine inside, renewed while it is held. Who puts one there looks for others
 * afterwards, so of two that come at the same moment at least one sees the other and steps back.
 *
 * A claim counts while its process lives and renews it. A process that was killed leaves one that counts for nothing;
 * so does one whose number another program bears by now, or a process of another machine with the same home folder,
 * once it has not been renewed for 20 s. No name is used twice, so that what is found dead can be removed by anybody.
 *
 * @param folder created when first needed.
 */
export function conversationClaims(folder: string, everyMs = beatMs) {
  const own = new Set<string>();

  async function isHeld(name: string, pid: number): Promise<boolean> {
    const path = join(folder, name);
    try {
      const [{ mtimeMs }, machine] = await Promise.all([stat(path), readFile(path, 'utf8')]);
      // A clock that was set back makes it no younger.
      const isRenewed = Math.abs(Date.now() - mtimeMs) < everyMs * missedBeats;
      // Empty: it is being written.
      const isHere = machine === '' || machine === hostname();
      return isRenewed && !(isHere && (pid === process.pid || !isAlive(pid)));
    } catch (error) {
      if (isMissing(error)) {
        return false;
      }
      throw error;
    }
  }

  /** Claims of others, those that count apart from those that do not. */
  async function look(id?: string): Promise<{ held: string[]; dead: string[] }> {
    const held: string[] = [];
    const dead: string[] = [];
    for (const name of await namesIn(folder)) {
      const [, of, pid] = /^([\w-]{1,64})\.(\d+)\.[\w-]+$/.exec(name) ?? [];
      if (of !== undefined && (id === undefined || of === id) && !own.has(name)) {
        ((await isHeld(name, Number(pid))) ? held : dead).push(name);
      }
    }
    return { held, dead };
  }

  const remove = (names: readonly string[]) =>
    Promise.all(names.map((name) => rm(join(folder, name), { force: true })));

  return {
    /** @returns what gives it back; undefined when another window has it. */
    async take(id: string): Promise<(() => void) | undefined> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${id}.${process.pid}.${randomUUID()}`;
      const path = join(folder, name);
      own.add(name);
      const giveBack = () => {
        own.delete(name);
        try {
          rmSync(path, { force: true });
        } catch {
          // Nobody renews it any more.
        }
      };
      try {
        await writeFile(path, hostname(), { mode: 0o600, flag: 'wx' });
        const { held, dead } = await look(id);
        await remove(dead);
        if (held.length > 0) {
          giveBack();
          return undefined;
        }
      } catch (error) {
        giveBack();
        throw error;
      }
      const beat = setInterval(() => {
        const now = new Date();
        // Gone, or a disk that takes nothing: then it is stale in time, and two windows may send at once.
        utimes(path, now, now).catch(() => undefined);
      }, everyMs);
      beat.unref();
      return () => {
        clearInterval(beat);
        giveBack();
      };
    },
    async isTakenElsewhere(id: string): Promise<boolean> {
      return (await look(id)).held.length > 0;
    },
    /** Removes what windows that are gone have left. */
    async clear(): Promise<void> {
      await remove((await look()).dead);
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
