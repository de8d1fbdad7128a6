import { mkdir, open, readdir, readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Sequencer } from '../../core/base/sequencer.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import { DeletedElsewhereError } from '../../core/chat/store/deletedElsewhereError.ts';
import { appendLines } from './appendLines.ts';
import { conversationClaims } from './conversationClaims.ts';
import { deletedConversations } from './deletedConversations.ts';
import { isAlive, isMissing } from './fileFacts.ts';

const suffix = '.jsonl';
/** Behind the id and the number of the process that has more than the file. */
const markSuffix = '.unsaved';
const markName = /^([\w-]{1,64})\.(\d+)\.unsaved$/;
/** Beside the conversations. */
const claimsName = 'claims';
/** Read at once, and handled in well under a millisecond. */
const pieceBytes = 64 * 1024;
/** Looked at side by side. */
const statsAtOnce = 64;

/**
 * Conversations as append-only files, one line an event, readable by the person alone. Pieces for one file are written
 * in the order they came; see `appendLines` for what holds when a program is killed, a disk is full or two windows write.
 *
 * What is deleted goes to a folder beside them, from which the window that did it can bring it back.
 *
 * @param folder created when first needed.
 */
export function conversationFiles(folder: string): ConversationStore & {
  /**
   * Removes for good what was deleted by windows that are gone, or more than 30 days before `now`, and the claims of
   * windows that are gone.
   */
  clearDeleted(now: number): Promise<void>;
  /**
   * Ids of those that windows which are gone marked as unsaved, each told to one window only. Asked before this window
   * marks any.
   */
  takeUnsaved(): Promise<readonly string[]>;
} {
  /** By id: what concerns one file, in the order asked for. */
  const sequencer = new Sequencer();
  /** Files that were there: who takes one away means it, and what is said later does not begin it anew. */
  const known = new Set<string>();
  const claims = conversationClaims(join(folder, claimsName));
  const deleted = deletedConversations(folder, suffix);
  const pathOf = (id: string) => {
    if (!isId(id)) {
      throw new Error('Not the id of a conversation');
    }
    return join(folder, id + suffix);
  };
  const markOf = (id: string) => `${pathOf(id).slice(0, -suffix.length)}.${process.pid}${markSuffix}`;

  return {
    async append(id, text) {
      const path = pathOf(id);
      await sequencer.run(id, async () => {
        if (!known.has(id)) {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          if (await deleted.has(id)) {
            throw new DeletedElsewhereError();
          }
        }
        try {
          await appendLines(path, text, !known.has(id));
        } catch (error) {
          throw known.has(id) && isMissing(error) ? new DeletedElsewhereError() : error;
        }
        known.add(id);
      });
    },
    isOnDisk: async () => true,
    async read(id) {
      await sequencer.settled(id);
      try {
        const text = await readFile(pathOf(id), 'utf8');
        known.add(id);
        return text;
      } catch (error) {
        if (isMissing(error)) {
          return undefined;
        }
        throw error;
      }
    },
    async claim(id) {
      pathOf(id);
      return claims.take(id);
    },
    isClaimedElsewhere: (id) => claims.isTakenElsewhere(id),
    async *pieces(id) {
      const path = pathOf(id);
      await sequencer.settled(id);
      yield* piecesOf(path);
    },
    async list() {
      const names = (await namesIn(folder)).filter(
        (name) => name.endsWith(suffix) && isId(name.slice(0, -suffix.length)),
      );
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
    // Empty, and beside the conversations: a full disk has room for the name of a file, not for a new folder.
    markUnsaved: async (id) => writeFile(markOf(id), '', { mode: 0o600 }),
    unmarkUnsaved: async (id) => rm(markOf(id), { force: true }),
    async takeUnsaved() {
      const taken: string[] = [];
      for (const name of await namesIn(folder)) {
        const [, id, pid] = markName.exec(name) ?? [];
        // A process of our own number that marked something was another one.
        if (id !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)))) {
          try {
            // Of several windows one can remove it.
            await unlink(join(folder, name));
            taken.push(id);
          } catch (error) {
            if (!isMissing(error)) {
              throw error;
            }
          }
        }
      }
      return taken;
    },
    async setChangedAt(id, changedAt) {
      const path = pathOf(id);
      await sequencer.run(id, () => utimes(path, changedAt / 1_000, changedAt / 1_000));
    },
    async remove(id) {
      const path = pathOf(id);
      await sequencer.run(id, async () => {
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
      return sequencer.run(id, () => deleted.takeBack(id, path));
    },
    async clearDeleted(now) {
      await claims.clear();
      await deleted.clear(now);
    },
  };
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

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) {
      return [];
    }
    throw error;
  });
}

/** Windows takes some names for devices, whatever ending they have. */
function isId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text) && !/^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(text);
}
