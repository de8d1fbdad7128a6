import type { Clock } from '../base/clock.ts';
import { DisposableStore } from '../base/lifetime.ts';
import { GatewayError } from '../errors/gatewayProblem.ts';

/**
 * Runs something that may hang, for so long and no longer, also when it does not listen to its signal. That signal
 * aborts when the person's does, when the time is over, and when all is done.
 *
 * @throws GatewayError of kind `timedOut` when the time is over; the signal's reason when it was aborted.
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
