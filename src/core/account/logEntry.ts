import type { Money } from '../base/money.ts';

/** One line of the log that a gateway keeps of a key's calls. A field that the line doesn't state is absent. */
export type LogEntry = {
  /** When the call ended, in Unix milliseconds. Sites state whole seconds. */
  readonly at: number;
  /** What the line says: a charge, a call that failed without one, or credit that was given back. */
  readonly kind: 'charge' | 'error' | 'refund';
  readonly model: string;
  /** The response header `X-Oneapi-Request-Id` of the call. */
  readonly requestId?: string | undefined;
  /** What was charged, or given back; 0 for an error. */
  readonly charged: Money;
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  /** Tokens of the prompt that the gateway had cached. */
  readonly cachedTokens?: number | undefined;
  /** The key's group at that time, and the factor of its prices. */
  readonly group?: string | undefined;
  readonly groupRatio?: number | undefined;
  /** How long the call took. */
  readonly seconds?: number | undefined;
};
