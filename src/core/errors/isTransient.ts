import type { GatewayProblem, ProblemKind } from './gatewayProblem.ts';

/** Problems that may be over in a moment. A wrong key, address or page stays wrong. */
const transientKinds: ReadonlySet<ProblemKind> = new Set([
  'unreachable',
  'cut',
  'rateLimited',
  'gatewayDown',
  'gatewayTimedOut',
]);

/** True when the same request may succeed a moment later. */
export function isTransient(problem: GatewayProblem): boolean {
  const isProxyDown = problem.kind === 'proxy' && problem.cause === 'unreachable';
  // A web page comes from something in front of the gateway, and a moment later it will be the same page.
  return !problem.isPage && (transientKinds.has(problem.kind) || isProxyDown || problem.status === 408);
}
