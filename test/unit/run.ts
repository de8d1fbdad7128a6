/** Runs test/unit, each file in a process of its own, as many side by side as there are cores. */
import { availableParallelism } from 'node:os';
import { runFiles } from '../runFiles.ts';
import { hasBrowser, sharePanel } from './webview/page/panelPage.ts';

await runFiles({
  suite: 'unit',
  folder: import.meta.dirname,
  alone: ['dialer.test.ts', 'killed.test.ts', 'network.test.ts'],
  sideBySide: Math.max(2, availableParallelism()),
  share: async (paths) =>
    hasBrowser && paths.some((path) => path.includes('webview')) ? await sharePanel() : undefined,
});
