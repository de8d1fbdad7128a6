import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { questionPanel, typeQuestion } from '../../ui/support/connectedWorkbench.ts';
import { projectRoot } from '../../vscode/paths.ts';
import { makeTemporary, removeTemporary } from '../../vscode/temporary.ts';
import { openWorkbench, type Workbench } from '../../vscode/workbench.ts';
import { DeltaServer } from './deltaServer.ts';
import { type MainThread, MainThreadRecorder } from './mainThread.ts';
import { momentsOf, type PanelMoments, prepareToWait, watchPanels, whenDone } from './probe.ts';
import { WebviewSite } from './webviewSite.ts';

export type PanelFigures = MainThread & { readonly moments: PanelMoments };

/** The panel in the real VS Code, with its webview in its own process. */
export class PanelInCode {
  readonly workbench: Workbench;
  readonly #cleanUp: () => void;

  private constructor(workbench: Workbench, cleanUp: () => void) {
    this.workbench = workbench;
    this.#cleanUp = cleanUp;
  }

  /**
   * @param replies the text of each model's reply.
   * @param conversations the contents of the files of stored conversations, by id.
   */
  static async open(
    replies: Readonly<Record<string, string>>,
    conversations: Readonly<Record<string, string>>,
  ): Promise<PanelInCode> {
    const server = new DeltaServer(replies);
    const folder = makeTemporary('workspace');
    const profileDir = makeTemporary('profile');
    const conversationsDir = join(profileDir, 'user', 'User', 'globalStorage', 'ask-model.ask-model', 'conversations');
    mkdirSync(conversationsDir, { recursive: true });
    for (const [id, text] of Object.entries(conversations)) {
      writeFileSync(join(conversationsDir, `${id}.jsonl`), text);
    }
    const site = new WebviewSite();
    // A webview on another site can use its service worker only if third-party storage is allowed.
    const preferences = join(profileDir, 'browser', 'Default');
    mkdirSync(preferences, { recursive: true });
    const profile = { cookie_controls_mode: 0, block_third_party_cookies: false };
    writeFileSync(join(preferences, 'Preferences'), JSON.stringify({ profile }));
    let workbench: Workbench | undefined;
    const cleanUp = () => {
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
      // No editor is open yet, so the browser's own reload loses no state of the workbench.
      await page.reload();
      await workbench.treeRows.first().waitFor({ timeout: 60_000 });
      return new PanelInCode(workbench, cleanUp);
    } catch (error) {
      await workbench?.dispose();
      cleanUp();
      throw error;
    }
  }

  /** Asks a model and measures until its answer is complete and highlighted. */
  async stream(model: string): Promise<PanelFigures> {
    const { workbench } = this;
    const { page } = workbench;
    await workbench.runCommand('Ask Model: Choose Default Model…');
    await workbench.quickInput.fill(model);
    await workbench.pick(model);
    await workbench.runCommand('Ask Model');
    const panel = await questionPanel(workbench);
    await typeQuestion(panel, 'Why?');
    await panel.locator('.reply .progress').waitFor();
    await prepareToWait(panel);
    const recorder = await MainThreadRecorder.start(page);
    await whenDone(panel, 'ended');
    const thread = await recorder.stop('webview.js');
    const moments = await momentsOf(panel);
    await this.#close();
    return { ...thread, moments };
  }

  /** Opens a stored conversation and measures until all of it is drawn. */
  async openStored(title: string): Promise<PanelFigures> {
    const { workbench } = this;
    await workbench.runCommand('Ask Model: Open Conversation…');
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
    this.#cleanUp();
  }

  async #close(): Promise<void> {
    await this.workbench.runCommand('View: Close All Editors');
    await this.workbench.page.locator('iframe.webview').first().waitFor({ state: 'detached' });
  }
}
