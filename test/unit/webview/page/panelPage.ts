import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { after, test } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import type { Localization } from '../../../../src/core/base/localization.ts';
import type { HostMessage, PanelMessage } from '../../../../src/protocol/protocol.ts';
import themes from '../../../fixtures/themes.json' with { type: 'json' };
import { findBrowser, quietArgs } from '../../../vscode/browser.ts';
import { builtPanel } from './builtPanel.ts';

/** The panel alone in a browser: the page as the host makes it, a VS Code theme, and a host that only records. */
export type PanelPage = {
  readonly page: Page;
  /** The question box. */
  readonly box: Locator;
  /** What describes the question box to assistive technology. */
  boxDescription(): Promise<string>;
  /** Sends messages as the host would. */
  send(...messages: HostMessage[]): Promise<void>;
  /** Sends messages, and waits until they are drawn. */
  draw(...messages: HostMessage[]): Promise<void>;
  /** Draws what a test begins with, and forgets what the panel has posted so far. */
  begin(...messages: HostMessage[]): Promise<void>;
  /** Messages that the panel has posted since the last call: those of these types, or all. */
  posted<T extends PanelMessage['type']>(...types: readonly T[]): Promise<Extract<PanelMessage, { type: T }>[]>;
  /** Waits until the panel has posted something, and returns it. */
  nextPosted(): Promise<PanelMessage[]>;
  /** The state that the panel has saved. */
  savedState(): Promise<unknown>;
  /** Waits until nothing is left to draw or to highlight. */
  settle(): Promise<void>;
  /**
   * Stops the page's clock, so that the following steps happen at the same time, however slow the machine is.
   *
   * @param at Unix milliseconds; by default the time of now.
   */
  stopTime(at?: number): Promise<void>;
  /** Addresses that the page requested beyond its own files. */
  readonly requests: readonly string[];
  /** Errors in the page: exceptions and violations of its content security policy. */
  readonly problems: string[];
  /** Closes the page; rejects if there were errors in it. */
  close(): Promise<void>;
};

export type PanelOptions = {
  readonly theme?: keyof typeof themes;
  readonly width?: number;
  readonly height?: number;
  /** The state that the panel saved earlier. */
  readonly state?: unknown;
  /** Without it, the panel is in English. */
  readonly localization?: Localization;
  /** The file of the page: by default that of the panel. */
  readonly file?: 'webview' | 'usage';
  /** Whether icons turn. By default the person prefers reduced motion, because a turning icon keeps the browser busy. */
  readonly motion?: boolean;
  /** What else runs before the panel's own script. */
  readonly script?: string;
};

let browser: Promise<Browser> | undefined;
let site: Promise<Site> | undefined;

/** A server of the pages. */
type Site = { readonly origin: string; readonly server: Server };

/** The documents of the site by their paths. */
const documents = new Map<string, string>();

/** A page of the browser, and what it shows. */
type Tab = {
  readonly context: BrowserContext;
  readonly page: Page;
  requests: string[];
  problems: string[];
};

/** A page that a test has left as it was: to open a new one takes four times as long. */
let idle: Tab | undefined;

/**
 * Serves the pages on loopback. Playwright could answer their requests itself, but then the browser would get and compile
 * the same code for each page again.
 */
async function serve(): Promise<Site> {
  const folder = await builtPanel();
  const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };
  const server = createServer(({ url: path = '' }, response) => {
    const document = documents.get(path);
    const type = types[extname(path)];
    if (document !== undefined) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(document);
    } else if (type !== undefined) {
      const file = readFileSync(join(folder, path));
      response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=3600' }).end(file);
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** Whether this machine has a browser to open the panel in. */
export const hasBrowser = findBrowser() !== undefined;

function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    throw new Error('No Chrome, Edge or Chromium was found.');
  }
  // Nothing leaves the machine.
  const args = [...quietArgs, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];
  browser ??= chromium.launch({ executablePath, args });
  return browser;
}

/** Closes the browser of this process. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  (await site)?.server.close();
  [browser, site, idle] = [undefined, undefined, undefined];
}

// For all files of the process: to start a browser takes a second.
after(closeBrowser);

/** Runs in the page before the panel's own script: a host that only records, and what the page still has to do. */
function prepare(variables: Readonly<Record<string, string>>, savedState: unknown): void {
  document.currentScript?.remove();
  // Nobody looks at this page. What is transparent is laid out as usual, but not drawn.
  const transparent = new CSSStyleSheet();
  transparent.replaceSync('html { opacity: 0 }');
  document.adoptedStyleSheets.push(transparent);
  const posted: unknown[] = [];
  let state = savedState;
  /** Workers that have not answered yet, which can take long on a busy machine. */
  const busy = new Set<Worker>();
  /** What the page has scheduled soon: frames, idle callbacks, tasks, timers. Longer timers wait for the person. */
  const scheduled = new Set<unknown>();
  const longestTimerMs = 700;
  const { setTimeout, clearTimeout, requestAnimationFrame, requestIdleCallback } = window;
  const nextFrame = () => new Promise((done) => requestAnimationFrame.call(window, done));
  Object.assign(window, {
    posted,
    savedState: () => state,
    setTimeout: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      const id = setTimeout.call(
        window,
        () => {
          scheduled.delete(id);
          run(...args);
        },
        ms,
      );
      if (ms <= longestTimerMs) {
        scheduled.add(id);
      }
      return id;
    },
    clearTimeout: (id: number) => {
      scheduled.delete(id);
      clearTimeout.call(window, id);
    },
    requestAnimationFrame: (run: FrameRequestCallback) => {
      const id = requestAnimationFrame.call(window, (now) => {
        scheduled.delete(`frame ${id}`);
        run(now);
      });
      scheduled.add(`frame ${id}`);
      return id;
    },
    requestIdleCallback: (run: IdleRequestCallback, options?: IdleRequestOptions) => {
      const id = requestIdleCallback.call(
        window,
        (deadline) => {
          scheduled.delete(`idle ${id}`);
          run(deadline);
        },
        options,
      );
      scheduled.add(`idle ${id}`);
      return id;
    },
    /** Waits for two frames without a change and with nothing scheduled; a message arrives within this time. */
    settled: async () => {
      for (let quiet = 0, last = ''; quiet < 2; ) {
        await nextFrame();
        await new Promise((done) => setTimeout.call(window, done, 0));
        const now = `${document.querySelectorAll('*').length} ${document.body.textContent?.length}`;
        quiet = now === last && busy.size === 0 && scheduled.size === 0 ? quiet + 1 : 0;
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
          // As JSON, like the way to the extension host in VS Code.
          posted.push(JSON.parse(JSON.stringify(message)));
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
}

async function openTab(origin: string, motion: boolean): Promise<Tab> {
  if (idle !== undefined && !motion) {
    const tab = idle;
    idle = undefined;
    return Object.assign(tab, { requests: [], problems: [] });
  }
  const context = await (await launchBrowser()).newContext({ reducedMotion: motion ? 'no-preference' : 'reduce' });
  const page = await context.newPage();
  const tab: Tab = { context, page, requests: [], problems: [] };
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isOwn = url.origin === origin && (documents.has(url.pathname) || /^\/\w+\.(?:js|css)$/.test(url.pathname));
    if (!isOwn && url.protocol !== 'blob:') {
      tab.requests.push(url.href);
    }
  });
  page.on('pageerror', (error) => tab.problems.push(`${error.name}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') {
      tab.problems.push(message.text());
    }
  });
  return tab;
}

/** Opens the panel. */
export async function openPanel({
  theme = 'dark',
  width = 760,
  height = 900,
  state: savedState,
  localization,
  file = 'webview',
  motion = false,
  script = '',
}: PanelOptions = {}): Promise<PanelPage> {
  site ??= serve();
  const { origin } = await site;
  const { classes, variables } = themes[theme];
  const translations = JSON.stringify(localization?.texts ?? {}).replaceAll(
    /[&"<>]/g,
    (letter) => `&#${letter.charCodeAt(0)};`,
  );
  const texts = localization?.texts === undefined ? '' : ` data-texts="${translations}"`;
  const policy = `default-src 'none'; script-src 'nonce-panel'; style-src ${origin}; font-src ${origin}; img-src blob:; worker-src blob:; require-trusted-types-for 'script'; trusted-types highlighter`;
  const facts = [variables, savedState].map((fact) => JSON.stringify(fact) ?? 'undefined').join();
  const tab = await openTab(origin, motion);
  const { context, page, requests, problems } = tab;
  const address = `/page${documents.size}`;
  documents.set(
    address,
    `<!doctype html><html lang="${localization?.language ?? 'en'}"><head><meta charset="utf-8"><title>Panel</title>
    <meta http-equiv="Content-Security-Policy" content="${policy}"><link rel="stylesheet" href="/${file}.css">
    <script nonce="panel">(${prepare})(${facts.replaceAll('<', '\\u003c')});${script}</script>
    </head><body class="${classes}"><main id="app" data-conversation="c1"${texts}></main>
    <script nonce="panel" src="/${file}.js"></script></body></html>`,
  );
  let isAsBefore = !motion;
  await page.setViewportSize({ width, height });
  await page.mouse.move(-1, -1);
  await page.goto(origin + address);
  const send = (...messages: HostMessage[]) =>
    page.evaluate((all) => {
      for (const data of all) {
        window.dispatchEvent(new MessageEvent('message', { data }));
      }
    }, messages as unknown[]);
  const settle = () => page.evaluate(() => (window as unknown as { settled(): Promise<void> }).settled());
  const draw = async (...messages: HostMessage[]) => {
    await send(...messages);
    await settle();
  };
  const posted = async <T extends PanelMessage['type']>(...types: readonly T[]) => {
    const all = await page.evaluate(() => (window as unknown as { posted: PanelMessage[] }).posted.splice(0));
    return all.filter(
      (message): message is Extract<PanelMessage, { type: T }> =>
        types.length === 0 || types.some((type) => type === message.type),
    );
  };
  return {
    page,
    box: page.getByLabel('Question', { exact: true }),
    boxDescription: () =>
      page
        .getByLabel('Question', { exact: true })
        .evaluate(({ ariaDescribedByElements }) =>
          (ariaDescribedByElements ?? []).map((each) => each.textContent).join(''),
        ),
    requests,
    problems,
    send,
    draw,
    begin: async (...messages) => {
      await draw(...messages);
      await posted();
    },
    posted,
    nextPosted: async () => {
      await page.waitForFunction(() => (window as unknown as { posted: PanelMessage[] }).posted.length > 0);
      return posted();
    },
    savedState: () => page.evaluate(() => (window as unknown as { savedState(): unknown }).savedState()),
    settle,
    stopTime: async (at = Date.now()) => {
      isAsBefore = false;
      // The clock can only be paused in the future, and runs until then.
      await page.clock.install({ time: at - 3_600_000 });
      await page.clock.pauseAt(at);
    },
    close: async () => {
      if (isAsBefore && idle === undefined) {
        idle = tab;
      } else {
        await context.close();
      }
      if (problems.length > 0) {
        throw new Error(`The page had problems:\n${problems.join('\n')}`);
      }
    },
  };
}

type PanelTest = (panel: PanelPage) => Promise<void>;

/** A test with a panel of its own, which fails if there were errors in its page. */
export function panelTest(title: string, run: PanelTest): void;
export function panelTest(title: string, options: PanelOptions, run: PanelTest): void;
export function panelTest(title: string, options: PanelOptions | PanelTest, run?: PanelTest): void {
  test(title, { skip: !hasBrowser }, async () => {
    const panel = await openPanel(typeof options === 'function' ? {} : options);
    await (typeof options === 'function' ? options : run)?.(panel);
    await panel.close();
  });
}
