/**
 * Runs test/ui in two processes if there is enough memory, because the tests mostly wait. The files of one process
 * share a VS Code if they need the same kind, but each has its own window, settings and stored state.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';
import { join } from 'node:path';
import { runFiles } from '../runFiles.ts';
import { makeTemporary } from '../vscode/temporary.ts';

/** The memory of a VS Code with its extensions and its browser: 1.5 GB measured, plus a reserve. */
const bytesEach = 2.5 * 2 ** 30;

/** Has one byte for each start of VS Code. */
const starts = join(makeTemporary('starts'), 'starts');
process.env.ASK_MODEL_STARTS = starts;

await runFiles({
  suite: 'ui',
  folder: import.meta.dirname,
  // The first measures a loss in milliseconds. The second holds a key down, and the page must keep up with the repeats.
  alone: ['killed.test.ts', 'paying.test.ts'],
  processes: Math.max(1, Math.min(2, availableParallelism(), Math.floor(freemem() / bytesEach))),
  // VS Code sometimes moves the focus, or loses a key, when the machine is busy.
  triesAgain: true,
  // Loading a window again, or opening a second one, takes about as long as the rest of a file.
  weightOf: (path) => (/reload\(|openSecond|openOffline/.test(readFileSync(path, 'utf8')) ? 2 : 1),
  first: join(import.meta.dirname, 'support', 'shared.ts'),
  // Enough for half of all files, plus the requested number of kills.
  limitMs: 20 * 60_000 + Number(process.env.ASK_MODEL_KILLS ?? 0) * 12_000,
});

console.log(`Starts of VS Code: ${existsSync(starts) ? statSync(starts).size : 0}`);
