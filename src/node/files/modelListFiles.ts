import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Sequencer } from '../../core/base/sequencer.ts';
import {
  findStoredItem,
  type ModelLists,
  readStoredList,
  storedListText,
} from '../../core/models/catalogue/storedList.ts';
import { hasCode, isMissing, namesIn } from './fileFacts.ts';

/**
 * Starts every file name, so that no id results in a name that Windows reserves for a device, such as `con` or `nul`.
 */
const prefix = 'models-';
const suffix = '.jsonl';

/**
 * Stores model lists as files, one per connection, readable by their owner only. A list is written to a temporary file
 * that is then renamed, so that every reader finds a whole list, the old one or the new one. A file that can't be read
 * as a list counts as missing, and is overwritten by the next list.
 *
 * @param folder for these files alone; created when first needed.
 */
export function modelListFiles(folder: string): ModelLists {
  /** By connection: writes and removals run in call order, so that a late write does not restore a removed list. */
  const sequencer = new Sequencer();

  return {
    async read(connectionId, fingerprint) {
      const path = pathOf(folder, connectionId);
      await sequencer.settled(connectionId);
      return readStoredList(linesOf(path), connectionId, fingerprint);
    },
    async item(connectionId, fingerprint, id) {
      const path = pathOf(folder, connectionId);
      await sequencer.settled(connectionId);
      return findStoredItem(linesOf(path), connectionId, fingerprint, id);
    },
    async write(connectionId, fingerprint, answer) {
      const path = pathOf(folder, connectionId);
      await sequencer.run(connectionId, async () => {
        // Not the process id: windows in containers that share this folder may have the same one.
        const temporary = `${path}.${randomUUID()}.tmp`;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        try {
          await writeFile(temporary, storedListText(connectionId, fingerprint, answer), { flag: 'wx', mode: 0o600 });
          await replace(temporary, path);
        } catch (error) {
          await rm(temporary, { force: true }).catch(() => undefined);
          throw error;
        }
      });
    },
    async remove(connectionId) {
      const path = pathOf(folder, connectionId);
      await sequencer.run(connectionId, async () => {
        await rm(path, { force: true });
        // Temporary files left by killed processes.
        for (const name of (await namesIn(folder)).filter((each) => each.startsWith(`${basename(path)}.`))) {
          await rm(join(folder, name), { force: true });
        }
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

/**
 * The lines of a file that end with a line feed; none when there is no file. Other work can run after each chunk of the
 * file, so a long list does not block it.
 */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const text of createReadStream(path, 'utf8')) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    if (!isMissing(error)) {
      throw error;
    }
  }
}

/**
 * Renames with retries: Windows refuses to replace a file that another window, or a virus scanner, has open at that
 * moment.
 */
async function replace(temporary: string, path: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(temporary, path);
      return;
    } catch (error) {
      if (attempt === 6 || !['EPERM', 'EACCES', 'EBUSY'].some((code) => hasCode(error, code))) {
        throw error;
      }
      await pause(attempt * 20);
    }
  }
}
