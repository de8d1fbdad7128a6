import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './endings.ts';

/** Makes a folder that is gone at the end of this process, whatever ends it short of a kill. */
export function makeTemporary(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `ask-model-${name}-`));
  atEnd(() => removeTemporary(folder));
  return folder;
}

/** Removes such a folder early. */
export function removeTemporary(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    // A process that was just ended may still write into it; the system clears its temporary files in time.
  }
}
