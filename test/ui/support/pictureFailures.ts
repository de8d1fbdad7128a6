import { afterEach } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Workbench } from '../../vscode/workbench.ts';

/** The parts of the workbench whose text is printed. */
const printed = '.tab, .notifications-toasts .notification-list-item, .monaco-dialog-box, .quick-input-widget';

/** Saves a screenshot when a test of this suite fails, and prints the text of the main parts of the workbench. */
export function pictureFailures(workbench: () => Workbench | undefined): void {
  afterEach(async (context) => {
    if (!('passed' in context) || context.passed) {
      return;
    }
    const opened = workbench();
    const name = `failed-${context.name.replaceAll(/\W+/g, '-').slice(0, 60)}`;
    await opened?.screenshot(name, true).catch(() => undefined);
    // A page that hangs, which may be why the test failed, doesn't answer.
    const texts = await Promise.race([
      opened?.page.locator(printed).filter({ visible: true }).allInnerTexts(),
      delay(5_000, undefined, { ref: false }),
    ]).catch(() => undefined);
    for (const text of texts ?? []) {
      console.log(`seen at “${context.name}”: ${text.replaceAll(/\s+/g, ' ').slice(0, 300)}`);
    }
  });
}
