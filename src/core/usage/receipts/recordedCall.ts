import type { Cost } from '../../reply/cost.ts';
import type { CallEnd } from '../ledgerLine.ts';

/** A call as it was recorded here, to be compared with the gateway's own log. */
export type RecordedCall = Pick<CallEnd, 'state' | 'isFree'> & {
  readonly id: string;
  /** When the call started, in Unix milliseconds. */
  readonly at: number;
  /** The model ID that was asked. */
  readonly model: string;
  readonly answered?: string | undefined;
  readonly requestId?: string | undefined;
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
