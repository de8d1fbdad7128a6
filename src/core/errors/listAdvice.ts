import { durationText } from '../base/durationText.ts';
import type { GatewayProblem } from './gatewayProblem.ts';

type ListAdvice = {
  readonly title: string;
  readonly remedy: string;
  readonly action: 'sendAgain' | 'checkConnection' | 'editAddress';
};

/**
 * Words for what went wrong while the list of models was read, where those for a reply would not fit: nothing was asked,
 * nothing is charged, and there is no model to change.
 *
 * @returns undefined where the same words do for both.
 */
export function listAdvice(problem: GatewayProblem, host: string): ListAdvice | undefined {
  switch (problem.kind) {
    case 'gatewayDown':
      return {
        title: 'The gateway has a problem',
        remedy: 'Nothing is wrong on this side. Try again later.',
        action: 'sendAgain',
      };
    case 'gatewayTimedOut':
      return {
        title: 'The gateway timed out',
        remedy: `${host} or something in front of it waited too long. Try again later.`,
        action: 'sendAgain',
      };
    case 'rateLimited':
      return {
        title: 'Too many requests for now',
        remedy:
          problem.retryAfterMs === undefined
            ? `${host} is at its limit. Wait a little, then try again.`
            : `${host} asks to wait ${durationText(problem.retryAfterMs)}.`,
        action: 'sendAgain',
      };
    case 'timedOut':
      return {
        title: 'No list came in time',
        remedy: `${host} or something on the way to it was silent for ${durationText(problem.limitMs)}. Try again, or check the connection.`,
        action: 'checkConnection',
      };
    case 'cut':
      return {
        title: 'The list was cut off',
        remedy: `The connection to ${host} ended before all of it had arrived. Try again, or check the connection.`,
        action: 'checkConnection',
      };
    case 'emptyReply':
      return {
        title: 'The answer is empty',
        remedy: `${host} answered without a list. Check the base address: it usually ends with /v1.`,
        action: 'editAddress',
      };
    default:
      return undefined;
  }
}
