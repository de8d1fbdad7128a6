import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** VS Code's palette: its field and its rows, as far as they are to be seen. */
export type Palette = { readonly page: Page; readonly field: Locator; readonly rows: Locator };

/**
 * Presses `key`, types `text` into what opens, and accepts the first row that is `wanted`, a selector: with Enter where
 * the palette has it in focus, else with a click. Resolves when the palette is closed, or when the window `hasLeft` for
 * the one it loads instead.
 */
export async function pickFound(
  { page, field, rows }: Palette,
  key: string,
  text: string,
  wanted: string,
  hasLeft = () => false,
): Promise<void> {
  const row = rows.and(page.locator(wanted)).first();
  // An open palette does not learn of commands and files that are registered meanwhile: ask anew for a while.
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.press(key);
    try {
      // A palette that opens while another editor takes the focus is closed again at once.
      await field.fill(text, { timeout: 1_500 });
      await row.waitFor({ timeout: 1_500 });
      break;
    } catch (error) {
      if (hasLeft()) {
        return;
      }
      await page.keyboard.press('Escape');
      if (attempt === 12) {
        throw new Error(`"${text}" was not found in the palette.`, { cause: error });
      }
    }
  }
  const isOpen = () =>
    field
      .evaluateAll((all, typed) => all.some((each) => (each as HTMLInputElement).value === typed), text)
      .catch((error: unknown) => {
        if (!hasLeft()) {
          throw error;
        }
        return false;
      });
  const accept = async () => {
    if ((await row.and(page.locator('.focused')).count()) > 0) {
      await page.keyboard.press('Enter');
    } else {
      await row.click();
    }
  };
  // A click is lost when the rows are replaced under it, as files are found: what is still open then was not picked. It
  // is never tried again while an earlier time may be on its way: a busy page takes one and says so late.
  for (let attempt = 1; ; attempt++) {
    await accept().catch(async (error: unknown) => {
      if (!hasLeft() && (await isOpen())) {
        throw error;
      }
    });
    // What is typed from here on belongs to what the palette has opened, not to the palette.
    for (const until = Date.now() + 3_000; Date.now() < until; await delay(20)) {
      if (hasLeft() || !(await isOpen())) {
        return;
      }
    }
    if (attempt === 5) {
      throw new Error(`The palette did not close with "${text}".`);
    }
  }
}
