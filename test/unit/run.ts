/**
 * Runs test/unit, each file in a process of its own, as many side by side as there are cores. Words select files by
 * their paths.
 */
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runFiles } from '../runFiles.ts';

const words = process.argv.slice(2);
const folder = import.meta.dirname;

await runFiles({
  suite: 'unit',
  paths: globSync('**/*.test.ts', { cwd: folder })
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .sort()
    .map((path) => join(folder, path)),
  alone: ['conversationFiles.test.ts', 'dialer.test.ts', 'killed.test.ts', 'network.test.ts'],
  sideBySide: Math.max(2, availableParallelism()),
});
