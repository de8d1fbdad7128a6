import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { extensionHosts } from './extensionHosts.ts';
import { type Server, type ServerOptions, startServer } from './server.ts';
import { makeTemporary, removeTemporary } from './temporary.ts';

/** Which VS Code and browser to start, and what to open in them. */
export type StartOptions = Omit<ServerOptions, 'profileDir'> & {
  /** Kept at the end; by default a temporary one, removed. */
  readonly profileDir?: string | undefined;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly deviceScaleFactor?: number | undefined;
};

/** A VS Code that runs, and a browser for it. */
type Started = {
  readonly options: StartOptions;
  readonly server: Server;
  readonly context: BrowserContext;
  end(): Promise<void>;
};

/** A page of a VS Code that nobody else uses. */
export type Place = {
  readonly page: Page;
  readonly server: Server;
  /** Ends VS Code and its browser, or leaves them empty for the next who needs such ones. */
  leave(): Promise<void>;
};

let isShared = false;
/** The one that nobody uses. */
let idle: Started | undefined;

/**
 * From here on a VS Code that is left is taken by the next workbench of this process that needs one like it: the window
 * is a new person's, with nothing remembered and nothing open, and what the browser has compiled is still there. The
 * caller ends the last one with what it is given.
 */
export function shareStarted(): () => Promise<void> {
  // Where its extension host can't be found it can't be known to have ended.
  isShared = process.platform === 'linux';
  return async () => {
    isShared = false;
    await idle?.end();
    idle = undefined;
  };
}

/** Starts a VS Code and a browser, or takes those that were left when they are what is asked for. */
export async function takePlace(options: StartOptions): Promise<Place> {
  let started = idle;
  if (started !== undefined && isDeepStrictEqual(kindOf(started.options), kindOf(options))) {
    idle = undefined;
    started.server.startOver(options);
  } else {
    started = await start(options);
  }
  const { context, server, end } = started;
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await page.setViewportSize(options.viewport);
    const session = await context.newCDPSession(page);
    const storageTypes = 'cookies,file_systems,indexeddb,local_storage';
    await session.send('Storage.clearDataForOrigin', { origin: new URL(server.url).origin, storageTypes });
    await session.detach();
    return { page, server, leave: () => leave({ options, server, context, end }) };
  } catch (error) {
    await end();
    throw error;
  }
}

/** What a VS Code and its browser can't change while they run. */
function kindOf({ settings: _, open: __, viewport: ___, ...kind }: StartOptions): object {
  return kind;
}

async function start(options: StartOptions): Promise<Started> {
  const profileDir = options.profileDir ?? makeTemporary('profile');
  const removeProfile = () => {
    if (options.profileDir === undefined) {
      removeTemporary(profileDir);
    }
  };
  const server = await startServer({ ...options, profileDir });
  try {
    const { deviceScaleFactor } = options;
    const context = await launchBrowser({ profileDir: join(profileDir, 'browser'), deviceScaleFactor });
    const end = async () => {
      try {
        await context.close();
      } finally {
        await server.dispose();
        removeProfile();
      }
    };
    return { options, server, context, end };
  } catch (error) {
    await server.dispose();
    removeProfile();
    throw error;
  }
}

async function leave(started: Started): Promise<void> {
  if (!isShared || started.options.profileDir !== undefined) {
    await started.end();
    return;
  }
  try {
    await empty(started);
  } catch (error) {
    await started.end();
    throw error;
  }
  // The files that come next are more likely to need what this one did.
  const before = idle;
  idle = started;
  await before?.end();
}

/** Leaves the window with nothing open in it; rejects when its extension host does not end. */
async function empty({ context, server }: Started): Promise<void> {
  const [page, ...others] = context.pages();
  await Promise.all(others.map((other) => other.close()));
  page?.removeAllListeners();
  // Of the same origin it is in the same process, which keeps what it has compiled.
  await page?.goto(`${server.url}blank`);
  await page?.evaluate(() => sessionStorage.clear());
  // One that is cut off waits for its window for hours.
  for (const until = Date.now() + 10_000; ; await delay(50)) {
    const hosts = extensionHosts(server.pid);
    if (hosts.length === 0) {
      return;
    }
    if (Date.now() > until) {
      throw new Error('The extension host of a window that was left did not end.');
    }
    for (const pid of hosts) {
      kill(pid);
    }
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
