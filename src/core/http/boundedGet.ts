import type { Clock } from '../base/clock.ts';
import { GatewayError } from '../errors/gatewayProblem.ts';
import { networkProblem } from '../errors/networkProblem.ts';
import type { Transport } from './transport.ts';
import { withinTime } from './withinTime.ts';

/** An answer that was read to its end. */
export type BoundedAnswer = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** From sending to the headers. */
  readonly firstByteMs: number;
  /** From sending to the last byte. */
  readonly totalMs: number;
};

/** How much time and memory an answer may take. */
export type GetLimits = { readonly totalMs: number; readonly maxBytes: number; readonly connectTimeoutMs: number };

/**
 * One GET, with bounds in time and size, and no redirect followed. For calls that are free and that nothing else
 * depends on.
 *
 * @throws GatewayError when the time is over, the answer too large or its body cut; the signal's reason;
 * else what the transport met before there was an answer.
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
    const began = clock.now();
    const response = await transport({ method: 'GET', url, headers, connectTimeoutMs }, inner);
    const { status } = response;
    const firstByteMs = Math.max(0, clock.now() - began);
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
      // Once an answer has begun, no error can mean that the gateway was never reached.
      throw new GatewayError(
        problem.kind === 'timedOut' ? { ...problem, status } : { kind: 'cut', status, ...(code && { code }) },
      );
    }
    text += decoder.decode();
    return { status, headers: response.headers, text, firstByteMs, totalMs: Math.max(0, clock.now() - began) };
  });
}
