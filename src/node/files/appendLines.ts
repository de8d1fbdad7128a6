import { constants } from 'node:fs';
import { type FileHandle, open, truncate } from 'node:fs/promises';

/**
 * Appends whole lines to a file that other processes append to as well.
 *
 * - All of them go to the system in one write at the file's end, which it does not mix with the write of another
 *   process. What is longer than it takes at once follows in further ones.
 * - They begin on a line of their own: a line that a killed process or a full disk left half written must not swallow
 *   the next one. Looked at each time, since that process may have been another one than ours. One that is only just
 *   writing looks the same: then an empty line comes between the two.
 * - When not all of it could be written, what was is taken back, unless somebody has written behind it: rejects, and
 *   the same may be asked for again.
 *
 * It does not wait for the disk (no `fsync`). What the system has taken is no longer in the process, and survives its
 * kill; only a loss of power or a crash of the system itself can take it, for the seconds until the system writes by
 * itself. To wait instead would cost milliseconds to tens of them four times a second while an answer arrives, and
 * before each question leaves. After a loss of power a file may end in a cut line or in zeros; both are a line that
 * can not be read, and the next one begins behind it.
 *
 * @param mayCreate without it, rejects with `ENOENT` when there is no such file.
 */
export async function appendLines(path: string, lines: string, mayCreate: boolean): Promise<void> {
  const flags = constants.O_RDWR | constants.O_APPEND | (mayCreate ? constants.O_CREAT : 0);
  // Readable by the person alone.
  const file = await open(path, flags, 0o600);
  try {
    const { size } = await file.stat();
    const endsWell = await endsInLine(file, size);
    const bytes = Buffer.from(endsWell ? lines : `\n${lines}`);
    let written = 0;
    try {
      while (written < bytes.length) {
        written += (await file.write(bytes, written)).bytesWritten;
      }
    } catch (error) {
      if (written > 0 && (await file.stat()).size === size + written) {
        // What can not be taken back stays, as lines that come twice or one that is cut.
        await truncate(path, size).catch(() => undefined);
      }
      throw error;
    }
    if (endsWell && (await isBehindHalfLine(file, size, bytes))) {
      // The copy that is part of that line can not be read, and so is none.
      await file.appendFile(`\n${lines}`);
    }
  } finally {
    await file.close();
  }
}

/** Whether another process was killed in the middle of a line between our look at the end and our write there. */
async function isBehindHalfLine(file: FileHandle, from: number, bytes: Buffer): Promise<boolean> {
  const { size } = await file.stat();
  if (size === from + bytes.length) {
    return false;
  }
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
  const at = buffer.subarray(0, bytesRead).indexOf(bytes);
  return at > 0 && buffer[at - 1] !== 0x0a;
}

async function endsInLine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) {
    return true;
  }
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 0 || buffer[0] === 0x0a;
}
