import type { Clock } from '../base/clock.ts';
import { DisposableStore } from '../base/lifetime.ts';
import { GatewayError } from '../errors/gatewayProblem.ts';
import { networkProblem } from '../errors/networkProblem.ts';
import type { Transport } from './transport.ts';

/** A response that was read to its end. */
export type BoundedAnswer = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

/** How much time and memory a response may take. */
export type GetLimits = { readonly totalMs: number; readonly maxBytes: number; readonly connectTimeoutMs: number };

/**
 * Sends one GET request, with limits on time and size. Follows no redirects. For calls that are free and that nothing
 * else depends on.
 *
 * @throws GatewayError when the time is over, the response is too large or its body is cut; the signal's reason when it
 * is aborted; otherwise the transport's own error, when there is no response.
 */
export async function boundedGet(
  ports: { readonly transport: Transport; readonly clock: Clock },
  url: string,
  headers: Readonly<Record<string, string>>,
  { totalMs, maxBytes, connectTimeoutMs }: GetLimits,
  signal: AbortSignal,
): Promise<BoundedAnswer> {
  const { transport, clock } = ports;
  return withinTime(clock, totalMs, signal, async (inner) => {
    const response = await transport({ method: 'GET', url, headers, connectTimeoutMs }, inner);
    const { status } = response;
    const decoder = new TextDecoder();
    let text = '';
    let size = 0;
    try {
      for await (const bytes of response.body) {
        size += bytes.byteLength;
        if (size > maxBytes) {
          throw new GatewayError({ kind: 'tooLarge', limitBytes: maxBytes, status });
        }
        text += decoder.decode(bytes, { stream: true });
      }
    } catch (error) {
      if (error instanceof GatewayError) {
        throw error;
      }
      const problem = networkProblem(error, '', []);
      const { code } = problem;
      // Once a response has begun, no error can mean that the gateway was not reached.
      throw new GatewayError(
        problem.kind === 'timedOut' ? { ...problem, status } : { kind: 'cut', status, ...(code && { code }) },
      );
    }
    text += decoder.decode();
    return { status, headers: response.headers, text };
  });
}

/**
 * Runs something that may hang, with a time limit that applies even when it ignores its signal. That signal aborts when
 * the caller's signal does, when the time is over, and when the work has ended.
 *
 * @throws GatewayError of kind `timedOut` when the time is over; the signal's reason when it is aborted.
 */
async function withinTime<T>(
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
