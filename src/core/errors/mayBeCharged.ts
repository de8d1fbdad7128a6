import type { GatewayProblem } from './gatewayProblem.ts';

/**
 * Whether a call that failed may have cost something, by its kind and never by its status (wire section 4). A refusal
 * before any model ran is not billed; where the end of a call is unknown, the model may have run.
 *
 * @param hasArrived text, reasoning or usage came, so a model did run.
 */
export function mayBeCharged(problem: GatewayProblem, hasArrived: boolean): boolean {
  if (hasArrived) {
    return true;
  }
  switch (problem.kind) {
    case 'keyRejected':
    case 'keyExpired':
    case 'keyExhausted':
    case 'keyDisabled':
    case 'balanceEmpty':
    case 'accessDenied':
    case 'modelDenied':
    case 'modelUnknown':
    case 'rateLimited':
    case 'contextTooLong':
    case 'requestTooLarge':
    case 'requestRejected':
    case 'usageOptionRejected':
    case 'wrongAddress':
    case 'blocked':
    case 'certificate':
    case 'routeInClear':
    case 'secretStore':
    // Whether that call is charged is said where it arrives.
    case 'elsewhere':
      return false;
    case 'redirected':
    case 'proxy':
      return problem.mayHaveRun === true;
    case 'webPage':
      // A filter on the way reads answers too.
      return problem.page === 'proxy';
    case 'unreachable':
      // An unknown network error may have come after the request.
      return problem.cause === 'network' && problem.words !== undefined;
    case 'timedOut':
      return problem.timer !== 'connect';
    case 'contentFiltered':
    case 'gatewayDown':
    case 'gatewayTimedOut':
    case 'emptyReply':
    case 'unreadable':
    case 'tooLarge':
    case 'cut':
    case 'interrupted':
    case 'unsaved':
    case 'defect':
      return true;
    default:
      problem satisfies never;
      // A kept conversation may hold a kind that only a later version knows.
      return true;
  }
}
