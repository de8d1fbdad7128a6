import type { GatewayProblem, ProblemKind } from './gatewayProblem.ts';
import { isUnsent } from './isUnsent.ts';

/** Refused before any model ran, so not billed. A reply in another window is counted by that window. */
const neverRan: ReadonlySet<ProblemKind> = new Set([
  'keyRejected',
  'keyExpired',
  'keyExhausted',
  'keyDisabled',
  'balanceEmpty',
  'accessDenied',
  'modelDenied',
  'modelUnknown',
  'rateLimited',
  'contextTooLong',
  'requestTooLarge',
  'requestRejected',
  'usageOptionRejected',
  'parameterRejected',
  'wrongAddress',
  'blocked',
  'elsewhere',
]);

/**
 * Whether a failed call may have cost something. Its kind decides, never its status (wire section 4). For every kind
 * that isn't listed here, it is unknown how the call ended, so the model may have run.
 *
 * @param hasArrived true when text, reasoning or usage arrived, so a model did run.
 */
export function mayBeCharged(problem: GatewayProblem, hasArrived: boolean): boolean {
  if (hasArrived || neverRan.has(problem.kind) || isUnsent(problem)) {
    return hasArrived;
  }
  switch (problem.kind) {
    case 'redirected':
      return problem.mayHaveRun === true;
    case 'webPage':
      // A filter on the route also blocks responses, after the model has run.
      return problem.page === 'proxy';
    default:
      return true;
  }
}
