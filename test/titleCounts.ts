import { basename } from 'node:path';
import type { EventData } from 'node:test';

type Count = { passed: number; failed: number };
type TitleCount = Count & { readonly file: string };

/**
 * Counts how often each test passed and failed in several runs. A suite counts when it failed by itself, by a hook or
 * by its time limit; a file counts when it could not be loaded. Skipped tests do not count. The tests of each file are
 * in a suite named by its path.
 */
export class TitleCounts {
  readonly #counts = new Map<string, TitleCount>();
  /** How long each file took, in milliseconds. */
  readonly #durations = new Map<string, number>();
  /** The file whose tests run now. A test may be declared in another file, which many use. */
  #file = '';

  /** Notes the file whose tests begin. */
  start({ name, nesting }: EventData.TestStart): void {
    if (nesting === 0) {
      this.#file = name;
    }
  }

  /** Counts a passed test. */
  pass(test: EventData.TestPass): void {
    this.#time(test);
    if (test.details.type !== 'suite') {
      this.#add(test, 'passed');
    }
  }

  /** Counts a failed test, suite or file. */
  fail(test: EventData.TestFail): void {
    this.#time(test);
    const { error, type } = test.details;
    const isCausedByTests = 'failureType' in error && error.failureType === 'subtestsFailed';
    if (type !== 'suite' || !isCausedByTests) {
      this.#add(test, 'failed');
    }
  }

  #time({ name, nesting, details }: EventData.TestPass | EventData.TestFail): void {
    if (details.type === 'suite' && nesting === 0) {
      this.#durations.set(name, details.duration_ms);
    }
  }

  #add({ name, nesting, skip, todo }: EventData.TestPass | EventData.TestFail, outcome: keyof Count): void {
    if (skip !== undefined || todo !== undefined) {
      return;
    }
    const file = nesting === 0 ? name : this.#file;
    const title = name === file ? basename(file) : `${basename(file)}: ${name}`;
    const count = this.#counts.get(title) ?? { file, passed: 0, failed: 0 };
    this.#counts.set(title, count);
    count[outcome]++;
  }

  /** The files with a failed test. */
  failedFiles(): string[] {
    return [...new Set([...this.#counts.values()].filter(({ failed }) => failed > 0).map(({ file }) => file))];
  }

  /** Forgets the counts of a file, which runs again. Returns the titles of its failed tests. */
  forget(file: string): string[] {
    const ofFile = [...this.#counts].filter(([, count]) => count.file === file);
    for (const [title] of ofFile) {
      this.#counts.delete(title);
    }
    return ofFile.filter(([, { failed }]) => failed > 0).map(([title]) => title);
  }

  /** Whether a test passed and did not fail since it was last forgotten. */
  hasPassed(title: string): boolean {
    const { passed = 0, failed = 0 } = this.#counts.get(title) ?? {};
    return passed > 0 && failed === 0;
  }

  /** The sums for all tests. */
  total(): Count {
    const all = [...this.#counts.values()];
    const sum = (outcome: keyof Count) => all.reduce((total, count) => total + count[outcome], 0);
    return { passed: sum('passed'), failed: sum('failed') };
  }

  /** One line for each of the files that took the longest. */
  slowest(count: number): string[] {
    return [...this.#durations]
      .sort(([, a], [, b]) => b - a)
      .slice(0, count)
      .map(([path, durationMs]) => `${(durationMs / 1000).toFixed(1).padStart(6)} s  ${basename(path)}`);
  }

  /** One line for each title, in the order in which they ended; failed ones come last, where a terminal shows them. */
  lines(): string[] {
    return [...this.#counts]
      .sort(([, a], [, b]) => Math.sign(a.failed) - Math.sign(b.failed))
      .map(([title, { passed, failed }]) => `${failed > 0 ? '✖' : '✔'} ${passed} passed, ${failed} failed  ${title}`);
  }
}
