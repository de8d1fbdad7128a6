import * as z from 'zod';

const count = z.number().int().nonnegative();

/** A key as it is kept: the value itself is nowhere, only its SHA-256 and its last four characters. */
const keyRecord = z.object({
  id: z.string().min(1),
  name: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  lastFour: z.string(),
  groups: z.array(z.string()),
  quotaMicroUsd: count.nullable(),
  usedMicroUsd: count,
  /** Milliseconds since 1970, or null for never. */
  expiresAt: z.number().nullable(),
  createdAt: z.number(),
  isDisabled: z.boolean(),
  fault: z.string().nullable(),
  errorsAs200: z.boolean(),
});

/** One line of the usage log: one POST to the chat endpoint. It holds no content and no key. */
const usageEntry = z.object({
  time: z.string(),
  requestId: z.string(),
  keyName: z.string(),
  model: z.string(),
  promptTokens: count,
  completionTokens: count,
  costMicroUsd: count,
  state: z.enum(['ok', 'client_gone', 'error']),
  code: z.string().nullable(),
  isStream: z.boolean(),
});

/** Everything that survives a restart. */
export const accountState = z.object({
  version: z.literal(1),
  walletMicroUsd: z.number().int(),
  postCount: count,
  keys: z.array(keyRecord),
  usage: z.array(usageEntry),
});

/** A key as it is kept. */
export type KeyRecord = z.infer<typeof keyRecord>;
/** One line of the usage log. */
export type UsageEntry = z.infer<typeof usageEntry>;
/** Everything that survives a restart. */
export type AccountState = z.infer<typeof accountState>;

/** The state of a gateway nobody has used yet. */
export function emptyState(walletMicroUsd: number): AccountState {
  return { version: 1, walletMicroUsd, postCount: 0, keys: [], usage: [] };
}
