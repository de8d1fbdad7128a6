import assert from 'node:assert/strict';
import { until } from '../../until.ts';
import type { Workbench } from '../../vscode/workbench.ts';

/** Answers VS Code's own file dialog, which it shows when the files are on another machine. The path is absolute. */
export async function answerFileDialog(workbench: Workbench, title: string, path: string): Promise<void> {
  const { page, quickInput, quickPicks } = workbench;
  const dialog = page.locator('.quick-input-widget:visible .quick-input-title', { hasText: title });
  await dialog.waitFor();
  // The dialog first reads its start folder, and then fills in its input box and its rows.
  await quickPicks.first().waitFor();
  // An Enter before it has read the typed folder opens a folder of the previous one, or has no effect. So it takes
  // several, and on a busy machine it takes seconds to read a folder.
  let tries = 0;
  await until(async () => {
    if (!(await dialog.isVisible())) {
      return;
    }
    if (tries++ % 4 === 0 || (await quickInput.inputValue()) !== path) {
      // A text that it already shows doesn't make it read the folder again, so a reading that failed would stay.
      await quickInput.fill('/', { timeout: 2_000 });
      await quickInput.fill(path, { timeout: 2_000 });
      assert.equal(await quickInput.inputValue(), path);
    }
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden', timeout: 1_500 });
  }, 40_000);
}
