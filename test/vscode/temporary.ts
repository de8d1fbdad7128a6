import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

/** Makes a folder that is gone at the end of this process, whatever ends it short of a kill. */
export function makeTemporary(name: string): string {
  if (folders.size === 0) {
    process.on('exit', () => {
      for (const folder of folders) {
        removeTemporary(folder);
      }
    });
  }
  const folder = mkdtempSync(join(tmpdir(), `ask-model-${name}-`));
  folders.add(folder);
  return folder;
}

/** Removes such a folder early. */
export function removeTemporary(folder: string): void {
  folders.delete(folder);
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    // A process that was just killed may still write into it; the system clears its temporary files in time.
  }
}
