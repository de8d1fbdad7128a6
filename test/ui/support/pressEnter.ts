import type { Locator } from 'playwright-core';

/**
 * Sends the text that waits in a question box. Typing shows that the key is meant for the box: an Enter right after the
 * box got the focus may be the second press of what led there, and sends nothing.
 */
export async function pressEnter(box: Locator): Promise<void> {
  await box.press('x');
  await box.press('Backspace');
  await box.press('Enter');
}
