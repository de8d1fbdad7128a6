import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StateFileError } from './stateFile.ts';

/**
 * Claims a state file for this process, so that two gateways never write over each other's books. Rejects with a
 * StateFileError while a living process holds it; a claim left by a dead one is taken over. Resolves with the release.
 */
export async function claimStateFile(file: string): Promise<() => Promise<void>> {
  const claim = `${file}.lock`;
  await mkdir(path.dirname(file), { recursive: true });
  for (;;) {
    try {
      await writeFile(claim, String(process.pid), { flag: 'wx' });
      return () => rm(claim, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new StateFileError(file, (error as Error).message);
      }
    }
    const holder = Number(await readFile(claim, 'utf8').catch(() => ''));
    if (isRunning(holder)) {
      const remedy = `End that one, or name another file with --state. If it is no gateway, delete ${claim}.`;
      throw new StateFileError(file, `the gateway with process id ${holder} uses it.`, remedy);
    }
    await rm(claim, { force: true });
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
    // Alive, but another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
