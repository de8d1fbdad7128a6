import { setTimeout as wait } from 'node:timers/promises';

/** Waits for something that happens on its own, two seconds at most. */
export async function until(isTrue: () => boolean, what = 'what the test waits for'): Promise<void> {
  for (let tries = 0; !isTrue(); tries++) {
    if (tries > 400) {
      throw new Error(`Did not happen: ${what}`);
    }
    await wait(5);
  }
}
