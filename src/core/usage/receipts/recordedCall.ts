import type { Cost } from '../../reply/cost.ts';
import type { CallEnd } from '../ledgerLine.ts';
import type { CountedCall } from '../usageTotals.ts';

/** A call as it was recorded here, to be compared with the gateway's own log. */
export type RecordedCall = Pick<CallEnd, 'state' | 'isFree' | 'answered' | 'requestId'> &
  Pick<CountedCall, 'id' | 'at' | 'model'> &
  Partial<Pick<CountedCall, 'caller' | 'conversation' | 'isInMemory'>> & {
    readonly promptTokens?: number;
    readonly completionTokens?: number;
    readonly totalMs?: number;
    /** As reported, or by prices. */
    readonly cost?: Cost;
    /** What an earlier reading of the log gave. */
    readonly charged?: Cost;
  };

/** Whether the gateway's log should have the call, because it may have been charged. */
export function mayBeLogged({ state, isFree }: RecordedCall): boolean {
  return state !== 'notSent' && isFree !== true;
}
