import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { BrowserContext } from 'playwright-core';
import { deltaLength, deltasPerSecond } from './deltaServer.ts';
import { type MainThread, MainThreadRecorder } from './mainThread.ts';

const origin = 'http://naive.test';

/**
 * Measures a naive page with the panel's own styles in the same browser. Its deltas come from a timer in the page, so
 * it doesn't have the cost of messages from the extension host.
 */
export async function measureNaive(context: BrowserContext, text: string): Promise<MainThread> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(import.meta.resolve('./naivePage.ts'))],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'chrome134',
    outdir: 'out',
    logLevel: 'silent',
  });
  const bundled = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const files: Record<string, readonly [string, string]> = {
    '/': [
      'text/html',
      `<!doctype html><link rel="stylesheet" href="/naive.css"><main id="app"><div class="scroller pinned">
      <div class="conversation"><div class="markdown"></div></div></div></main><script src="/naive.js"></script>`,
    ],
    '/naive.js': ['text/javascript', bundled('.js')],
    '/naive.css': ['text/css', bundled('.css')],
  };
  const page = await context.newPage();
  try {
    await page.route(`${origin}/**`, (route) => {
      const [contentType, body] = files[new URL(route.request().url()).pathname] ?? ['text/plain', ''];
      return route.fulfill({ contentType, body });
    });
    await page.goto(`${origin}/`);
    const recorder = await MainThreadRecorder.start(page);
    await page.evaluate(
      ([arriving, pace]) =>
        (window as unknown as { stream(text: string, pace: number): Promise<void> }).stream(arriving, pace),
      [text, deltasPerSecond * deltaLength] as const,
    );
    return await recorder.stop('naive.js');
  } finally {
    await page.close();
  }
}
