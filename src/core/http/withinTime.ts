import type { Clock } from '../base/clock.ts';
import { DisposableStore } from '../base/lifetime.ts';
import { GatewayError } from '../errors/gatewayProblem.ts';

/**
 * Runs something that may hang, with a time limit that applies even when it ignores its signal. That signal aborts when
 * the caller's signal does, when the time is over, and when the work has ended.
 *
 * @throws GatewayError of kind `timedOut` when the time is over; the signal's reason when it is aborted.
 */
export async function withinTime<T>(
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const abort = new AbortController();
  const store = new DisposableStore();
  try {
    return await new Promise<T>((resolve, reject) => {
      const stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      store.add({ dispose: () => signal.removeEventListener('abort', stop) });
      const expire = () => reject(new GatewayError({ kind: 'timedOut', timer: 'total', limitMs }));
      store.add(clock.after(limitMs, expire));
      run(abort.signal).then(resolve, reject);
    });
  } finally {
    store.dispose();
    abort.abort();
  }
}
