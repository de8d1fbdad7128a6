import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../vscode/paths.ts';
import { makeTemporary, removeTemporary } from '../../vscode/temporary.ts';
import { openWorkbench, type Workbench } from '../../vscode/workbench.ts';
import { DeltaServer } from './deltaServer.ts';
import { type MainThread, MainThreadRecorder } from './mainThread.ts';
import { momentsOf, type PanelMoments, prepareToWait, watchPanels, whenDone } from './probe.ts';
import { WebviewSite } from './webviewSite.ts';

export type PanelFigures = MainThread & { readonly moments: PanelMoments };

/** The panel in the real VS Code, its webview in a process of its own. */
export class PanelInCode {
  readonly workbench: Workbench;
  readonly #afterwards: () => void;

  private constructor(workbench: Workbench, afterwards: () => void) {
    this.workbench = workbench;
    this.#afterwards = afterwards;
  }

  /**
   * @param replies what each model answers.
   * @param conversations kept ones, the text of their files by their ids.
   */
  static async open(
    replies: Readonly<Record<string, string>>,
    conversations: Readonly<Record<string, string>>,
  ): Promise<PanelInCode> {
    const server = new DeltaServer(replies);
    const folder = makeTemporary('workspace');
    const profileDir = makeTemporary('profile');
    const kept = join(profileDir, 'user', 'User', 'globalStorage', 'ask-model.ask-model', 'conversations');
    mkdirSync(kept, { recursive: true });
    for (const [id, text] of Object.entries(conversations)) {
      writeFileSync(join(kept, `${id}.jsonl`), text);
    }
    const site = new WebviewSite();
    // A webview of another site keeps its service worker only where such sites may keep something.
    const preferences = join(profileDir, 'browser', 'Default');
    mkdirSync(preferences, { recursive: true });
    const profile = { cookie_controls_mode: 0, block_third_party_cookies: false };
    writeFileSync(join(preferences, 'Preferences'), JSON.stringify({ profile }));
    let workbench: Workbench | undefined;
    const afterwards = () => {
      site.close();
      server.close();
      removeTemporary(folder);
      removeTemporary(profileDir);
    };
    try {
      workbench = await openWorkbench({
        folder,
        profileDir,
        extensionDevelopmentPaths: [projectRoot, join(import.meta.dirname, '..', 'companion')],
        env: { ASK_MODEL_BENCH_URL: await server.listen() },
        framesFrom: await site.listen(),
        viewport: { width: 1200, height: 900 },
      });
      const { page } = workbench;
      await site.serve(page);
      await watchPanels(page.context());
      // Nothing is open yet that the workbench would have to write down first.
      await page.reload();
      await workbench.treeRows.first().waitFor({ timeout: 60_000 });
      return new PanelInCode(workbench, afterwards);
    } catch (error) {
      await workbench?.dispose();
      afterwards();
      throw error;
    }
  }

  /** Asks a model and measures until its answer is there and coloured. */
  async stream(model: string): Promise<PanelFigures> {
    const { workbench } = this;
    const { page } = workbench;
    await workbench.runCommand('Ask Model: Choose Default Model');
    await workbench.quickInput.fill(model);
    await workbench.pick(model);
    await workbench.runCommand('Ask Model: Ask Model');
    await workbench.quickInput.and(page.locator('[placeholder^="What do you want"]')).fill('Why?');
    await page.keyboard.press('Enter');
    const panel = await workbench.webview();
    await panel.locator('.reply .progress').waitFor();
    await prepareToWait(panel);
    const recorder = await MainThreadRecorder.start(page);
    await whenDone(panel, 'ended');
    const thread = await recorder.stop('webview.js');
    const moments = await momentsOf(panel);
    await this.#close();
    return { ...thread, moments };
  }

  /** Opens a kept conversation and measures until all of it is drawn. */
  async openKept(title: string): Promise<PanelFigures> {
    const { workbench } = this;
    await workbench.runCommand('Ask Model: Open Conversation');
    await workbench.quickInput.fill(title);
    await workbench.quickPicks.filter({ hasText: title }).first().waitFor();
    const recorder = await MainThreadRecorder.start(workbench.page);
    await workbench.quickPicks.filter({ hasText: title }).first().click();
    const panel = await workbench.webview();
    await whenDone(panel, 'allDrawn');
    const thread = await recorder.stop('webview.js');
    const moments = await momentsOf(panel);
    await this.#close();
    return { ...thread, moments };
  }

  async dispose(): Promise<void> {
    await this.workbench.dispose();
    this.#afterwards();
  }

  async #close(): Promise<void> {
    await this.workbench.runCommand('View: Close All Editors');
    await this.workbench.page.locator('iframe.webview').first().waitFor({ state: 'detached' });
  }
}
