import type { Clock } from '../base/clock.ts';
import { GatewayError } from '../errors/gatewayProblem.ts';
import { networkProblem } from '../errors/networkProblem.ts';
import { RequestTimers } from './requestTimers.ts';
import type { Transport } from './transport.ts';

/** A response that was read to its end. */
export type BoundedAnswer = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

/**
 * Sends one GET request, with limits on time and size. Follows no redirects. For calls that are free and that nothing
 * else depends on.
 *
 * @throws GatewayError when the time is over, the response is too large or its body is cut; the signal's reason when it
 * is aborted; otherwise the transport's own error, when there is no response.
 */
export async function boundedGet(
  { transport, clock }: { readonly transport: Transport; readonly clock: Clock },
  url: string,
  headers: Readonly<Record<string, string>>,
  limits: { readonly totalMs: number; readonly maxBytes: number; readonly connectTimeoutMs: number },
  signal: AbortSignal,
): Promise<BoundedAnswer> {
  const { totalMs, maxBytes, connectTimeoutMs } = limits;
  const timers = new RequestTimers(
    clock,
    { connectMs: connectTimeoutMs, firstByteMs: totalMs, idleMs: totalMs, payloadMs: totalMs, totalMs },
    signal,
  );
  let status: number | undefined;
  try {
    const response = await transport({ method: 'GET', url, headers, connectTimeoutMs }, timers.signal);
    status = response.status;
    const decoder = new TextDecoder();
    let text = '';
    let size = 0;
    for await (const bytes of response.body) {
      size += bytes.byteLength;
      if (size > maxBytes) {
        throw new GatewayError({ kind: 'tooLarge', limitBytes: maxBytes, status });
      }
      text += decoder.decode(bytes, { stream: true });
    }
    return { status, headers: response.headers, text: text + decoder.decode() };
  } catch (error) {
    signal.throwIfAborted();
    if (timers.problem) {
      throw new GatewayError(timers.problem);
    }
    if (error instanceof GatewayError || status === undefined) {
      throw error;
    }
    // Once a response has begun, no error can mean that the gateway was not reached.
    const { code } = networkProblem(error, '', []);
    throw new GatewayError({ kind: 'cut', status, ...(code && { code }) });
  } finally {
    timers.abort();
    timers.dispose();
  }
}
