import { basename } from 'node:path';
import type { EventData } from 'node:test';

type Count = { passed: number; failed: number };

/**
 * How often each test of some runs passed and failed. A suite counts where it failed by itself, by a hook or by its time
 * limit, and a file where its process ended badly. What is skipped does not count.
 */
export class TitleCounts {
  readonly #counts = new Map<string, Count>();

  /** Takes what the runner says of a test that has ended well. */
  pass(test: EventData.TestPass): void {
    if (test.details.type !== 'suite') {
      this.#add(test, 'passed');
    }
  }

  /** Takes what the runner says of a test, a suite or a file that has failed. */
  fail(test: EventData.TestFail): void {
    const { error, type } = test.details;
    const isOfItsTests = 'failureType' in error && error.failureType === 'subtestsFailed';
    if (type !== 'suite' || !isOfItsTests) {
      this.#add(test, 'failed');
    }
  }

  #add({ file = '', name, skip, todo }: EventData.TestPass | EventData.TestFail, outcome: keyof Count): void {
    if (skip !== undefined || todo !== undefined) {
      return;
    }
    const title = name === file ? basename(file) : `${basename(file)}: ${name}`;
    const count = this.#counts.get(title) ?? { passed: 0, failed: 0 };
    this.#counts.set(title, count);
    count[outcome]++;
  }

  /** Of all tests together. */
  total(): Count {
    const all = [...this.#counts.values()];
    const sum = (outcome: keyof Count) => all.reduce((total, count) => total + count[outcome], 0);
    return { passed: sum('passed'), failed: sum('failed') };
  }

  /** A line for each title, in the order they ended in; those that failed come last, where a terminal shows them. */
  lines(): string[] {
    return [...this.#counts]
      .sort(([, a], [, b]) => Math.sign(a.failed) - Math.sign(b.failed))
      .map(([title, { passed, failed }]) => `${failed > 0 ? '✖' : '✔'} ${passed} passed, ${failed} failed  ${title}`);
  }
}
