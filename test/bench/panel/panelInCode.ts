import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { chooseModel, questionPanel, typeQuestion } from '../../ui/support/connectedWorkbench.ts';
import { makeTemporary } from '../../vscode/temporary.ts';
import type { Workbench } from '../../vscode/workbench.ts';
import { inVSCode } from '../inVSCode.ts';
import { streaming } from './deltaServer.ts';
import { type MainThread, MainThreadRecorder } from './mainThread.ts';
import { momentsOf, type PanelMoments, prepareToWait, watchPanels, whenDone } from './probe.ts';
import { WebviewSite } from './webviewSite.ts';

export type PanelFigures = MainThread & { readonly moments: PanelMoments };

/** The panel in the real VS Code, with its webview in its own process. */
type PanelInCode = {
  readonly workbench: Workbench;
  /** Asks a model and measures until its answer is complete and highlighted. */
  stream(model: string): Promise<PanelFigures>;
  /** Opens a stored conversation and measures until all of it is drawn. */
  openStored(title: string): Promise<PanelFigures>;
};

/**
 * @param replies the text of each model's reply.
 * @param conversations the contents of the files of stored conversations, by id.
 */
export async function inPanel<Result>(
  replies: Readonly<Record<string, string>>,
  conversations: Readonly<Record<string, string>>,
  measure: (panel: PanelInCode) => Promise<Result>,
): Promise<Result> {
  const profileDir = makeTemporary('profile');
  const conversationsDir = join(profileDir, 'user', 'User', 'globalStorage', 'ask-model.ask-model', 'conversations');
  mkdirSync(conversationsDir, { recursive: true });
  for (const [id, text] of Object.entries(conversations)) {
    writeFileSync(join(conversationsDir, `${id}.jsonl`), text);
  }
  // A webview on another site can use its service worker only if third-party storage is allowed.
  const preferences = join(profileDir, 'browser', 'Default');
  mkdirSync(preferences, { recursive: true });
  const profile = { cookie_controls_mode: 0, block_third_party_cookies: false };
  writeFileSync(join(preferences, 'Preferences'), JSON.stringify({ profile }));
  const site = new WebviewSite();
  const options = {
    profileDir,
    answer: streaming(replies),
    row: Object.keys(replies)[0],
    framesFrom: await site.listen(),
    viewport: { width: 1200, height: 900 },
  };
  try {
    return await inVSCode(options, async ({ workbench }) => {
      const { page } = workbench;
      await site.serve(page);
      await watchPanels(page.context());
      // No editor is open yet, so the browser's own reload loses no state of the workbench.
      await page.reload();
      await workbench.treeRows.first().waitFor({ timeout: 60_000 });
      const finish = async (recorder: MainThreadRecorder, panel: FrameLocator, moment: 'ended' | 'allDrawn') => {
        await whenDone(panel, moment);
        const figures = { ...(await recorder.stop('webview.js')), moments: await momentsOf(panel) };
        await workbench.runCommand('View: Close All Editors');
        await page.locator('iframe.webview').first().waitFor({ state: 'detached' });
        return figures;
      };
      return measure({
        workbench,
        stream: async (model) => {
          await chooseModel(workbench, model);
          await workbench.runCommand('Ask Model');
          const panel = await questionPanel(workbench);
          await typeQuestion(panel, 'Why?');
          await panel.locator('.reply .progress').waitFor();
          await prepareToWait(panel);
          return finish(await MainThreadRecorder.start(page), panel, 'ended');
        },
        openStored: async (title) => {
          await workbench.runCommand('Ask Model: Open Conversation…');
          await workbench.quickInput.fill(title);
          const row = workbench.quickPicks.filter({ hasText: title }).first();
          await row.waitFor();
          const recorder = await MainThreadRecorder.start(page);
          await row.click();
          return finish(recorder, await workbench.webview(), 'allDrawn');
        },
      });
    });
  } finally {
    site.close();
  }
}
