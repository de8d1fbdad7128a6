import type { Locator } from 'playwright-core';

/**
 * Sends the text in a question box. It types first, because the box ignores an Enter right after it got the focus: that
 * may be a second press of the key that opened it.
 */
export async function pressEnter(box: Locator): Promise<void> {
  await box.press('x');
  await box.press('Backspace');
  await box.press('Enter');
}
