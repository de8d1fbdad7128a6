import { createReadStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/base/clock.ts';
import { Sequencer } from '../../core/base/sequencer.ts';
import {
  findStoredItem,
  type ModelLists,
  readStoredList,
  storedListLines,
} from '../../core/models/catalogue/storedList.ts';
import { isMissing } from './fileFacts.ts';

/**
 * Starts every file name, so that no id results in a name that Windows reserves for a device, such as `con` or `nul`.
 */
const prefix = 'models-';
const suffix = '.jsonl';

/**
 * Stores model lists as files, one per connection, readable by their owner only. A file that can't be read as a list, or
 * that another window is writing, counts as missing: the list is then read from the gateway, without cost.
 *
 * @param folder for these files alone; created when first needed.
 */
export function modelListFiles(folder: string, clock: Clock): ModelLists {
  /** By connection: writes and removals run in call order, so that a late write does not restore a removed list. */
  const sequencer = new Sequencer();
  const pathOf = (connectionId: string) => join(folder, prefix + connectionId + suffix);

  return {
    async read(connectionId, fingerprint) {
      await sequencer.settled(connectionId);
      return readStoredList(clock, linesOf(pathOf(connectionId)), connectionId, fingerprint);
    },
    async item(connectionId, fingerprint, id) {
      await sequencer.settled(connectionId);
      return findStoredItem(linesOf(pathOf(connectionId)), connectionId, fingerprint, id);
    },
    async write(connectionId, fingerprint, answer, readAt) {
      await sequencer.run(connectionId, async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(pathOf(connectionId), storedListLines(connectionId, fingerprint, answer, readAt), {
          mode: 0o600,
        });
      });
    },
    async remove(connectionId) {
      await sequencer.run(connectionId, () => rm(pathOf(connectionId), { force: true }));
    },
  };
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
