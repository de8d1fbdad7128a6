import type { PanelPage } from './panelPage.ts';

/** Turns the wheel over the conversation, and waits until that has scrolled it and it is at rest. */
export async function turnWheel({ page }: PanelPage, deltaY: number): Promise<void> {
  const scroller = page.locator('.scroller');
  const before = await scroller.evaluate((box) => box.scrollTop);
  await page.mouse.move(300, 200);
  await page.mouse.wheel(0, deltaY);
  await scroller.evaluate(async (box, before) => {
    // The wheel is followed over some frames.
    for (let [last, still, frames] = [before, 0, 0]; still < 10; frames++) {
      if (frames > 600) {
        throw new Error(`The wheel was not followed: ${before} became ${box.scrollTop}.`);
      }
      await new Promise((done) => requestAnimationFrame(done));
      still = box.scrollTop === last && last !== before ? still + 1 : 0;
      last = box.scrollTop;
    }
  }, before);
}
