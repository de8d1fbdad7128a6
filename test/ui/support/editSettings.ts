import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../until.ts';
import type { Workbench } from '../../vscode/workbench.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Reads the user settings from disk. */
export function readSettings({ server }: Workbench): Settings {
  return JSON.parse(readFileSync(join(server.profileDir, 'user', 'User', 'settings.json'), 'utf8'));
}

/** Changes the user settings in VS Code's editor, as a person does. */
export async function editSettings(workbench: Workbench, change: Settings): Promise<void> {
  const { page } = workbench;
  const wanted = { ...readSettings(workbench), ...change };
  await workbench.leavePanels();
  await workbench.runCommand('Preferences: Open User Settings (JSON)');
  const line = page.locator('.view-line', { hasText: '"workbench.startupEditor"' });
  await line.first().waitFor();
  // Below the lines, because a long line can begin and end outside of the editor.
  await page
    .locator('.monaco-editor', { has: line })
    .first()
    .click({ position: { x: 120, y: 100 } });
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  // Insert one line, because the editor would indent more lines as if they were typed.
  await page.keyboard.insertText(JSON.stringify(wanted));
  await page.keyboard.press('ControlOrMeta+S');
  await until(async () => assert.deepEqual(readSettings(workbench), wanted));
  await workbench.runCommand('View: Close Editor');
  await line.first().waitFor({ state: 'detached' });
}
