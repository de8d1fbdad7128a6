import type { KeyRecord, UsageEntry } from '../accountState.ts';

/** The line of one call while it is being written: whatever happens, it is settled exactly once at the end. */
export interface ChatCall {
  key: KeyRecord | undefined;
  entry: UsageEntry;
}

/** Opens the line: nothing is known yet, and a call that ends here is an error that cost nothing. */
export function openCall(requestId: string, now: number): ChatCall {
  return {
    key: undefined,
    entry: {
      time: new Date(now).toISOString(),
      requestId,
      keyName: '',
      model: '',
      promptTokens: 0,
      completionTokens: 0,
      costMicroUsd: 0,
      state: 'error',
      code: 'interrupted',
      isStream: false,
    },
  };
}
