import type { PanelPage } from './panelPage.ts';

/** Turns the mouse wheel over the conversation, and waits until it has scrolled and stopped. */
export async function turnWheel({ page }: PanelPage, deltaY: number): Promise<void> {
  const scroller = page.locator('.scroller');
  const before = await scroller.evaluate((box) => box.scrollTop);
  await page.mouse.move(300, 200);
  await page.mouse.wheel(0, deltaY);
  await scroller.evaluate(async (box, before) => {
    // Scrolling takes several frames.
    for (let [last, still, frames] = [before, 0, 0]; still < 10; frames++) {
      if (frames > 600) {
        throw new Error(`The conversation did not scroll and stop: ${before} became ${box.scrollTop}.`);
      }
      await new Promise((done) => requestAnimationFrame(done));
      still = box.scrollTop === last && last !== before ? still + 1 : 0;
      last = box.scrollTop;
    }
  }, before);
}
