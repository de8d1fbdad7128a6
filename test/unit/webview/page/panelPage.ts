import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { HostMessage, PanelMessage } from '../../../../src/protocol.ts';
import { findBrowser, quietArgs } from '../../../vscode/browser.ts';
import { projectRoot } from '../../../vscode/paths.ts';
import { makeTemporary, removeTemporary } from '../../../vscode/temporary.ts';
import { themes } from './themes.ts';

const origin = 'http://panel.test';

/** The panel alone in a browser, with the page the host makes, a theme of VS Code, and a host that only listens. */
export type PanelPage = {
  readonly page: Page;
  /** Sends messages as the host would. */
  tell(...messages: HostMessage[]): Promise<void>;
  /** What the panel has asked for since the last call. */
  heard(): Promise<PanelMessage[]>;
  /** The same, once there is something. */
  heardNext(): Promise<PanelMessage[]>;
  /** Waits until nothing is left to draw or to colour. */
  settle(): Promise<void>;
  /** Stops the page's clock: what follows comes in the same moment, however long the machine takes for it. */
  stopTime(): Promise<void>;
  /** Every address the page asked for beyond its own three files. */
  readonly requests: readonly string[];
  /** What went wrong in the page: exceptions and refusals of its content policy. */
  readonly problems: string[];
  /** Closes the page; rejects when something went wrong in it. */
  close(): Promise<void>;
};

export type PanelOptions = {
  readonly theme?: keyof typeof themes;
  readonly width?: number;
  readonly height?: number;
  /** What the panel kept before. */
  readonly state?: unknown;
};

let bundle: Promise<{ js: string; css: string }> | undefined;
let browser: Promise<Browser> | undefined;

/** Where a process that runs several files of tests says what they share: a folder, and the address of a browser. */
const shared = { folder: 'ASK_MODEL_SHARED_PANEL', browser: 'ASK_MODEL_SHARED_BROWSER' };

async function build(folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['esbuild.mjs', '--production', `--panel=${folder}`], {
    cwd: projectRoot,
  });
}

/** Builds what ships, once, unless the process that started this one did. */
function bundled(): Promise<{ js: string; css: string }> {
  bundle ??= (async () => {
    const folder = process.env[shared.folder] ?? makeTemporary('panel');
    if (process.env[shared.folder] === undefined) {
      await build(folder);
    }
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    return { js: read('webview.js'), css: read('webview.css') };
  })();
  return bundle;
}

/** Builds the panel and starts the browser for all processes that this one starts from here on. */
export async function sharePanel(): Promise<AsyncDisposable> {
  const folder = makeTemporary('panel');
  const server = await chromium.launchServer(launchOptions());
  await build(folder);
  process.env[shared.folder] = folder;
  process.env[shared.browser] = server.wsEndpoint();
  return {
    async [Symbol.asyncDispose]() {
      await server.close();
      removeTemporary(folder);
    },
  };
}

/** Whether there is a browser on this machine to see the panel in. */
export const hasBrowser = findBrowser() !== undefined;

function launchOptions() {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    throw new Error('No Chrome, Edge or Chromium was found.');
  }
  return { executablePath, args: [...quietArgs] };
}

function launched(): Promise<Browser> {
  const address = process.env[shared.browser];
  browser ??= address === undefined ? chromium.launch(launchOptions()) : chromium.connect(address);
  return browser;
}

/** Ends the browser all pages of this process share, or its pages in one that is shared with other processes. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** Opens the panel. Nothing leaves the machine: every request is answered here. */
export async function openPanel({
  theme = 'dark',
  width = 760,
  height = 900,
  state: kept,
}: PanelOptions = {}): Promise<PanelPage> {
  const { js, css } = await bundled();
  const context = await (await launched()).newContext({ viewport: { width, height } });
  const page = await context.newPage();
  const requests: string[] = [];
  const problems: string[] = [];
  const { classes, variables } = themes[theme];
  const policy = `default-src 'none'; script-src 'nonce-panel'; style-src ${origin}; font-src ${origin}; img-src 'none'; worker-src blob:; require-trusted-types-for 'script'; trusted-types highlighter`;
  const files: Record<string, readonly [string, string]> = {
    '/': [
      'text/html',
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Panel</title>
      <meta http-equiv="Content-Security-Policy" content="${policy}"><link rel="stylesheet" href="/webview.css">
      </head><body class="${classes}"><main id="app" data-conversation="c1"></main>
      <script nonce="panel" src="/webview.js"></script></body></html>`,
    ],
    '/webview.js': ['text/javascript', js],
    '/webview.css': ['text/css', css],
  };
  await context.route('**', (route) => {
    const url = new URL(route.request().url());
    const file = url.origin === origin ? files[url.pathname] : undefined;
    if (file === undefined) {
      requests.push(url.href);
      return route.abort();
    }
    return route.fulfill({ contentType: file[0], body: file[1] });
  });
  page.on('pageerror', (error) => problems.push(`${error.name}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') {
      problems.push(message.text());
    }
  });
  await page.addInitScript(
    ({ variables, kept }) => {
      const heard: unknown[] = [];
      let state = kept;
      /** Programs beside the page that have a question to answer: on a busy machine they take their time. */
      const busy = new Set<Worker>();
      /** What the page has planned for soon: frames, idle moments, timers. Longer timers wait for the person. */
      const planned = new Set<unknown>();
      const longestMs = 700;
      const { setTimeout, clearTimeout, requestAnimationFrame, requestIdleCallback } = window;
      const nextFrame = () => new Promise((done) => requestAnimationFrame.call(window, done));
      Object.assign(window, {
        heard,
        setTimeout: (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
          const id = setTimeout.call(
            window,
            () => {
              planned.delete(id);
              run(...given);
            },
            ms,
          );
          if (ms <= longestMs) {
            planned.add(id);
          }
          return id;
        },
        clearTimeout: (id: number) => {
          planned.delete(id);
          clearTimeout.call(window, id);
        },
        requestAnimationFrame: (run: FrameRequestCallback) => {
          const id = requestAnimationFrame.call(window, (now) => {
            planned.delete(`frame ${id}`);
            run(now);
          });
          planned.add(`frame ${id}`);
          return id;
        },
        requestIdleCallback: (run: IdleRequestCallback, options?: IdleRequestOptions) => {
          const id = requestIdleCallback.call(
            window,
            (deadline) => {
              planned.delete(`idle ${id}`);
              run(deadline);
            },
            options,
          );
          planned.add(`idle ${id}`);
          return id;
        },
        /** Two frames in which nothing changed and after which nothing is planned; a message arrives within them. */
        settled: async () => {
          for (let quiet = 0, last = ''; quiet < 2; ) {
            await nextFrame();
            await new Promise((done) => setTimeout.call(window, done, 0));
            const now = `${document.querySelectorAll('*').length} ${document.body.textContent?.length}`;
            quiet = now === last && busy.size === 0 && planned.size === 0 ? quiet + 1 : 0;
            last = now;
          }
        },
        Worker: class extends Worker {
          constructor(address: string | URL) {
            super(address);
            this.addEventListener('message', () => busy.delete(this));
          }
          override postMessage(message: unknown) {
            busy.add(this);
            super.postMessage(message);
          }
          override terminate() {
            busy.delete(this);
            super.terminate();
          }
        },
        acquireVsCodeApi: () => ({
          postMessage(message: PanelMessage) {
            if (message.type !== 'ping') {
              heard.push(structuredClone(message));
            }
          },
          getState: () => state,
          setState: (next: unknown) => {
            state = next;
          },
        }),
      });
      addEventListener('DOMContentLoaded', () => {
        for (const [name, value] of Object.entries(variables)) {
          document.documentElement.style.setProperty(name, value);
        }
      });
    },
    { variables, kept },
  );
  await page.goto(`${origin}/`);
  const heard = () => page.evaluate(() => (window as unknown as { heard: PanelMessage[] }).heard.splice(0));
  return {
    page,
    requests,
    problems,
    tell: (...messages) =>
      page.evaluate((all) => {
        for (const message of all) {
          window.dispatchEvent(new MessageEvent('message', { data: message }));
        }
      }, messages as unknown[]),
    heard,
    heardNext: async () => {
      await page.waitForFunction(() => (window as unknown as { heard: PanelMessage[] }).heard.length > 0);
      return heard();
    },
    settle: () => page.evaluate(() => (window as unknown as { settled(): Promise<void> }).settled()),
    stopTime: async () => {
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 3_600_000);
    },
    close: async () => {
      await context.close();
      if (problems.length > 0) {
        throw new Error(`The page had problems:\n${problems.join('\n')}`);
      }
    },
  };
}

/** The source of axe-core, to be run in the page. */
export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
