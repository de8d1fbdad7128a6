import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** VS Code's palette: its field and its rows, as far as they are to be seen. */
export type Palette = { readonly page: Page; readonly field: Locator; readonly rows: Locator };

/**
 * Presses `key`, types `text` into what opens, and clicks the first row that is `wanted`, a selector. Resolves when the
 * palette is closed, or when the window `hasLeft` for the one it loads instead.
 */
export async function pickFound(
  { page, field, rows }: Palette,
  key: string,
  text: string,
  wanted: string,
  hasLeft = () => false,
): Promise<void> {
  // An open palette does not learn of commands and files that are registered meanwhile: ask anew for a while.
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.press(key);
    const row = rows.and(page.locator(wanted)).first();
    try {
      // A palette that opens while another editor takes the focus is closed again at once.
      await field.fill(text, { timeout: 1_500 });
      await row.click({ timeout: 1_500 });
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
  // What is typed from here on belongs to what the palette has opened, not to the palette.
  const isOpen = () =>
    field.evaluateAll((all, typed) => all.some((each) => (each as HTMLInputElement).value === typed), text);
  for (const until = Date.now() + 15_000; !hasLeft(); await delay(20)) {
    const isClosed = await isOpen().then(
      (open) => !open,
      (error) => {
        if (!hasLeft()) throw error;
        return true;
      },
    );
    if (isClosed) {
      return;
    }
    if (Date.now() > until) {
      throw new Error(`The palette did not close with "${text}".`);
    }
  }
}
