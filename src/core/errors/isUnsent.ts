import type { GatewayProblem } from './gatewayProblem.ts';

/** Whether a problem means that no request reached the gateway. */
export function isUnsent(problem: GatewayProblem): boolean {
  switch (problem.kind) {
    case 'certificate':
    case 'routeInClear':
    case 'secretStore':
    case 'limitReached':
    case 'limitUnchecked':
      return true;
    case 'proxy':
      return problem.mayHaveRun !== true;
    case 'unreachable':
      // An unknown network error may have occurred after the request was sent.
      return problem.cause !== 'network' || problem.words === undefined;
    default:
      return false;
  }
}
