import type { Steps } from '../../../../src/core/base/runInSlices.ts';

/** Runs long work to its end without a pause. */
export function runToEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
  }
}
