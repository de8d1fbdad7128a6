import type { FrameLocator } from 'playwright-core';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import { projectRoot } from '../../vscode/paths.ts';
import { openWorkbench, type Workbench, type WorkbenchOptions } from '../../vscode/workbench.ts';

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

/** The box that takes a key. */
export const keyBox = ({ quickInput, page }: Workbench) => quickInput.and(page.locator('[type=password]'));

/** Types a key into its box and accepts. */
export async function enterKey(workbench: Workbench, key: string): Promise<void> {
  await keyBox(workbench).fill(key);
  await workbench.page.keyboard.press('Enter');
}

/** Gives address and key of a gateway as a person does. What comes of it is for the caller to wait for. */
export async function connect(workbench: Workbench, address: string, key: string): Promise<void> {
  await workbench.sideBar('Ask Model');
  await workbench.runCommand('Ask Model: Connect to a Gateway');
  await workbench.answerQuickInput(address);
  await enterKey(workbench, key);
}

/** Chooses the model that is asked when none is named, once it is in the list. */
export async function chooseModel(workbench: Workbench, model: string): Promise<void> {
  await workbench.treeRows.filter({ hasText: model }).first().waitFor();
  await workbench.runCommand('Ask Model: Choose Default Model');
  await workbench.pickTyped(model);
  await workbench.page.locator('.statusbar-item', { hasText: model }).waitFor();
}

/** The box that takes a question which is asked from the palette. */
export const questionBox = ({ quickInput, page }: Workbench) =>
  quickInput.and(page.locator('[placeholder^="What do you want"]'));

/** Asks from the palette. */
export async function askFromPalette(workbench: Workbench, question: string): Promise<void> {
  await workbench.runCommand('Ask Model: Ask Model');
  await questionBox(workbench).fill(question);
  await workbench.page.keyboard.press('Enter');
}

/** Asks from the palette, and gives the panel of the answer that begins. */
export async function askInPanel(workbench: Workbench, question: string): Promise<FrameLocator> {
  await askFromPalette(workbench, question);
  return workbench.webview(question);
}

/** Opens a workbench with the extension in it, which is there a good while after its window on a busy machine. */
export async function openWithExtension(options: WorkbenchOptions): Promise<Workbench> {
  const workbench = await openWorkbench({ extensionDevelopmentPaths: [projectRoot], ...options });
  try {
    await workbench.page.locator('.activitybar [aria-label^="Ask Model"]').first().waitFor({ timeout: 60_000 });
    return workbench;
  } catch (error) {
    await workbench.dispose();
    throw error;
  }
}

/** Which workbench to connect. */
export type ConnectedOptions = Pick<
  WorkbenchOptions,
  'folder' | 'settings' | 'viewport' | 'profileDir' | 'extensionDevelopmentPaths'
>;

/** Connects as a person does: address, key, default model. The caller disposes it. */
export async function openConnected(options: ConnectedOptions, model = 'gpt-5-mini'): Promise<ConnectedWorkbench> {
  const gateway = await startGateway({ delayMs: 0 });
  let workbench: Workbench | undefined;
  try {
    const opened = await openWithExtension(options);
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
