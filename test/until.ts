import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls a check until it neither throws nor returns false, for what has no event to wait for.
 *
 * @throws the last error of the check after `limitMs`, or an error that shows the check.
 */
export async function until(check: () => unknown, limitMs = 20_000): Promise<void> {
  const end = Date.now() + limitMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(50, pauseMs * 2)) {
    let error: unknown;
    try {
      if ((await check()) !== false) {
        return;
      }
    } catch (thrown) {
      error = thrown;
    }
    if (Date.now() > end) {
      throw error ?? new Error(`Not within ${limitMs} ms: ${check}`);
    }
    await delay(pauseMs);
  }
}
