import assert from 'node:assert/strict';
import { until } from '../../until.ts';
import type { Workbench } from '../../vscode/workbench.ts';

/** Answers VS Code's own dialog for files, where they are on another machine than the browser. The path is absolute. */
export async function answerFileDialog(workbench: Workbench, title: string, path: string): Promise<void> {
  const { page, quickInput, quickPicks } = workbench;
  const dialog = page.locator('.quick-input-widget:visible .quick-input-title', { hasText: title });
  await dialog.waitFor();
  // It reads the folder it begins in, and writes that into its box together with the rows.
  await quickPicks.first().waitFor();
  // An Enter before it has begun to read the folder of what is typed may be taken for a row of the one before.
  await until(async () => {
    if (!(await dialog.isVisible())) {
      return;
    }
    await quickInput.fill(path, { timeout: 2_000 });
    assert.equal(await quickInput.inputValue(), path);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden', timeout: 2_000 });
  });
}
