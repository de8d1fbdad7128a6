import type { GatewayProblem } from './gatewayProblem.ts';

/**
 * The words that came with a problem, and whose they are: the gateway's only when it answered at all.
 *
 * @returns a sentence with a blank before it; empty when there are no words.
 */
export function saidBy({ words, status }: GatewayProblem, host: string): string {
  if (!words) {
    return '';
  }
  return status === undefined ? ` (${words})` : ` ${host} says: “${words}”`;
}
