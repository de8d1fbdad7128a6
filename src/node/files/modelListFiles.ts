import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Sequencer } from '../../core/base/sequencer.ts';
import {
  type ModelLists,
  StoredItemReader,
  StoredListReader,
  storedListText,
} from '../../core/models/catalogue/storedList.ts';

/** In front of every name, so that no id can make a name that Windows keeps for a device, such as `con` or `nul`. */
const prefix = 'models-';
const suffix = '.jsonl';
/** Read at once; parsed in about a millisecond. */
const pieceBytes = 64 * 1024;
/** No list of ours is larger; a file that is was not written by us. */
const maxFileBytes = 64 * 1024 * 1024;
/** Older than this, what a killed program was writing is rubbish. */
const staleMs = 60 * 60 * 1_000;

/**
 * Model lists as files, one a connection, readable by the person alone. A list is written beside the file and renamed
 * over it, so that whoever reads finds a whole list, the old one or the new one. What can not be read as a list is as
 * good as not there, and is overwritten by the next one.
 *
 * @param folder for these files alone; created when first needed.
 */
export function modelListFiles(folder: string): ModelLists {
  /** By connection: writing and removing in the order asked for, so that no late write brings back what was removed. */
  const sequencer = new Sequencer();

  return {
    async read(connectionId, fingerprint) {
      const path = pathOf(folder, connectionId);
      await sequencer.settled(connectionId);
      const reader = new StoredListReader(connectionId, fingerprint);
      return (await readText(path, reader)) ? reader.end() : undefined;
    },
    async item(connectionId, fingerprint, id) {
      const path = pathOf(folder, connectionId);
      await sequencer.settled(connectionId);
      const reader = new StoredItemReader(connectionId, fingerprint, id);
      await readText(path, reader);
      return reader.item;
    },
    async write(connectionId, fingerprint, kept) {
      const path = pathOf(folder, connectionId);
      await sequencer.run(connectionId, async () => {
        // Windows in containers that share this folder may have the same process id.
        const own = `${path}.${randomUUID()}.tmp`;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        try {
          await writePieces(own, storedListText(connectionId, fingerprint, kept));
          await replace(own, path);
        } catch (error) {
          await rm(own, { force: true }).catch(() => undefined);
          throw error;
        }
        await sweep(folder, path, Date.now() - staleMs);
      });
    },
    async remove(connectionId) {
      const path = pathOf(folder, connectionId);
      await sequencer.run(connectionId, async () => {
        await rm(path, { force: true });
        await sweep(folder, path, Number.POSITIVE_INFINITY);
      });
    },
  };
}

function pathOf(folder: string, connectionId: string): string {
  if (!/^[\w-]{1,64}$/.test(connectionId)) {
    throw new Error('Not the id of a connection');
  }
  return join(folder, prefix + connectionId + suffix);
}

/** @returns whether there was a file and the reader wanted all of it. */
async function readText(path: string, reader: { feed(text: string): boolean }): Promise<boolean> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      return false;
    }
    throw error;
  }
  try {
    const facts = await file.stat();
    if (!facts.isFile() || facts.size > maxFileBytes) {
      return false;
    }
    const decoder = new TextDecoder();
    const buffer = Buffer.allocUnsafe(pieceBytes);
    // Each read gives way to whatever else waits, so that a long list is parsed in many short turns.
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, pieceBytes);
      if (bytesRead === 0) {
        return reader.feed(decoder.decode());
      }
      if (!reader.feed(decoder.decode(buffer.subarray(0, bytesRead), { stream: true }))) {
        return false;
      }
    }
  } finally {
    await file.close();
  }
}

async function writePieces(path: string, pieces: Iterable<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for (const piece of pieces) {
      await file.writeFile(piece);
    }
  } finally {
    await file.close();
  }
}

/** Windows refuses to replace a file that another window, or a virus scanner, has open at that moment. */
async function replace(own: string, path: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(own, path);
      return;
    } catch (error) {
      if (attempt === 6 || !hasCode(error, 'EPERM', 'EACCES', 'EBUSY')) {
        throw error;
      }
      await pause(attempt * 20);
    }
  }
}

/** Clears away what killed programs left half written; of no consequence when it fails. */
async function sweep(folder: string, path: string, olderThan: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const left = join(folder, name);
    if (left.startsWith(`${path}.`) && left.endsWith('.tmp')) {
      const changedAt = await stat(left).then(
        ({ mtimeMs }) => mtimeMs,
        () => Number.POSITIVE_INFINITY,
      );
      if (changedAt < olderThan) {
        await rm(left, { force: true }).catch(() => undefined);
      }
    }
  }
}

function hasCode(error: unknown, ...codes: readonly unknown[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(error.code);
}
