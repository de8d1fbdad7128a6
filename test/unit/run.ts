/** Runs test/unit, each file in its own process, two more at a time than there are cores, because some only wait. */
import { availableParallelism } from 'node:os';
import { runFiles } from '../runFiles.ts';
import { hasBrowser, sharePanel } from './webview/page/panelPage.ts';

await runFiles({
  suite: 'unit',
  folder: import.meta.dirname,
  alone: ['killed.test.ts', 'network.test.ts'],
  sideBySide: Math.max(2, availableParallelism()) + 2,
  share: async (paths) =>
    hasBrowser && paths.some((path) => path.includes('webview')) ? await sharePanel() : undefined,
});
