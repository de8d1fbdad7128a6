import type { Clock } from '../base/clock.ts';
import { GatewayError, isTransient } from '../errors/gatewayProblem.ts';

const firstDelayMs = 500;
/** The longest delay before a retry. If it would be longer, the problem is shown to the person instead. */
const maxDelayMs = 30_000;

/**
 * How long to wait before a free request is sent again (wire section 4: network failure, 408, 429, 5xx). Chat calls are
 * never retried.
 *
 * @param attempt 0 after the first failure.
 * @returns milliseconds; undefined when a retry would not help.
 */
export function retryDelay(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof GatewayError) || !isTransient(error.problem)) {
    return undefined;
  }
  const asked = error.problem.kind === 'rateLimited' ? error.problem.retryAfterMs : undefined;
  if (asked !== undefined) {
    return asked <= maxDelayMs ? asked : undefined;
  }
  return firstDelayMs * 2 ** attempt;
}

/** Waits for a time. @throws the signal's reason as soon as it is aborted. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      timer.dispose();
      reject(signal.reason);
    };
    const timer = clock.after(delayMs, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}
