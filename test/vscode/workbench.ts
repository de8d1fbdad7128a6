import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { until } from '../until.ts';
import { opaque } from './browser.ts';
import { outFolder, projectRoot } from './paths.ts';
import { pickFound } from './pickFound.ts';
import type { Settings } from './profile.ts';
import type { Server } from './server.ts';
import { type AcquiredPage, acquirePage } from './started.ts';
import { themeClasses, themeLabels, themes } from './themes.ts';
import { whenReady } from './whenReady.ts';

/** Options for the workbench to open. All paths are absolute. */
export type WorkbenchOptions = {
  /** The first is the extension under development; further ones are installed beside it. */
  readonly extensionDevelopmentPaths?: readonly string[];
  readonly folder: string;
  /** User settings; they override those that keep VS Code quiet. */
  readonly settings?: Settings;
  readonly theme?: keyof typeof themes;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** A profile that `dispose` leaves in place, for a test that opens the same VS Code again. Temporary by default. */
  readonly profileDir?: string;
  /** The display language, such as `zh-cn`; VS Code's own texts stay English. English by default. */
  readonly language?: string;
  /** Environment variables for the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** One more source of frames for the workbench, in the syntax of a content security policy. */
  readonly framesFrom?: string;
};

/** The other extension of the tests, which must be there for `run`, `start`, `set`, `openFile` and `reload`. */
export const companion = join(projectRoot, 'test', 'host', 'companion');

/** A real VS Code, operated through keyboard, mouse and screen as a person would. */
export class Workbench {
  readonly page: Page;
  readonly server: Server;
  readonly #acquired: AcquiredPage;
  #released: Promise<void> | undefined;

  constructor(acquired: AcquiredPage) {
    this.#acquired = acquired;
    this.page = acquired.page;
    this.server = acquired.server;
  }

  /** Runs a command by its title in the palette, such as `Ask Model: Choose Default Model…`. */
  async runCommand(title: string): Promise<void> {
    const wanted = `[aria-label="${title}"], [aria-label^="${title}, "]`;
    await pickFound({ page: this.page, field: this.quickInput, rows: this.quickPicks }, 'F1', `>${title}`, wanted);
  }

  /** Runs a command by its id, without the palette, in the window that was loaded last. Returns its result. */
  run(command: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#tell({ command, args, isAwaited: true });
  }

  /** Starts a command by its id, such as one that asks for something, without waiting for its end. */
  async start(command: string): Promise<void> {
    await this.#tell({ command });
  }

  /** Changes user settings. */
  async set(settings: Settings): Promise<void> {
    await this.#tell({ settings });
  }

  /** Sends a request to the companion, which may still be starting. */
  async #tell(request: object): Promise<unknown> {
    let response: Response | undefined;
    await until(async () => {
      try {
        const port = readFileSync(this.#portFile, 'utf8');
        response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: JSON.stringify(request) });
      } catch (error) {
        const { code, cause } = error as NodeJS.ErrnoException;
        // Anything else may have happened after the command was run.
        if (code === 'ENOENT' || (cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED') {
          return false;
        }
        throw error;
      }
      return true;
    }, 60_000);
    if (!response?.ok) {
      throw new Error(`${JSON.stringify(request)}: ${await response?.text()}`);
    }
    return response.json();
  }

  get #portFile(): string {
    const storage = join(this.server.profileDir, 'user', 'User', 'globalStorage');
    return join(storage, 'ask-model.ask-model-caller', 'port');
  }

  /** Makes a group to the left of panels the active one, because a file that VS Code opens would cover a panel. */
  async leavePanels(): Promise<void> {
    const group = this.page.locator('.editor-group-container').first();
    await this.run('workbench.action.focusFirstEditorGroup');
    if (
      (await group.locator('.tab.active').count()) > 0 &&
      !(await group.locator('.monaco-editor').first().isVisible())
    ) {
      await this.run('workbench.action.newGroupLeft');
    }
    // The panel may take the focus back from the new group.
    await until(async () => {
      await this.run('workbench.action.focusFirstEditorGroup');
      return /\bactive\b/.test((await group.getAttribute('class')) ?? '');
    });
  }

  /** Opens a file of the workspace by its path, in a group to the left of panels. */
  async openFile(file: string): Promise<void> {
    await this.leavePanels();
    await this.#tell({ file });
    // A panel that had the focus may take it back, so click the tab.
    const name = file.replace(/^.*\//, '');
    await this.page.locator(`.tab.active[data-resource-name="${name}"]`).first().click();
    const active = this.page.locator('.editor-group-container.active');
    await active.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
    await active.locator('.monaco-editor .view-line').first().waitFor();
  }

  /** Selects whole lines of the active editor, counted from 1, with the keyboard. The last one must not be empty. */
  async selectLines(first: number, last: number): Promise<void> {
    // Another input box that is still closing may close this one too. Then open it again.
    for (let attempt = 1; ; attempt++) {
      await this.page.keyboard.press('Control+G');
      try {
        await this.quickInput.fill(`:${first}:1`, { timeout: 4_000 });
        break;
      } catch (error) {
        if (attempt === 4) {
          throw error;
        }
      }
    }
    await this.page.keyboard.press('Enter');
    await this.quickInput.waitFor({ state: 'hidden' });
    await this.page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();
    for (let line = first; line < last; line++) {
      await this.page.keyboard.press('Shift+ArrowDown');
    }
    await this.page.keyboard.press('Shift+End');
    const status = this.page.locator('#status\\.editor\\.selection');
    // The status bar shows column 1 until the last key has taken effect.
    await status.filter({ hasText: new RegExp(`Ln ${last}, Col (?!1 )\\d+ .*selected`) }).waitFor();
  }

  /** The text field of the palette, a quick pick or an input box. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-box input');
  }

  /** The rows of a quick pick. */
  get quickPicks(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
  }

  /** Types into an open quick pick or input box and accepts. */
  async answerQuickInput(text: string): Promise<void> {
    await this.quickInput.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Picks the row of a quick pick that contains `text`. */
  async pick(text: string): Promise<void> {
    await this.quickPicks.filter({ hasText: text }).first().click();
  }

  /**
   * Types into a quick pick whose rows change with the text, and picks the row with `text` once it is the first. A
   * click on a row that is just being replaced would pick another one.
   */
  async pickTyped(text: string): Promise<void> {
    await this.quickInput.fill(text);
    await this.quickPicks.and(this.page.locator('[data-index="0"]')).filter({ hasText: text }).click();
  }

  /** Opens a container of the activity bar by its title, such as `Explorer`, and returns the side bar. */
  async sideBar(title: string): Promise<Locator> {
    const tab = this.page.locator(`.activitybar .action-item[role="tab"]:has([aria-label^="${title}"])`).first();
    const chosen = this.page.locator(
      `.activitybar .action-item[role="tab"][aria-selected="true"]:has([aria-label^="${title}"])`,
    );
    const bar = this.page.locator('.part.sidebar');
    // A click on the container that is already open or just opening closes the side bar.
    for (let attempt = 1; ; attempt++) {
      if ((await tab.getAttribute('aria-selected')) !== 'true') {
        await tab.click();
      }
      try {
        await chosen.first().waitFor({ timeout: 3_000 });
        await bar.waitFor({ timeout: 3_000 });
        return bar;
      } catch (error) {
        if (attempt === 5) {
          throw error;
        }
      }
    }
  }

  /** The rows of the trees in the side bar. */
  get treeRows(): Locator {
    return this.page.locator('.part.sidebar .monaco-list-row');
  }

  /** The document of the active webview; with a title, of the webview under that tab, which becomes active first. */
  async webview(title?: string): Promise<FrameLocator> {
    let group = this.page.locator('.editor-group-container');
    if (title) {
      const tab = this.page.locator('.tab', { hasText: title }).first();
      await tab.waitFor();
      // A click while VS Code still gives the focus to a new panel can leave it on the frame around the panel's page.
      if (!(await this.page.locator('.editor-group-container.active .tab.active', { hasText: title }).isVisible())) {
        await tab.click();
      }
      group = group.filter({ has: tab });
      await group.locator('.tab.active', { hasText: title }).waitFor();
    }
    // The frame lies over the editor, not in it; a placeholder in the editor names it. The placeholder of the panel
    // that was active before stays for a moment, so read it until the frame it names was visible twice in a row.
    const placeholder = group.locator('[id^="webview-editor-element"][aria-flowto]').first();
    await placeholder.waitFor({ state: 'attached' });
    let visibleId: string | null = null;
    for (const until = Date.now() + 15_000; ; await delay(50)) {
      const id = await placeholder.getAttribute('aria-flowto');
      const outer = this.page.locator(`[id="${id}"] iframe.webview.ready`);
      const isVisible = await outer.isVisible();
      if (isVisible && id === visibleId) {
        return outer.contentFrame().locator('iframe#active-frame').contentFrame();
      }
      visibleId = isVisible ? id : null;
      if (Date.now() > until) {
        throw new Error(`No panel came to the front${title ? ` under “${title}”` : ''}.`);
      }
    }
  }

  /** The notifications at the lower right. */
  get notifications(): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item');
  }

  /** Saves a screenshot as `out/screenshots/<name>.png`, for a person who set `ASK_MODEL_PICTURES`. */
  async screenshot(name: string, isWanted = process.env.ASK_MODEL_PICTURES !== undefined): Promise<void> {
    if (isWanted) {
      const path = join(outFolder, 'screenshots', `${name}.png`);
      await this.page.screenshot({ path, animations: 'disabled', style: opaque });
    }
  }

  /** Changes the colour theme through the palette, and waits until it is applied. */
  async setTheme(theme: keyof typeof themes): Promise<void> {
    const row = this.quickPicks.and(this.page.locator(`[aria-label^="${themeLabels[theme]}"]`)).first();
    // The palette may close after the list of themes has opened, and close the list too.
    for (let attempt = 1; ; attempt++) {
      await this.runCommand('Preferences: Color Theme');
      try {
        await this.quickInput.fill(themeLabels[theme], { timeout: 3_000 });
        await row.click({ timeout: 3_000 });
        await this.page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor({ timeout: 3_000 });
        break;
      } catch (error) {
        await this.page.keyboard.press('Escape');
        if (attempt === 4) {
          throw error;
        }
      }
    }
    await this.quickInput.waitFor({ state: 'hidden' });
  }

  /**
   * Reloads the window: extensions start again, editors and panels are restored. It uses the command, because the
   * browser's own reload can end the page before VS Code has saved which editors are open.
   */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: 30_000 });
    await this.start('workbench.action.reloadWindow');
    await loaded;
    rmSync(this.#portFile, { force: true });
    await whenReady(this.page);
  }

  /** Closes the window, then the browser and VS Code unless they are shared. Safe to call twice. */
  dispose(): Promise<void> {
    this.#released ??= this.#acquired.release();
    return this.#released;
  }
}

/** Opens a workbench and resolves when it is ready for input. The caller disposes it. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  mkdirSync(join(outFolder, 'screenshots'), { recursive: true });
  const acquired = await acquirePage({
    profileDir: options.profileDir,
    open: options.folder,
    extensionDevelopmentPaths: options.extensionDevelopmentPaths,
    settings: {
      'workbench.colorTheme': themes[options.theme ?? 'light'],
      // A modal settings editor would keep the palette from opening for seconds.
      'workbench.editor.useModal': 'off',
      'chat.disableAIFeatures': true,
      // These are drawn again all the time.
      'editor.cursorBlinking': 'solid',
      'editor.minimap.enabled': false,
      ...options.settings,
    },
    env: options.env,
    language: options.language,
    framesFrom: options.framesFrom,
    isLight: true,
    viewport: options.viewport ?? { width: 1200, height: 800 },
  });
  const workbench = new Workbench(acquired);
  try {
    workbench.page.setDefaultTimeout(15_000);
    await workbench.page.goto(acquired.server.url, { timeout: 60_000 });
    await whenReady(workbench.page);
    return workbench;
  } catch (error) {
    await workbench.dispose();
    throw error;
  }
}
