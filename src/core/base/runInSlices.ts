import type { Clock } from './clock.ts';

/** Long work, split into steps of well under a millisecond. Returns its result at the end. */
export type Steps<T> = Generator<unknown, T, void>;

const sliceMs = 3;

/** Runs long work in short time slices, so that other work on the same thread waits only briefly. */
export async function runInSlices<T>(clock: Clock, steps: Steps<T>): Promise<T> {
  let began = clock.now();
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
    if (clock.now() - began >= sliceMs) {
      await new Promise<void>((resolve) => clock.after(0, resolve));
      began = clock.now();
    }
  }
}
