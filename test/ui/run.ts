/**
 * Runs test/ui in two processes where there is memory for it, since much of the time is waiting. The files of one process
 * share a VS Code where what they need of it is alike: each has a window, settings and memory of its own.
 */
import { availableParallelism, freemem } from 'node:os';
import { join } from 'node:path';
import { runFiles } from '../runFiles.ts';

/** What a VS Code with its extensions and its browser takes, with room: 1.5 GB were seen. */
const bytesEach = 2.5 * 2 ** 30;

await runFiles({
  suite: 'ui',
  folder: import.meta.dirname,
  // One kills and looks at a loss of milliseconds, and one holds a key down, whose repeats a page must not take a second
  // apart.
  alone: ['killed.test.ts', 'paying.test.ts'],
  sideBySide: Math.max(1, Math.min(2, availableParallelism(), Math.floor(freemem() / bytesEach))),
  firstInEach: join(import.meta.dirname, 'support', 'shared.ts'),
  // Half of all files, or as many kills as were asked for.
  limitMs: 20 * 60_000 + Number(process.env.ASK_MODEL_KILLS ?? 0) * 12_000,
});
