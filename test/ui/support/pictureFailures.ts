import { afterEach } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Workbench } from '../../vscode/workbench.ts';

/** The parts of the workbench whose text is printed. */
const printed = '.tab, .notifications-toasts .notification-list-item, .monaco-dialog-box, .quick-input-widget';

/** What was seen at each failed test. It is printed when the process ends, near the list of failed tests. */
const seen: string[] = [];
process.on('exit', () => {
  for (const text of seen) {
    console.log(text);
  }
});

/**
 * Saves a screenshot when a test of this suite fails, and prints the text of the main parts of the workbench and the end
 * of each page in it.
 */
export function pictureFailures(workbench: () => Workbench | undefined): void {
  afterEach(async (context) => {
    if (!('passed' in context) || context.passed) {
      return;
    }
    const opened = workbench();
    const name = `failed-${context.name.replaceAll(/\W+/g, '-').slice(0, 60)}`;
    await opened?.screenshot(name, true).catch(() => undefined);
    // A page that hangs, which may be why the test failed, doesn't answer.
    const limited = (texts: Promise<readonly string[]> | undefined) =>
      Promise.race([texts, delay(5_000, undefined, { ref: false })]).catch(() => undefined);
    const texts = await limited(opened?.page.locator(printed).filter({ visible: true }).allInnerTexts());
    const pages = (opened?.page.frames() ?? []).map((frame) => limited(frame.locator('.conversation').allInnerTexts()));
    const ends = (await Promise.all(pages)).flat().map((text) => text?.slice(-300) ?? '');
    const focused = await limited(opened?.page.locator(':focus').evaluateAll(([at]) => [`focus: ${at?.outerHTML}`]));
    for (const text of [...(texts ?? []), ...ends.filter((end) => end !== ''), ...(focused ?? [])]) {
      seen.push(`seen at “${context.name}”: ${text.replaceAll(/\s+/g, ' ').slice(0, 300)}`);
    }
  });
}
