import type { Clock } from '../clock.ts';
import { type GatewayProblem, isGatewayError, type ProblemKind } from './gatewayProblem.ts';

const firstDelayMs = 500;
/** Longer than this nobody waits for a list; the person is told instead. */
const maxDelayMs = 30_000;
/** Troubles that may be over in a moment. A key, an address or a page that is wrong stays wrong. */
const passing: ReadonlySet<ProblemKind> = new Set([
  'unreachable',
  'cut',
  'rateLimited',
  'gatewayDown',
  'gatewayTimedOut',
]);

/**
 * How long to wait before a free request is sent once more (wire section 4: network trouble, 408, 429, 5xx). Never
 * asked for a chat call.
 *
 * @param attempt 0 after the first failure.
 * @param random from 0 to 1, so that many windows do not come back at the same moment.
 * @returns milliseconds; undefined when it is no use.
 */
export function retryDelay(error: unknown, attempt: number, random: number): number | undefined {
  if (!isGatewayError(error) || !mayPass(error.problem)) {
    return undefined;
  }
  const asked = error.problem.kind === 'rateLimited' ? error.problem.retryAfterMs : undefined;
  if (asked !== undefined) {
    return asked <= maxDelayMs ? asked : undefined;
  }
  return firstDelayMs * 2 ** attempt * (0.75 + random / 2);
}

/** Whether the same request may well succeed a moment later. */
export function mayPass(problem: GatewayProblem): boolean {
  const isConnectTimeout = problem.kind === 'timedOut' && problem.timer === 'connect';
  const isProxyAway = problem.kind === 'proxy' && problem.cause === 'unreachable';
  // A page for people comes from something in front of the gateway, and is there to stay.
  return !problem.isPage && (passing.has(problem.kind) || isConnectTimeout || isProxyAway || problem.status === 408);
}

/** @throws the signal's reason as soon as it is aborted. */
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
