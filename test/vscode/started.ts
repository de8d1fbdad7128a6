import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { extensionHosts } from './extensionHosts.ts';
import { type Server, type ServerOptions, startServer } from './server.ts';
import { makeTemporary, removeTemporary } from './temporary.ts';

/** Options for the VS Code and the browser to start. */
export type StartOptions = Omit<ServerOptions, 'profileDir'> & {
  /** Left in place at the end; the default is a temporary profile, which is removed. */
  readonly profileDir?: string;
  readonly viewport: { readonly width: number; readonly height: number };
};

/** A running VS Code and a browser for it. */
type Started = {
  readonly options: StartOptions;
  readonly server: Server;
  readonly context: BrowserContext;
  end(): Promise<void>;
};

/** A page of a VS Code for the caller alone. */
export type AcquiredPage = {
  readonly page: Page;
  readonly server: Server;
  /** Ends VS Code and its browser, or empties them for the next caller that needs the same kind. */
  release(): Promise<void>;
};

let isShared = false;
/** The shared VS Code that is not in use. */
let idle: Started | undefined;

/**
 * Turns on sharing: a workbench of this process reuses the VS Code of the one before if it needs the same kind. The new
 * window has no stored state and nothing open, but the browser still has its compiled code.
 *
 * @returns a function that turns off sharing and ends the last VS Code.
 */
export function shareStarted(): () => Promise<void> {
  // Elsewhere the extension host can't be found, so it isn't known whether it has ended.
  isShared = process.platform === 'linux';
  return async () => {
    isShared = false;
    await idle?.end();
    idle = undefined;
  };
}

/** Starts a VS Code and a browser, or reuses the idle ones if they fit the options. */
export async function acquirePage(options: StartOptions): Promise<AcquiredPage> {
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
    return { page, server, release: () => release({ options, server, context, end }) };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Returns the options that can't change while a VS Code and its browser run. */
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
  if (process.env.ASK_MODEL_STARTS !== undefined) {
    appendFileSync(process.env.ASK_MODEL_STARTS, '.');
  }
  const server = await startServer({ ...options, profileDir });
  try {
    const context = await launchBrowser(join(profileDir, 'browser'));
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

async function release(started: Started): Promise<void> {
  // Of two kinds, the files that follow need the first one more often.
  if (!isShared || idle !== undefined || started.options.profileDir !== undefined) {
    await started.end();
    return;
  }
  try {
    await empty(started);
  } catch (error) {
    await started.end();
    throw error;
  }
  idle = started;
}

/** Closes everything in the window; rejects when its extension host doesn't end. */
async function empty({ context, server }: Started): Promise<void> {
  const [page, ...others] = context.pages();
  await Promise.all(others.map((other) => other.close()));
  page?.removeAllListeners();
  // A page of the same origin stays in the same process, which keeps its compiled code.
  await page?.goto(`${server.url}blank`);
  await page?.evaluate(() => sessionStorage.clear());
  // An extension host that loses its window waits hours for it to come back.
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
    // The process has already ended.
  }
}
