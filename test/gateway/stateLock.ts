import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StateFileError } from './stateFile.ts';

/**
 * Locks a state file for this process, so that two gateways never overwrite each other's state. Rejects with a
 * StateFileError while another running process holds the lock; replaces a lock whose process has ended.
 *
 * @returns a function that releases the lock.
 */
export async function lockStateFile(file: string): Promise<() => Promise<void>> {
  const lockFile = `${file}.lock`;
  await mkdir(path.dirname(file), { recursive: true });
  for (;;) {
    try {
      await writeFile(lockFile, String(process.pid), { flag: 'wx' });
      return () => rm(lockFile, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new StateFileError(file, (error as Error).message);
      }
    }
    const holder = Number(await readFile(lockFile, 'utf8').catch(() => ''));
    if (isRunning(holder)) {
      const remedy = `End that one, or name another file with --state. If it is no gateway, delete ${lockFile}.`;
      throw new StateFileError(file, `the gateway with process id ${holder} uses it.`, remedy);
    }
    await rm(lockFile, { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) {
    return false;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process runs, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
