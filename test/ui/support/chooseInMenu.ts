import type { Locator } from 'playwright-core';
import type { Workbench } from '../../vscode/workbench.ts';

/**
 * Takes an entry of the context menu of something. By Enter, once the mouse has marked the entry: a menu takes no click in
 * its first moment.
 */
export async function chooseInMenu({ page }: Workbench, of: Locator, entry: string): Promise<void> {
  await of.click({ button: 'right' });
  const item = page.locator('.context-view .action-item', { hasText: entry });
  await item.hover();
  await item.and(page.locator('.focused')).waitFor();
  await page.keyboard.press('Enter');
}
