/**
 * Runs test/ui, each file in a process of its own with a VS Code of its own; two files side by side where there is
 * memory for it, since much of their time is waiting.
 */
import { availableParallelism, freemem } from 'node:os';
import { runFiles } from '../runFiles.ts';

/** What a VS Code with its extensions and its browser takes, with room: 1.5 GB were seen. */
const bytesEach = 2.5 * 2 ** 30;

await runFiles({
  suite: 'ui',
  folder: import.meta.dirname,
  // One kills, one waits for VS Code to find an extension's models in a window that has only just begun, and one holds a
  // key down, whose repeats a page must not take a second apart.
  alone: ['killed.test.ts', 'languageModels.test.ts', 'paying.test.ts'],
  sideBySide: Math.max(1, Math.min(2, availableParallelism(), Math.floor(freemem() / bytesEach))),
  // With several workbenches one after the other, or with as many kills as were asked for.
  limitMs: 6 * 60_000 + Number(process.env.ASK_MODEL_KILLS ?? 0) * 12_000,
});
