import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/**
 * Resolves when the workbench is painted, has restored its editors, and its extension host is connected. VS Code may
 * undo what a test does earlier, because restoring opens something else over it.
 */
export async function whenReady(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 60_000 });
  await page.locator('#status\\.host').waitFor({ timeout: 60_000 });
  const isRestored = () => page.evaluate(() => performance.getEntriesByName('code/didStartWorkbench').length > 0);
  for (const until = Date.now() + 60_000; !(await isRestored()); await delay(50)) {
    if (Date.now() > until) {
      throw new Error('VS Code did not open again what was open in it.');
    }
  }
}
