import type { Locator } from 'playwright-core';
import { until } from '../../until.ts';

/**
 * Sends the text in a question box, or gets it to the question whether it should be sent. It presses Enter again while
 * that has no effect: VS Code can move the focus right before the key, and the box ignores an Enter right after it got
 * the focus. A box that has sent its text is read-only, then empty, and ignores further ones.
 */
export function pressEnter(box: Locator): Promise<void> {
  const isSent = () =>
    box.evaluate((each) => each instanceof HTMLTextAreaElement && (each.readOnly || each.value === ''));
  return until(async () => {
    await box.press('Enter');
    await until(isSent, 1_000);
  }, 30_000);
}
