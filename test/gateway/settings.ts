import type { Account } from './account.ts';
import type { Upstream } from './network/upstream.ts';
import type { RequestRecorder } from './requestRecorder.ts';

/** What the endpoints share: the books, and what can be changed while the gateway runs. */
export interface Settings {
  readonly account: Account;
  readonly recorder: RequestRecorder;
  readonly now: () => number;
  readonly foreignOrigin: string;
  /** A real service that answers in place of the scripts. */
  readonly upstream: Upstream | undefined;
  /** Milliseconds between deltas. */
  delayMs: number;
  /** The fault of every call, unless its key or its header names another. */
  fault: string | undefined;
  errorsAs200: boolean;
}
