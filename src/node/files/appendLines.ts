import { constants } from 'node:fs';
import { type FileHandle, truncate } from 'node:fs/promises';
import { openFile } from './fileFacts.ts';

/**
 * Appends whole lines to a file that other processes also append to.
 *
 * - All lines are passed to the system in one write at the end of the file, which it never interleaves with a write of
 *   another process. What exceeds the size of one write follows in further writes.
 * - They start on a line of their own, so that a partial line left by a killed process or a full disk does not swallow
 *   the next one. The end of the file is checked each time, since another process may have left a partial line.
 * - When only a part could be written, that part is removed, unless another process has written after it. The call
 *   rejects, and can be repeated.
 *
 * By default it does not wait for the disk (no `fsync`). What the system has accepted survives a kill of the process.
 * Only a power loss or a crash of the system can lose it, during the seconds until the system writes it to disk. Waiting
 * would cost up to tens of milliseconds, four times a second while an answer arrives. After a power loss a file may end
 * in a cut line or in zeros; either counts as one invalid line, and the next line is intact.
 *
 * @param mayCreate when false, rejects with `ENOENT` if the file does not exist.
 * @param isFlushed whether to wait until the lines are on disk. When that fails, it rejects although they are written.
 */
export async function appendLines(path: string, lines: string, mayCreate: boolean, isFlushed = false): Promise<void> {
  const flags = constants.O_RDWR | constants.O_APPEND | (mayCreate ? constants.O_CREAT : 0);
  // Readable by its owner only.
  const { file, facts } = await openFile(path, flags, 0o600);
  try {
    const size = Number(facts.size);
    const isLineComplete = await endsWithLineFeed(file, size);
    const bytes = Buffer.from(isLineComplete ? lines : `\n${lines}`);
    let written = 0;
    try {
      while (written < bytes.length) {
        written += (await file.write(bytes, written)).bytesWritten;
      }
    } catch (error) {
      if (written > 0 && (await file.stat()).size === size + written) {
        // A part that can't be removed stays in the file, as duplicate lines or a cut line.
        await truncate(path, size).catch(() => undefined);
      }
      throw error;
    }
    if (isLineComplete && (await continuesAPartialLine(file, size, bytes))) {
      await file.write(`\n${lines}`);
    }
    await (isFlushed && file.datasync());
  } finally {
    await file.close();
  }
}

/** Whether a process was killed in the middle of a line after this one had looked at the end of the file, so that the lines written here continue it. */
async function continuesAPartialLine(file: FileHandle, start: number, lines: Buffer): Promise<boolean> {
  const { size } = await file.stat();
  if (size <= start + lines.length) {
    return false;
  }
  const { buffer } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  return buffer.indexOf(lines) !== 0 && !buffer.includes(`\n${lines}`);
}

async function endsWithLineFeed(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) {
    return true;
  }
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 0 || buffer[0] === 0x0a;
}
