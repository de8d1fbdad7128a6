/** Runs test/unit, each file in a process of its own; two more side by side than there are cores, since some wait. */
import { availableParallelism } from 'node:os';
import { runFiles } from '../runFiles.ts';
import { hasBrowser, sharePanel } from './webview/page/panelPage.ts';

await runFiles({
  suite: 'unit',
  folder: import.meta.dirname,
  alone: ['dialer.test.ts', 'killed.test.ts', 'network.test.ts'],
  sideBySide: Math.max(2, availableParallelism()) + 2,
  share: async (paths) =>
    hasBrowser && paths.some((path) => path.includes('webview')) ? await sharePanel() : undefined,
});
