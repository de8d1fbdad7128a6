import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge', 'chrome'];

const macApps = ['Google Chrome', 'Microsoft Edge', 'Chromium'];

const windowsPaths = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];

/** The executable of a Chrome, Edge or Chromium of this machine; `ASK_MODEL_BROWSER` comes first. */
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

/** What the tests do without, by Chromium's own names; the last list given is the only one that counts. */
const disabledFeatures = [
  // Playwright's own list, as far as it is about what is done here.
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
  // Parts of the window around the page, which nobody sees: each is a page with a process of its own.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  // A process for a page that may come.
  'SpareRendererForSitePerProcess',
];

/** For a headless browser that asks nothing of the network by itself and does nothing beside its pages. */
export const quietArgs: readonly string[] = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures.join(',')}`,
];

/** How the page of a workbench is to look. */
export type BrowserOptions = {
  /** The browser's own profile: keeps the secrets of the workbench. */
  readonly profileDir: string;
  readonly deviceScaleFactor?: number | undefined;
};

/** Starts a headless browser with the page of a workbench in it. The caller closes it. */
export async function launchBrowser(options: BrowserOptions): Promise<BrowserContext> {
  const executablePath = findBrowser();
  if (!executablePath) {
    throw new Error('No Chrome, Edge or Chromium was found. Install one, or set ASK_MODEL_BROWSER to its executable.');
  }
  return chromium.launchPersistentContext(options.profileDir, {
    executablePath,
    headless: true,
    viewport: { width: 1200, height: 800 },
    deviceScaleFactor: options.deviceScaleFactor ?? 1,
    // This process ends on a signal by itself, and the browser with it.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [...quietArgs],
  });
}

// Asked by the setup, which can not import TypeScript.
if (import.meta.main) {
  const path = findBrowser();
  console.log(path ?? 'none');
  process.exitCode = path ? 0 : 1;
}
