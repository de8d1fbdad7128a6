import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FrameLocator, Locator, Page, Request } from 'playwright-core';
import { outFolder } from './paths.ts';
import { pickFound } from './pickFound.ts';
import type { Settings } from './profile.ts';
import type { Server } from './server.ts';
import { type Place, takePlace } from './started.ts';
import { themeClasses, themeLabels, themes } from './themes.ts';
import { whenReady } from './whenReady.ts';

/** Which workbench to open. All paths are absolute. */
export type WorkbenchOptions = {
  /** The first is the extension under development; further ones are installed beside it. */
  readonly extensionDevelopmentPaths?: readonly string[];
  readonly folder: string;
  /** User settings, on top of those that keep VS Code quiet. */
  readonly settings?: Settings;
  readonly theme?: keyof typeof themes;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly deviceScaleFactor?: number;
  /** Kept by `dispose`, for a test that opens the same VS Code again; by default a temporary one, removed. */
  readonly profileDir?: string;
  /** For the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** One more source of frames for the workbench, as in a content policy. */
  readonly framesFrom?: string;
  /** Those to keep of the built-in extensions that start programs or connect to services; by default none. */
  readonly heavyExtensions?: readonly string[];
};

/** A real VS Code and the keyboard, mouse and eyes of a person in front of it. */
export class Workbench {
  readonly page: Page;
  readonly server: Server;
  readonly #place: Place;
  #left: Promise<void> | undefined;

  constructor(place: Place) {
    this.#place = place;
    this.page = place.page;
    this.server = place.server;
  }

  /** Runs a command as found in the palette, such as `Ask Model: Choose Default Model`. */
  async runCommand(title: string): Promise<void> {
    await this.#pickFound('F1', `>${title}`, `[aria-label="${title}"], [aria-label^="${title}, "]`);
  }

  /** Opens a file of the workspace by (the end of) its path, with the keyboard. */
  async openFile(path: string): Promise<void> {
    const name = path.replace(/^.*\//, '');
    await this.#pickFound('ControlOrMeta+P', path, `[aria-label^="${name}"]`);
    const tab = this.page.locator(`.tab.active[data-resource-name="${name}"]`).first();
    await tab.waitFor();
    // A panel that had the focus may take it back as the palette closes; a person clicks then.
    await tab.click();
    const group = this.page.locator('.editor-group-container.active');
    await group.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
    await group.locator('.monaco-editor .view-line').first().waitFor();
  }

  async #pickFound(key: string, text: string, wanted: string, hasLeft?: () => boolean): Promise<void> {
    await pickFound({ page: this.page, field: this.quickInput, rows: this.quickPicks }, key, text, wanted, hasLeft);
  }

  /** Selects whole lines of the active editor, counted from 1, with the keyboard. The last one must not be empty. */
  async selectLines(first: number, last: number): Promise<void> {
    // A box that is closing may take this one with it: then it is opened once more, as a person would.
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
    // Column 1 is seen while the last key is still on its way.
    await status.filter({ hasText: new RegExp(`Ln ${last}, Col (?!1 )\\d+ .*selected`) }).waitFor();
  }

  /** The field of the palette, a quick pick or an input box. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-box input');
  }

  /** The rows a quick pick shows. */
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
   * Types into a pick whose rows follow what is typed, and picks the row of `text` once it is the first one: a click on a
   * row that is just being replaced is taken for another one.
   */
  async pickTyped(text: string): Promise<void> {
    await this.quickInput.fill(text);
    await this.quickPicks.and(this.page.locator('[data-index="0"]')).filter({ hasText: text }).click();
  }

  /** Opens a container of the activity bar by its title, such as `Explorer`, and gives the side bar. */
  async sideBar(title: string): Promise<Locator> {
    const tab = this.page.locator(`.activitybar .action-item[role="tab"]:has([aria-label^="${title}"])`).first();
    const chosen = this.page.locator(
      `.activitybar .action-item[role="tab"][aria-selected="true"]:has([aria-label^="${title}"])`,
    );
    const bar = this.page.locator('.part.sidebar');
    // A click on the container that is open already closes the side bar, also one that opens in this very moment.
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

  /** The document of the webview in front; with a title, of the one under that tab, which is brought to the front. */
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
    // The frame lies over the editor, not in it; its place in the editor names it. The place of the panel that was in
    // front before stays there for a moment, so it is asked for until the frame it names is the one to be seen, twice.
    const place = group.locator('[id^="webview-editor-element"][aria-flowto]').first();
    await place.waitFor({ state: 'attached' });
    let seen: string | null = null;
    for (const until = Date.now() + 15_000; ; await delay(50)) {
      const id = await place.getAttribute('aria-flowto');
      const outer = this.page.locator(`[id="${id}"] iframe.webview.ready`);
      const isSeen = await outer.isVisible();
      if (isSeen && id === seen) {
        return outer.contentFrame().locator('iframe#active-frame').contentFrame();
      }
      seen = isSeen ? id : null;
      if (Date.now() > until) {
        throw new Error(`No panel came to the front${title ? ` under “${title}”` : ''}.`);
      }
    }
  }

  /** The messages at the lower right. */
  get notifications(): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item');
  }

  /** Saves what is to be seen as `out/screenshots/<name>.png` and gives that path. */
  async screenshot(name: string): Promise<string> {
    const path = join(outFolder, 'screenshots', `${name}.png`);
    await this.page.screenshot({ path, animations: 'disabled' });
    return path;
  }

  /** Changes the colour theme as the palette would, and waits until it is there. */
  async setTheme(theme: keyof typeof themes): Promise<void> {
    const row = this.quickPicks.and(this.page.locator(`[aria-label^="${themeLabels[theme]}"]`)).first();
    // The palette may close after the list of themes has opened, and take that along.
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
   * Reloads the window: extensions start anew, editors and panels come back. By the command, because the browser's own
   * reload can end the page before VS Code has written down which editors are open.
   */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: 30_000 });
    let hasLeft = false;
    const onRequest = (request: Request) => {
      hasLeft ||= request.isNavigationRequest() && request.frame() === this.page.mainFrame();
    };
    this.page.on('request', onRequest);
    try {
      const title = 'Developer: Reload Window';
      // An editor that takes the focus closes the palette, and then nothing was picked.
      for (let attempt = 1; attempt <= 3 && !hasLeft; attempt++) {
        await this.#pickFound('F1', `>${title}`, `[aria-label^="${title}"]`, () => hasLeft);
        for (const until = Date.now() + 5_000; !hasLeft && Date.now() < until; ) {
          await delay(20);
        }
      }
      await loaded;
    } finally {
      this.page.off('request', onRequest);
    }
    await whenReady(this.page);
  }

  /** Closes the window, then browser and VS Code unless they are shared. Safe to call twice. */
  dispose(): Promise<void> {
    this.#left ??= this.#place.leave();
    return this.#left;
  }
}

/** Opens a workbench and resolves when a person could begin. The caller disposes it. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  mkdirSync(join(outFolder, 'screenshots'), { recursive: true });
  const place = await takePlace({
    profileDir: options.profileDir,
    open: options.folder,
    extensionDevelopmentPaths: options.extensionDevelopmentPaths,
    settings: {
      'workbench.colorTheme': themes[options.theme ?? 'light'],
      // In front of everything else the settings would keep the palette from opening for seconds.
      'workbench.editor.useModal': 'off',
      'chat.disableAIFeatures': true,
      ...options.settings,
    },
    env: options.env,
    framesFrom: options.framesFrom,
    heavyExtensions: options.heavyExtensions ?? [],
    viewport: options.viewport ?? { width: 1200, height: 800 },
    deviceScaleFactor: options.deviceScaleFactor,
  });
  const workbench = new Workbench(place);
  try {
    workbench.page.setDefaultTimeout(15_000);
    await workbench.page.goto(place.server.url);
    await whenReady(workbench.page);
    return workbench;
  } catch (error) {
    await workbench.dispose();
    throw error;
  }
}
