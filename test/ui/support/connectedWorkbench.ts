import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { type Gateway, type GatewayOptions, startGateway } from '../../gateway/gateway.ts';
import { until } from '../../until.ts';
import { projectRoot } from '../../vscode/paths.ts';
import { companion, openWorkbench, type Workbench, type WorkbenchOptions } from '../../vscode/workbench.ts';
import { pressEnter } from './pressEnter.ts';

/** A workbench that is connected to its own gateway and has a default model. */
export type ConnectedWorkbench = {
  readonly workbench: Workbench;
  readonly gateway: Gateway;
  /** Asks, waits for the end of the answer, and returns its panel. */
  ask(question: string): Promise<FrameLocator>;
  dispose(): Promise<void>;
};

/** The line of facts under a completed answer. */
export const finishedFacts = (panel: FrameLocator) =>
  panel
    .locator('.reply')
    .last()
    .locator('.facts', { hasText: / in ·|not reported/ });

/** The input box for a key. */
export const keyBox = ({ quickInput, page }: Workbench) => quickInput.and(page.locator('[type=password]'));

/** Types a key into its box and accepts. */
export async function enterKey(workbench: Workbench, key: string): Promise<void> {
  await keyBox(workbench).fill(key);
  await workbench.page.keyboard.press('Enter');
}

/** Enters the address and the key of a gateway, as a person does. The caller waits for the result. */
export async function connect(workbench: Workbench, address: string, key: string): Promise<void> {
  await workbench.sideBar('Ask Model');
  await workbench.start('askModel.connect');
  // The extension may still be starting.
  await workbench.quickInput.waitFor({ timeout: 60_000 });
  await workbench.answerQuickInput(address);
  await enterKey(workbench, key);
}

/** Chooses the default model when it is in the list. */
export async function chooseModel(workbench: Workbench, model: string): Promise<void> {
  await workbench.treeRows.filter({ hasText: model }).first().waitFor();
  await workbench.start('askModel.chooseModel');
  await workbench.pickTyped(model);
  await workbench.page.locator('.statusbar-item', { hasText: model }).waitFor();
}

/** Returns the panel in which a question for several models can be asked, when it is in front. */
export async function comparisonPanel(workbench: Workbench): Promise<FrameLocator> {
  const panel = await questionPanel(workbench);
  await panel.locator('#compared').waitFor();
  return panel;
}

/** Returns the panel that *Ask Model* opens, when it is in front. */
export async function questionPanel(workbench: Workbench): Promise<FrameLocator> {
  let panel: FrameLocator | undefined;
  await until(async () => {
    // The panel that was active before can stay visible for a moment.
    panel = await workbench.webview();
    await panel.locator('textarea').waitFor({ timeout: 1_000 });
    assert.equal(await panel.locator('.turn').count(), 0);
  }, 60_000);
  return panel ?? assert.fail();
}

/** Types a question into the box of a panel and sends it, or gets it to the question whether it should be sent. */
export async function typeQuestion(panel: FrameLocator, question: string): Promise<void> {
  const box = panel.locator('textarea');
  await box.fill(question);
  await pressEnter(box);
}

/** Opens the question box, and asks in it. */
export async function askQuestion(workbench: Workbench, question: string): Promise<void> {
  await workbench.start('askModel.ask');
  let panel: FrameLocator | undefined;
  // VS Code can replace the page of a panel that has just opened.
  await until(async () => {
    panel = await questionPanel(workbench);
    await panel.locator('textarea').fill(question, { timeout: 3_000 });
  }, 60_000);
  await typeQuestion(panel ?? assert.fail(), question);
}

/** Asks, and returns the panel of the answer. */
export async function askInPanel(workbench: Workbench, question: string): Promise<FrameLocator> {
  await askQuestion(workbench, question);
  return workbench.webview(question);
}

/** Opens a workbench and waits for the extension in it, which may start much later than the window. */
export async function openWithExtension(options: WorkbenchOptions): Promise<Workbench> {
  const extensions = options.extensionDevelopmentPaths ?? [projectRoot];
  const workbench = await openWorkbench({ ...options, extensionDevelopmentPaths: [...extensions, companion] });
  try {
    await workbench.page.locator('.activitybar [aria-label^="Ask Model"]').first().waitFor({ timeout: 60_000 });
    return workbench;
  } catch (error) {
    await workbench.dispose();
    throw error;
  }
}

/** Options for the workbench to connect. */
export type ConnectedOptions = Pick<WorkbenchOptions, 'folder' | 'settings' | 'viewport' | 'profileDir'> & {
  readonly gateway?: GatewayOptions;
};

/** Connects as a person does: address, key, default model. The caller disposes it. */
export async function openConnected(options: ConnectedOptions, model = 'gpt-5-mini'): Promise<ConnectedWorkbench> {
  const { gateway: gatewayOptions, ...workbenchOptions } = options;
  const gateway = await startGateway({ delayMs: 0, ...gatewayOptions });
  let workbench: Workbench | undefined;
  try {
    const opened = await openWithExtension(workbenchOptions);
    workbench = opened;
    await connect(opened, gateway.baseUrl, gateway.createKey({ name: 'person' }).value);
    await chooseModel(opened, model);
    return {
      workbench: opened,
      gateway,
      ask: async (question) => {
        const panel = await askInPanel(opened, question);
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
