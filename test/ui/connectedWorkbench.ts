import type { FrameLocator } from 'playwright-core';
import { type Gateway, startGateway } from '../gateway/gateway.ts';
import { projectRoot } from '../vscode/paths.ts';
import { openWorkbench, type Workbench, type WorkbenchOptions } from '../vscode/workbench.ts';

/** A workbench that is connected to a gateway of its own and has a default model. */
export type ConnectedWorkbench = {
  readonly workbench: Workbench;
  readonly gateway: Gateway;
  /** Asks from the palette, waits for the end of the answer, and gives its panel. */
  ask(question: string): Promise<FrameLocator>;
  dispose(): Promise<void>;
};

/** What stands under an answer that has ended. */
export const finishedFacts = (panel: FrameLocator) =>
  panel
    .locator('.reply')
    .last()
    .locator('.facts', { hasText: / in ·|not reported/ });

/** Connects as a person does: address, key, default model. The caller disposes it. */
export async function openConnected(
  options: Pick<WorkbenchOptions, 'folder' | 'settings' | 'viewport' | 'profileDir' | 'extensionDevelopmentPaths'>,
  model = 'gpt-5-mini',
): Promise<ConnectedWorkbench> {
  const gateway = await startGateway({ delayMs: 0 });
  let workbench: Workbench | undefined;
  try {
    const opened = await openWorkbench({ extensionDevelopmentPaths: [projectRoot], ...options });
    workbench = opened;
    await opened.sideBar('Ask Model');
    await opened.runCommand('Ask Model: Connect to a Gateway');
    await opened.answerQuickInput(gateway.baseUrl);
    await opened.quickInput
      .and(opened.page.locator('[type=password]'))
      .fill(gateway.createKey({ name: 'person' }).value);
    await opened.page.keyboard.press('Enter');
    await opened.treeRows.filter({ hasText: model }).first().waitFor();
    await opened.runCommand('Ask Model: Choose Default Model');
    await opened.pickTyped(model);
    await opened.page.locator('.statusbar-item', { hasText: model }).waitFor();
    return {
      workbench: opened,
      gateway,
      ask: async (question) => {
        await opened.runCommand('Ask Model: Ask Model');
        await opened.quickInput.and(opened.page.locator('[placeholder^="What do you want"]')).fill(question);
        await opened.page.keyboard.press('Enter');
        const panel = await opened.webview(question);
        await finishedFacts(panel).waitFor();
        return panel;
      },
      dispose: async () => {
        await opened.dispose();
        await gateway.close();
      },
    };
  } catch (error) {
    await workbench?.dispose();
    await gateway.close();
    throw error;
  }
}
