import { constants, rmSync } from 'node:fs';
import { appendFile, link, mkdir, open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversationStore } from '../core/chat/conversationStore.ts';
import { deletedConversations } from './deletedConversations.ts';
import { hasCode, isAlive, isMissing } from './fileFacts.ts';

const suffix = '.jsonl';
/** Read at once, and handled in well under a millisecond. */
const pieceBytes = 64 * 1024;
/** Looked at side by side. */
const statsAtOnce = 64;

/**
 * Conversations as append-only files, one line an event, readable by the person alone. Pieces for one file are written
 * in the order they came.
 *
 * What is deleted goes to a folder beside them, from which the window that did it can bring it back.
 *
 * @param folder created when first needed.
 */
export function conversationFiles(folder: string): ConversationStore & {
  /** Removes for good what was deleted by windows that are gone, or more than 30 days before `now`. */
  clearDeleted(now: number): Promise<void>;
} {
  const queues = new Map<string, Promise<void>>();
  /** Files known to end in a whole line. */
  const sound = new Set<string>();
  const deleted = deletedConversations(folder, suffix);
  const pathOf = (id: string) => {
    if (!isId(id)) {
      throw new Error('Not the id of a conversation');
    }
    return join(folder, id + suffix);
  };
  /** What concerns one file, in the order asked for. */
  async function inTurn<T>(id: string, run: () => Promise<T>): Promise<T> {
    const done = (queues.get(id) ?? Promise.resolve()).then(run);
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    queues.set(id, settled);
    try {
      return await done;
    } finally {
      if (queues.get(id) === settled) {
        queues.delete(id);
      }
    }
  }

  return {
    async append(id, text) {
      const path = pathOf(id);
      await inTurn(id, async () => {
        if (sound.delete(id)) {
          // Without creating it: one that another window deleted does not begin anew with what is said now.
          await appendFile(path, text, { flag: constants.O_WRONLY | constants.O_APPEND }).catch(refuseDeleted);
        } else {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          if (await deleted.has(id)) {
            throw new Error(deletedMeanwhile);
          }
          // A line that a killed program or a full disk left half written must not swallow the next one.
          await appendFile(path, (await endsInLine(path)) ? text : `\n${text}`, { mode: 0o600 });
        }
        sound.add(id);
      });
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
    async *pieces(id) {
      const path = pathOf(id);
      await queues.get(id);
      yield* piecesOf(path);
    },
    async list() {
      const names = (
        await readdir(folder).catch((error: unknown) => {
          if (isMissing(error)) {
            return [];
          }
          throw error;
        })
      ).filter((name) => name.endsWith(suffix) && isId(name.slice(0, -suffix.length)));
      const found: { id: string; changedAt: number; size: number }[] = [];
      for (let from = 0; from < names.length; from += statsAtOnce) {
        const facts = await Promise.all(
          names
            .slice(from, from + statsAtOnce)
            // What was deleted meanwhile, or is no file, is none of ours.
            .map(async (name) => ({ name, facts: await stat(join(folder, name)).catch(() => undefined) })),
        );
        for (const { name, facts: file } of facts) {
          if (file?.isFile()) {
            found.push({ id: name.slice(0, -suffix.length), changedAt: file.mtimeMs, size: file.size });
          }
        }
      }
      return found.sort((a, b) => b.changedAt - a.changedAt);
    },
    async setChangedAt(id, changedAt) {
      const path = pathOf(id);
      await inTurn(id, () => utimes(path, changedAt / 1_000, changedAt / 1_000));
    },
    async remove(id) {
      const path = pathOf(id);
      await inTurn(id, async () => {
        sound.delete(id);
        // Deleted elsewhere already is as good.
        await deleted.put(id, path).catch((error: unknown) => {
          if (!isMissing(error)) {
            throw error;
          }
        });
      });
    },
    async restore(id) {
      const path = pathOf(id);
      return inTurn(id, () => deleted.takeBack(id, path));
    },
    clearDeleted: (now) => deleted.clear(now),
  };
}

const deletedMeanwhile = 'It was deleted in another window.';

function refuseDeleted(error: unknown): never {
  throw isMissing(error) ? new Error(deletedMeanwhile) : error;
}

/** Nothing when there is no such file. Characters that stand across a border come whole. */
async function* piecesOf(path: string): AsyncGenerator<string> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (isMissing(error)) {
      return;
    }
    throw error;
  }
  try {
    const decoder = new TextDecoder();
    const buffer = Buffer.allocUnsafe(pieceBytes);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, pieceBytes);
      if (bytesRead > 0) {
        yield decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
      }
      if (bytesRead < pieceBytes) {
        break;
      }
    }
    const rest = decoder.decode();
    if (rest !== '') {
      yield rest;
    }
  } finally {
    await file.close();
  }
}

/** A claim counts while the process that made it lives. A window that crashed leaves one that does not. */
async function isHeldElsewhere(path: string): Promise<boolean> {
  const holder = Number(await readAt(path, () => 0, 20));
  if (!Number.isInteger(holder) || holder <= 0 || holder === process.pid) {
    return false;
  }
  return isAlive(holder);
}

function isId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}

async function endsInLine(path: string): Promise<boolean> {
  const last = await readAt(path, (size) => Math.max(0, size - 1), 1);
  return last === '' || last === '\n';
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
