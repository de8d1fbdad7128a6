import { globSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { TitleCounts } from './titleCounts.ts';
import { makeTemporary } from './vscode/temporary.ts';

export type RunOptions = {
  /** The name in the last line, which test/run.mjs reads. */
  readonly suite: string;
  /** An absolute path; the tests are in this folder or below it. */
  readonly folder: string;
  /** The names of files that get a process of their own. They run one at a time, after all others. */
  readonly alone: readonly string[];
  /** How many processes run the other files, each a part of them. */
  readonly processes: number;
  /** The absolute path of a module that each process loads first. */
  readonly first?: string;
  /**
   * Whether files with a failed test run once more, alone, if there are at most three. The tests of one file may fail
   * the first time and pass the second time: they share a window, so one failure takes others with it. Tests of more
   * files count as failed. With `--repeat` nothing runs again.
   */
  readonly triesAgain?: boolean;
  /** The time limit for one process. */
  readonly limitMs?: number;
  /** How long a file takes beside another one of its size; 1 by default. */
  readonly weightOf?: (path: string) => number;
  /** Sets up what the selected files share, before the first of them runs. */
  readonly share?: (paths: readonly string[]) => Promise<void>;
};

/** The words on the command line, and how many times to run. */
function readArguments() {
  const options = { repeat: { type: 'string', default: '1' } } as const;
  const { positionals, values } = parseArgs({ options, allowPositionals: true });
  const times = Number(values.repeat);
  if (!Number.isSafeInteger(times) || times < 1) {
    throw new Error(`--repeat takes a whole number from 1, not "${values.repeat}".`);
  }
  return { words: positionals, times };
}

/**
 * Runs the tests of a folder and sets the exit code of this process; a signal aborts them. Words on the command line
 * select files by their paths; `--repeat 10` runs them ten times and reports how often each test passed.
 */
export async function runFiles(options: RunOptions): Promise<void> {
  const { suite, folder, alone, processes, first, triesAgain = false, limitMs, weightOf = () => 1, share } = options;
  const { words, times } = readArguments();
  const paths = globSync('**/*.test.ts', { cwd: folder })
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .sort()
    .map((path) => join(folder, path));
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      abort.abort();
      setTimeout(() => process.exit(1), 5_000);
    });
  }
  const counts = new TitleCounts();
  /** Runs files in `count` processes at the same time. */
  const runSome = async (files: readonly string[], count: number) => {
    if (files.length === 0 || abort.signal.aborted) {
      return;
    }
    const stream = run({
      files: inParts(files, count, first, weightOf),
      concurrency: count,
      signal: abort.signal,
      timeout: limitMs,
    });
    stream.on('test:start', (test) => counts.start(test));
    stream.on('test:pass', (test) => counts.pass(test));
    stream.on('test:fail', (test) => counts.fail(test));
    for await (const text of stream.compose(spec)) {
      process.stdout.write(text);
    }
  };
  await share?.(paths);
  const isAlone = (path: string) => alone.includes(basename(path));
  for (let time = 1; time <= times && !abort.signal.aborted; time++) {
    if (times > 1) {
      console.log(`\nRun ${time} of ${times}`);
    }
    await runSome(
      paths.filter((path) => !isAlone(path)),
      processes,
    );
    for (const path of paths.filter(isAlone)) {
      await runSome([path], 1);
    }
  }
  const again = triesAgain && times === 1 ? counts.failedFiles() : [];
  const secondTry: string[] = [];
  let filesOfSecondTry = 0;
  if (again.length > 0 && again.length <= 3 && again.every((path) => paths.includes(path))) {
    const failures = again.map((path) => counts.forget(path));
    console.log(
      ['\nRunning the files of these tests again, because they failed once:', ...failures.flat()].join('\n  '),
    );
    await runSome(again, 1);
    for (const titles of failures) {
      const passed = titles.filter((title) => counts.hasPassed(title));
      secondTry.push(...passed);
      filesOfSecondTry += passed.length > 0 ? 1 : 0;
    }
    console.log(['\nPassed only on the second try:', ...secondTry].join('\n  '));
  }
  console.log(['\nThe slowest files:', ...counts.slowest(10)].join('\n  '));
  if (times > 1) {
    console.log(['', ...counts.lines()].join('\n'));
  }
  let { passed, failed } = counts.total();
  if (filesOfSecondTry > 1) {
    passed -= secondTry.length;
    failed += secondTry.length;
  }
  // A run without any test is a failure.
  failed += passed + failed === 0 || abort.signal.aborted ? 1 : 0;
  process.exitCode = failed > 0 ? 1 : 0;
  process.on('exit', () => console.log(`${suite}: ${passed} passed, ${failed} failed`));
}

/**
 * Writes files that each import `first` and then a part of `paths`, every one as a suite, so that its hooks are for its
 * own tests. The parts have about equal size, with the largest files first.
 */
function inParts(
  paths: readonly string[],
  count: number,
  first: string | undefined,
  weightOf: (path: string) => number,
): string[] {
  const parts = Array.from({ length: count }, () => ({ size: 0, paths: [] as string[] }));
  const sizes = new Map(paths.map((path) => [path, statSync(path).size * weightOf(path)]));
  for (const [path, size] of [...sizes].sort(([, a], [, b]) => b - a)) {
    const smallest = parts.reduce((least, part) => (part.size < least.size ? part : least));
    smallest.size += size;
    smallest.paths.push(path);
  }
  const folder = makeTemporary('parts');
  return parts
    .filter((part) => part.paths.length > 0)
    .map((part, index) => {
      const file = join(folder, `part-${index + 1}.ts`);
      const literal = (path: string) => JSON.stringify(pathToFileURL(path).href);
      const lines = [
        `import { describe } from 'node:test';`,
        ...(first === undefined ? [] : [`import ${literal(first)};`]),
        ...part.paths.map(
          (path) => `describe(${JSON.stringify(path)}, async () => void (await import(${literal(path)})));`,
        ),
      ];
      writeFileSync(file, lines.join('\n'));
      return file;
    });
}
