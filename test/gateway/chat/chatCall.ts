import type { KeyRecord, UsageEntry } from '../accountState.ts';

/** A call in progress with its line of the usage log. It is settled exactly once, however the call ends. */
export interface ChatCall {
  key: KeyRecord | undefined;
  entry: UsageEntry;
}

/** Starts the line of a call. A call that ends without further details is an error that costs nothing. */
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
