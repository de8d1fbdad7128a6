import * as z from 'zod';

const count = z.number().int().nonnegative();

/** A stored key: its SHA-256 and its last four characters, not the value itself. */
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

/** One line of the usage log, for one POST to the chat endpoint. It contains no content and no key. */
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
  keyId: z.string().optional(),
  /** The group in which the key could use the model, and its factor of the prices. */
  group: z.string().optional(),
  groupRatio: z.number().nonnegative().optional(),
  /** From the request to the end of the answer. */
  tookMs: count.optional(),
});

/** The content of the state file. */
export const accountState = z.object({
  version: z.literal(1),
  walletMicroUsd: z.number().int(),
  postCount: count,
  keys: z.array(keyRecord),
  usage: z.array(usageEntry),
});

/** A stored key. */
export type KeyRecord = z.infer<typeof keyRecord>;
/** One line of the usage log. */
export type UsageEntry = z.infer<typeof usageEntry>;
/** Everything that is stored across restarts. */
export type AccountState = z.infer<typeof accountState>;

/** The state of a new gateway. */
export function emptyState(walletMicroUsd: number): AccountState {
  return { version: 1, walletMicroUsd, postCount: 0, keys: [], usage: [] };
}
