import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workbench } from '../../vscode/workbench.ts';

/** Reads the user settings from disk. */
export function readSettings({ server }: Workbench): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(server.profileDir, 'user', 'User', 'settings.json'), 'utf8'));
}
