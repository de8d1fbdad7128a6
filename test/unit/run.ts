/** Runs test/unit in four processes, more than most machines have cores, because some tests only wait. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runFiles } from '../runFiles.ts';
import { findBrowser } from '../vscode/browser.ts';
import { sharePanel } from './webview/page/builtPanel.ts';

await runFiles({
  suite: 'unit',
  folder: import.meta.dirname,
  alone: ['network.test.ts'],
  processes: 4,
  // Many tests walk through a page in a browser, which can lose a key or a frame when the machine is busy.
  triesAgain: true,
  // Nine tenths of the time of a test in a browser are the browser's.
  weightOf: (path) => (/panelTest|openPanel|openUsagePage/.test(readFileSync(path, 'utf8')) ? 10 : 1),
  first: join(import.meta.dirname, 'first.ts'),
  share: async (paths) => {
    if (findBrowser() && paths.some((path) => path.includes('webview'))) {
      await sharePanel();
    }
  },
});
