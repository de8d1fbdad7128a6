import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

const names = [
  // Debian's build of Chromium that is headless only. The UI tests take a tenth less processor time in it.
  'chromium-headless-shell',
  ...['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge', 'chrome'],
];

const macApps = ['Google Chrome', 'Microsoft Edge', 'Chromium'];

const windowsPaths = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];

/** Finds the executable of a Chrome, Edge or Chromium on this machine; `ASK_MODEL_BROWSER` takes precedence. */
export function findBrowser(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const candidates = [env.ASK_MODEL_BROWSER];
  if (process.platform === 'darwin') {
    candidates.push(...macApps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`));
  } else if (process.platform === 'win32') {
    const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LocalAppData].filter((folder) => !!folder);
    candidates.push(...folders.flatMap((folder) => windowsPaths.map((path) => join(folder ?? '', path))));
  } else {
    const folders = [...(env.PATH ?? '').split(delimiter), '/usr/bin', '/snap/bin'];
    candidates.push(...names.flatMap((name) => folders.map((folder) => join(folder, name))));
  }
  return candidates.find((path) => path && existsSync(path));
}

/** Chromium features that the tests don't need. Chromium uses only the last `--disable-features` switch it is given. */
const disabledFeatures = [
  // The part of Playwright's own list that matters for these tests.
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...[
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'TcpPortRandomizationWin', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
  // Parts of the window around the page, which a headless browser doesn't show. Each is a page with its own process.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  // A spare process for a page that may be opened later, and a new frame for each page of a site that is opened in it.
  ...['SpareRendererForSitePerProcess', 'RenderDocument'],
];

/** Arguments for a headless browser that makes no network requests of its own and runs nothing besides its pages. */
export const quietArgs: readonly string[] = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures.join(',')}`,
];

const stillStyle = '*, ::before, ::after { animation: none !important; transition: none !important }';
let pageStyle = stillStyle;

/** The style with which a screenshot shows a page all the same. */
export const opaque = 'html { opacity: 1 !important }';

/** Draws no page that is opened from now on: what is transparent is laid out and has the focus as usual. */
export function drawNothing(): void {
  pageStyle = `${stillStyle} html { opacity: 0 }`;
}

/**
 * Starts a headless browser for the page of a workbench, whose profile stores its secrets. Nothing in it moves, because
 * the processor would draw each frame, and a bar of progress takes half of all drawing. The caller closes it.
 */
export async function launchBrowser(profileDir: string): Promise<BrowserContext> {
  const executablePath = findBrowser();
  if (!executablePath) {
    throw new Error(
      "Chrome, Edge or Chromium wasn't found. Install one of them, or set ASK_MODEL_BROWSER to its executable.",
    );
  }
  const context = await chromium.launchPersistentContext(profileDir, {
    executablePath,
    headless: true,
    viewport: { width: 1200, height: 800 },
    reducedMotion: 'reduce',
    // This process handles signals itself, and the browser ends with it.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [...quietArgs],
  });
  await context.addInitScript((style) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets.push(sheet);
  }, pageStyle);
  return context;
}

// Run as a program by the setup, which can't import TypeScript.
if (import.meta.main) {
  const path = findBrowser();
  console.log(path ?? 'none');
  process.exitCode = path ? 0 : 1;
}
