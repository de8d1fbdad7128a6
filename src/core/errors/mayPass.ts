import type { GatewayProblem, ProblemKind } from './gatewayProblem.ts';

/** Troubles that may be over in a moment. A key, an address or a page that is wrong stays wrong. */
const passing: ReadonlySet<ProblemKind> = new Set([
  'unreachable',
  'cut',
  'rateLimited',
  'gatewayDown',
  'gatewayTimedOut',
]);

/** Whether the same request may well succeed a moment later. */
export function mayPass(problem: GatewayProblem): boolean {
  const isConnectTimeout = problem.kind === 'timedOut' && problem.timer === 'connect';
  const isProxyAway = problem.kind === 'proxy' && problem.cause === 'unreachable';
  // A page for people comes from something in front of the gateway, and is there to stay.
  return !problem.isPage && (passing.has(problem.kind) || isConnectTimeout || isProxyAway || problem.status === 408);
}
