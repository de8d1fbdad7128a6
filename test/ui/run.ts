/**
 * Runs test/ui one file after the other, each in a process of its own: there is memory for one VS Code at a time.
 * Words select files by their names.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/** For one file, with several workbenches one after the other, or with as many kills as were asked for. */
const fileLimitMs = 6 * 60_000 + Number(process.env.ASK_MODEL_KILLS ?? 0) * 12_000;

const words = process.argv.slice(2);
const folder = import.meta.dirname;
const files = globSync('*.test.ts', { cwd: folder })
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
  .sort()
  .map((name) => join(folder, name));

const abort = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    abort.abort();
    setTimeout(() => process.exit(1), 5_000);
  });
}

const stream = run({ files, concurrency: 1, timeout: fileLimitMs, signal: abort.signal });
let passed = 0;
let failed = 0;
stream.on('test:summary', ({ file, counts }) => {
  if (file === undefined) {
    passed = counts.passed;
    failed = counts.tests - counts.passed - counts.skipped - counts.todo;
  }
});
stream.compose(spec).pipe(process.stdout);
stream.on('end', () => {
  // No test at all is no success.
  failed += passed + failed === 0 ? 1 : 0;
  process.exitCode = failed > 0 ? 1 : 0;
  process.on('exit', () => console.log(`ui: ${passed} passed, ${failed} failed`));
});
