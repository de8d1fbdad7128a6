import type { Locator } from 'playwright-core';
import type { Workbench } from '../../vscode/workbench.ts';

/**
 * Chooses an entry of an element's context menu. It hovers over the entry and presses Enter, because a menu ignores
 * clicks just after it has opened.
 */
export async function chooseInMenu({ page }: Workbench, of: Locator, entry: string): Promise<void> {
  await of.click({ button: 'right' });
  const item = page.locator('.context-view .action-item', { hasText: entry });
  await item.hover();
  await item.and(page.locator('.focused')).waitFor();
  await page.keyboard.press('Enter');
}
