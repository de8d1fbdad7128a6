/**
 * Runs test/ui, each file in a process of its own with a VS Code of its own; two files side by side where there is
 * memory for it, since much of their time is waiting. Words select files by their names.
 */
import { globSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';
import { join } from 'node:path';
import { runFiles } from '../runFiles.ts';

/** What a VS Code with its extensions and its browser takes, with room: 1.5 GB were seen. */
const bytesEach = 2.5 * 2 ** 30;

const words = process.argv.slice(2);
const folder = import.meta.dirname;

await runFiles({
  suite: 'ui',
  paths: globSync('*.test.ts', { cwd: folder })
    .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
    .sort()
    .map((name) => join(folder, name)),
  // One kills, the other waits for VS Code to find an extension's models in a window that has only just begun.
  alone: ['killed.test.ts', 'languageModels.test.ts'],
  sideBySide: Math.max(1, Math.min(2, availableParallelism(), Math.floor(freemem() / bytesEach))),
  // With several workbenches one after the other, or with as many kills as were asked for.
  limitMs: 6 * 60_000 + Number(process.env.ASK_MODEL_KILLS ?? 0) * 12_000,
});
