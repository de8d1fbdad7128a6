import { afterEach } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Workbench } from '../../vscode/workbench.ts';

/** What of the workbench tells most in few words. */
const telling = '.tab, .notifications-toasts .notification-list-item, .monaco-dialog-box, .quick-input-widget';

/** Keeps a picture of what a person would have seen when a test of this suite fails, and says the gist of it. */
export function pictureFailures(workbench: () => Workbench | undefined): void {
  afterEach(async (context) => {
    if (!('passed' in context) || context.passed) {
      return;
    }
    const opened = workbench();
    const name = `failed-${context.name.replaceAll(/\W+/g, '-').slice(0, 60)}`;
    await opened?.screenshot(name).catch(() => undefined);
    // A page that stands still, which may be why it failed, answers nothing.
    const texts = await Promise.race([
      opened?.page.locator(telling).filter({ visible: true }).allInnerTexts(),
      delay(5_000, undefined, { ref: false }),
    ]).catch(() => undefined);
    for (const text of texts ?? []) {
      console.log(`seen at “${context.name}”: ${text.replaceAll(/\s+/g, ' ').slice(0, 300)}`);
    }
  });
}
