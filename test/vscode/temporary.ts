import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './endings.ts';

/** Makes a folder that is removed when this process ends, unless it is killed. */
export function makeTemporary(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `ask-model-${name}-`));
  atEnd(() => removeTemporary(folder));
  return folder;
}

/** Removes a folder of `makeTemporary` before the process ends. */
export function removeTemporary(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    // A process that was just ended may still write into it. The system removes its temporary files later.
  }
}
