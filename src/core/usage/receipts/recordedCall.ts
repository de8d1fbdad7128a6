import type { Cost } from '../../reply/cost.ts';
import type { CallEnd } from '../ledgerLine.ts';
import type { CountedCall } from '../usageTotals.ts';

/** A call as it was recorded here, to be compared with the gateway's own log. */
export type RecordedCall = Pick<CallEnd, 'state' | 'isFree' | 'answered' | 'requestId'> &
  Pick<CountedCall, 'id' | 'at' | 'model'> &
  Partial<Pick<CountedCall, 'caller' | 'conversation' | 'isInMemory'>> & {
    readonly promptTokens?: number | undefined;
    readonly completionTokens?: number | undefined;
    readonly totalMs?: number | undefined;
    /** As reported, or by prices. */
    readonly cost?: Cost | undefined;
    /** What an earlier reading of the log gave. */
    readonly charged?: Cost | undefined;
  };

/** Whether the gateway's log should have the call, because it may have been charged. */
export function mayBeLogged({ state, isFree }: RecordedCall): boolean {
  return state !== 'notSent' && isFree !== true;
}
