/**
 * Runs the offline VS Code with the arguments of the desktop one, for `runTests` of @vscode/test-electron: starts it,
 * opens it in a headless browser, and exits with the exit code of the tests that run in it.
 */
import { fstatSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContext } from 'playwright-core';
import { drawNothing, launchBrowser, opaque } from './browser.ts';
import { outFolder } from './paths.ts';
import { type Server, startServer } from './server.ts';
import { makeTemporary, removeTemporary } from './temporary.ts';

const { values, positionals } = parseArgs({
  options: {
    extensionDevelopmentPath: { type: 'string', multiple: true },
    extensionTestsPath: { type: 'string' },
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
    'disable-workspace-trust': { type: 'boolean' },
  },
  // The desktop's other switches (sandbox, GPU, updates, welcome page) have no meaning here.
  strict: false,
  allowPositionals: true,
});

/** More than any suite needs. The time limits of the tests end a suite that hangs long before this one does. */
const limitMs = Number(process.env.ASK_MODEL_HOST_LIMIT_MS ?? 10 * 60_000);

const profileDir = makeTemporary('host');
// The runner holds the other end of this pipe. When the runner is gone, this process must end what it has started.
if (fstatSync(0).isFIFO() || fstatSync(0).isSocket()) {
  process.stdin.on('close', () => process.exit(1)).resume();
}

let server: Server | undefined;
let browser: BrowserContext | undefined;

try {
  const [open] = positionals;
  server = await startServer({
    profileDir,
    open: open === undefined ? undefined : resolve(open),
    extensionDevelopmentPaths: strings(values.extensionDevelopmentPath),
    extensionTestsPath: strings(values.extensionTestsPath)[0],
    userDataDir: strings(values['user-data-dir'])[0],
    extensionsDir: strings(values['extensions-dir'])[0],
    settings: { 'security.workspace.trust.enabled': !values['disable-workspace-trust'] },
    isLight: true,
  });
  drawNothing();
  browser = await launchBrowser(join(profileDir, 'browser'));
  process.exitCode = await exitCodeOfTests(browser, server);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await browser?.close();
  await server?.dispose();
  removeTemporary(profileDir);
  process.exit();
}

async function exitCodeOfTests(context: BrowserContext, { url, log }: Server): Promise<number> {
  const page = context.pages()[0] ?? (await context.newPage());
  let timer: NodeJS.Timeout | undefined;
  await page.setViewportSize({ width: 800, height: 600 });
  const ended = new Promise<number>((resolveCode, reject) => {
    // The workbench calls this when the `run()` of the tests has settled: with 0 if it resolved, 1 if it threw.
    void page.exposeFunction('codeAutomationExit', resolveCode).then(() => page.goto(url).catch(reject), reject);
    page.on('crash', () => reject(new Error('The page of the workbench crashed.')));
    timer = setTimeout(async () => {
      const path = join(outFolder, 'screenshots', 'host-timeout.png');
      mkdirSync(join(outFolder, 'screenshots'), { recursive: true });
      await page.screenshot({ path, style: opaque }).catch(() => undefined);
      reject(new Error(`The tests did not end in ${limitMs / 1000} s. What was to be seen: ${path}\n${log()}`));
    }, limitMs);
  });
  return ended.finally(() => clearTimeout(timer));
}

function strings(value: unknown): string[] {
  return [value].flat().filter((item) => typeof item === 'string');
}
