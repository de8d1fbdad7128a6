import { constants } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Sequencer } from '../../core/base/sequencer.ts';
import type { LedgerStore } from '../../core/usage/ledger.ts';
import { appendLines } from './appendLines.ts';
import { namesIn, openFile, unlessMissing } from './fileFacts.ts';

const fileName = /^(\d{4}-\d{2})\.jsonl$/;

/**
 * Stores the ledger as one append-only file a month, `usage/2026-11.jsonl`, readable by its owner only. Several windows
 * may write to it; see `appendLines`.
 *
 * @param folder of the extension; the folder in it is created when first needed.
 */
export function ledgerFiles(folder: string): LedgerStore {
  const usageFolder = join(folder, 'usage');
  /** By month: writes and removals run in call order. */
  const sequencer = new Sequencer();
  const pathOf = (month: string) => join(usageFolder, `${month}.jsonl`);

  return {
    async append(month, lines) {
      const append = () => appendLines(pathOf(month), lines, true, true);
      const makeFolder = () => mkdir(usageFolder, { recursive: true, mode: 0o700 });
      await sequencer.run(month, () => unlessMissing(append(), () => makeFolder().then(append)));
    },
    async months() {
      return (await namesIn(usageFolder)).flatMap((name) => fileName.exec(name)?.[1] ?? []);
    },
    async read(month, from) {
      await sequencer.settled(month);
      return unlessMissing(readFrom(pathOf(month), from), () => ({ file: '', bytes: new Uint8Array() }));
    },
    async remove(month) {
      await sequencer.run(month, () => rm(pathOf(month), { force: true }));
    },
  };
}

async function readFrom(path: string, from: number): ReturnType<LedgerStore['read']> {
  const { file, facts } = await openFile(path, constants.O_RDONLY);
  try {
    const bytes = new Uint8Array(Math.max(0, Number(facts.size) - from));
    let length = 0;
    for (let bytesRead = 1; length < bytes.length && bytesRead > 0; length += bytesRead) {
      ({ bytesRead } = await file.read(bytes, length, bytes.length - length, from + length));
    }
    // A number of a file is given again after it was removed.
    return { file: `${facts.ino} ${facts.birthtimeNs}`, bytes: bytes.subarray(0, length) };
  } finally {
    await file.close();
  }
}
