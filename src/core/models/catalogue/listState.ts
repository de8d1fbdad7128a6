import type { Connection } from '../../connections/connection.ts';
import type { Advice } from '../../errors/advice.ts';
import type { GatewayProblem } from '../../errors/gatewayProblem.ts';
import type { ModelList } from '../list/model.ts';

/** How the list of the connection in use stands. */
export type ListState = {
  readonly status:
    | 'unread'
    | 'disconnected'
    | 'keyMissing'
    | 'keyElsewhere'
    | 'keyInClear'
    | 'loading'
    | 'ready'
    | 'failed';
  readonly connection?: Connection;
  /** The last list that could be read for this connection; kept when a refresh fails. */
  readonly list?: ModelList;
  /** Unix milliseconds. */
  readonly readAt?: number;
  /** The list is the one that was kept from an earlier session; the gateway has not been heard since. */
  readonly isCached?: true;
  readonly problem?: GatewayProblem;
  /** What to say of the problem and what to do about it. */
  readonly advice?: Advice;
};
