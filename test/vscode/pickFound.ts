import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** VS Code's palette: its text field and its visible rows. */
export type Palette = { readonly page: Page; readonly field: Locator; readonly rows: Locator };

/**
 * Presses `key`, types `text` into the palette that opens, and accepts the first row that matches the selector
 * `wanted`: with Enter if the row has the focus, else with a click. Resolves when the palette is closed.
 */
export async function pickFound(
  { page, field, rows }: Palette,
  key: string,
  text: string,
  wanted: string,
): Promise<void> {
  const row = rows.and(page.locator(wanted)).first();
  // An open palette doesn't show commands and files that are registered while it is open, so open it again a few times.
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.press(key);
    try {
      // VS Code closes a palette at once when another editor takes the focus while it opens.
      await field.fill(text, { timeout: 1_500 });
      await row.waitFor({ timeout: 1_500 });
      break;
    } catch (error) {
      // Without an open palette, Escape would stop the answers in a panel that has the focus.
      if (await field.isVisible()) {
        await page.keyboard.press('Escape');
      }
      if (attempt === 12) {
        throw new Error(`"${text}" was not found in the palette.`, { cause: error });
      }
    }
  }
  const isOpen = () =>
    field.evaluateAll((all, typed) => all.some((each) => (each as HTMLInputElement).value === typed), text);
  const accept = async () => {
    if ((await row.and(page.locator('.focused')).count()) > 0) {
      await page.keyboard.press('Enter');
    } else {
      await row.click();
    }
  };
  // A click is lost when the rows are replaced under it, as happens while files are found. The palette then stays open.
  // Each attempt gets three seconds, because a busy page may react late, and a second click would hit something else.
  for (let attempt = 1; ; attempt++) {
    await accept().catch(async (error: unknown) => {
      if (await isOpen()) {
        throw error;
      }
    });
    // Wait until the palette is closed, so that the next keys go to what it has opened.
    for (const until = Date.now() + 3_000; Date.now() < until; await delay(20)) {
      if (!(await isOpen())) {
        return;
      }
    }
    if (attempt === 5) {
      throw new Error(`The palette did not close with "${text}".`);
    }
  }
}
