import { setTimeout as delay } from 'node:timers/promises';

/** Tries an assertion until it holds, for what becomes true within a moment; throws its last error after `limitMs`. */
export async function eventually(check: () => Promise<void>, limitMs = 20_000): Promise<void> {
  for (const end = Date.now() + limitMs; ; await delay(50)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) {
        throw error;
      }
    }
  }
}
