import { rmSync } from 'node:fs';
import { appendFile, link, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversationStore } from '../core/chat/conversationStore.ts';

const suffix = '.jsonl';
/** The title stands in the first lines. */
const headBytes = 8 * 1024;

/**
 * Conversations as append-only files, one line an event, readable by the person alone. Pieces for one file are written
 * in the order they came.
 *
 * @param folder created when first needed.
 */
export function conversationFiles(folder: string): ConversationStore {
  const queues = new Map<string, Promise<void>>();
  /** Files known to end in a whole line. */
  const sound = new Set<string>();
  const pathOf = (id: string) => {
    if (!isId(id)) {
      throw new Error('Not the id of a conversation');
    }
    return join(folder, id + suffix);
  };
  return {
    async append(id, text) {
      const path = pathOf(id);
      const write = async () => {
        if (sound.delete(id)) {
          await appendFile(path, text, { mode: 0o600 });
        } else {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          // A line that a killed program or a full disk left half written must not swallow the next one.
          await appendFile(path, (await endsInLine(path)) ? text : `\n${text}`, { mode: 0o600 });
        }
        sound.add(id);
      };
      const done = (queues.get(id) ?? Promise.resolve()).then(write);
      queues.set(
        id,
        done.catch(() => undefined),
      );
      await done;
    },
    async read(id) {
      await queues.get(id);
      try {
        return await readFile(pathOf(id), 'utf8');
      } catch (error) {
        if (isMissing(error)) {
          return undefined;
        }
        throw error;
      }
    },
    async claim(id) {
      const path = `${pathOf(id)}.lock`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const own = `${path}.${process.pid}`;
      await writeFile(own, String(process.pid), { mode: 0o600 });
      try {
        for (let attempt = 1; ; attempt++) {
          try {
            // Linked and not written: whoever finds the file finds the number in it.
            await link(own, path);
            return () => rmSync(path, { force: true });
          } catch (error) {
            if (!hasCode(error, 'EEXIST') || attempt === 3) {
              throw error;
            }
            if (await isHeldElsewhere(path)) {
              return undefined;
            }
            await rm(path, { force: true });
          }
        }
      } finally {
        await rm(own, { force: true });
      }
    },
    isClaimedElsewhere: async (id) => isHeldElsewhere(`${pathOf(id)}.lock`),
    async recent(limit) {
      const names = await readdir(folder).catch((error: unknown) => {
        if (isMissing(error)) {
          return [];
        }
        throw error;
      });
      const found = await Promise.all(
        names
          .filter((name) => name.endsWith(suffix) && isId(name.slice(0, -suffix.length)))
          .map(async (name) => ({ name, facts: await stat(join(folder, name)).catch(() => undefined) })),
      );
      // What was deleted meanwhile, or is no file, is none of ours.
      const files = found.flatMap(({ name, facts }) => (facts?.isFile() ? [{ name, changedAt: facts.mtimeMs }] : []));
      files.sort((a, b) => b.changedAt - a.changedAt);
      return Promise.all(
        files.slice(0, limit).map(async ({ name, changedAt }) => ({
          id: name.slice(0, -suffix.length),
          changedAt,
          head: await readHead(join(folder, name)),
        })),
      );
    },
  };
}

/** A claim counts while the process that made it lives. A window that crashed leaves one that does not. */
async function isHeldElsewhere(path: string): Promise<boolean> {
  const holder = Number(await readAt(path, () => 0, 20));
  if (!Number.isInteger(holder) || holder <= 0 || holder === process.pid) {
    return false;
  }
  try {
    process.kill(holder, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

function isId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}

async function endsInLine(path: string): Promise<boolean> {
  const last = await readAt(path, (size) => Math.max(0, size - 1), 1);
  return last === '' || last === '\n';
}

async function readHead(path: string): Promise<string> {
  return readAt(path, () => 0, headBytes);
}

async function readAt(path: string, position: (size: number) => number, length: number): Promise<string> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (isMissing(error)) {
      return '';
    }
    throw error;
  }
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position(size));
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
