import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { errorCode } from '../../core/base/loose.ts';

/**
 * Opens a file, with its facts at that time; rejects for a folder, for a pipe, which would wait for ever, and for reading
 * a device, which may not end. A device that is written to tells itself what is wrong, such as `/dev/full`.
 */
export async function openFile(path: string, flags: number, mode?: number) {
  // Without this flag, which Windows doesn't have, opening a pipe waits for its other end.
  const file = await open(path, flags | (constants.O_NONBLOCK ?? 0), mode);
  const facts = await file.stat({ bigint: true });
  const isFile = facts.isFile() || (flags !== constants.O_RDONLY && facts.isCharacterDevice());
  if (!isFile) {
    await file.close();
    throw new Error(`Not a file: ${path}`);
  }
  return { file, facts };
}

/** Whether a process with this id is running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Whether the error says that a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}

/** What a file operation resolves to, or another one if the file or folder does not exist. */
export function unlessMissing<T, U>(operation: Promise<T>, ifMissing: () => U | Promise<U>): Promise<T | U> {
  return operation.catch((error: unknown) => {
    if (isMissing(error)) {
      return ifMissing();
    }
    throw error;
  });
}

/** The names of the entries of a folder; none when it does not exist. */
export function namesIn(folder: string): Promise<string[]> {
  return unlessMissing(readdir(folder), () => []);
}
