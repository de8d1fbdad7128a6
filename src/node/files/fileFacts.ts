import { readdir } from 'node:fs/promises';

/** Whether a process with this id is running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** Whether the error says that a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** The names of the entries of a folder; none when it does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) {
      return [];
    }
    throw error;
  });
}
