import * as z from 'zod/mini';
import type { Evidence, ProblemKind, ProblemOf } from '../../errors/gatewayProblem.ts';

const said = z.optional(z.string());
const yes = z.optional(z.literal(true));
/** A longer wait than a year was never meant. */
const duration = z.number().check(z.minimum(0), z.maximum(366 * 86_400_000));

/** What each kind has besides the evidence. Does not compile while something is missing. */
const facts: {
  readonly [Kind in ProblemKind]: {
    readonly [Fact in Exclude<keyof ProblemOf<Kind>, keyof Evidence | 'kind'>]-?: z.ZodMiniType;
  };
} = {
  keyRejected: {},
  keyExpired: {},
  keyExhausted: { isReserved: yes },
  keyDisabled: {},
  balanceEmpty: { isReserved: yes },
  accessDenied: {},
  modelDenied: {},
  modelUnknown: {},
  rateLimited: { retryAfterMs: z.optional(duration) },
  contextTooLong: {},
  contentFiltered: {},
  requestTooLarge: {},
  requestRejected: {},
  usageOptionRejected: {},
  wrongAddress: {},
  webPage: { title: said, page: z.optional(z.enum(['page', 'login', 'portal', 'proxy'])) },
  blocked: { service: said },
  redirected: {
    target: z.string(),
    reason: z.optional(z.enum(['login', 'scheme', 'www', 'nowhere', 'other'])),
    mayHaveRun: yes,
  },
  gatewayDown: {},
  gatewayTimedOut: {},
  emptyReply: { isAllReasoning: yes },
  unreadable: { detail: z.string(), isDamaged: yes },
  tooLarge: { limitBytes: z.number().check(z.minimum(0)) },
  timedOut: { timer: z.enum(['connect', 'firstByte', 'idle', 'payload', 'total']), limitMs: duration },
  cut: {},
  interrupted: {},
  unsaved: {},
  elsewhere: {},
  secretStore: {},
  defect: {},
  unreachable: { host: z.string(), cause: z.enum(['dns', 'refused', 'network']) },
  routeInClear: { proxy: said },
  certificate: { detail: z.string(), names: z.optional(z.array(z.string())) },
  proxy: {
    proxy: z.string(),
    cause: z.enum(['authentication', 'refused', 'unreachable', 'certificate', 'setting']),
    setting: z.string(),
    detail: said,
    mayHaveRun: yes,
  },
};

const evidence = { status: z.optional(z.number()), code: said, words: said, requestId: said, isPage: yes };
const later = z.looseObject({ kind: z.string(), ...evidence });
const byKind = new Map<string, z.ZodMiniType>(
  Object.entries(facts).map(([kind, shape]) => [kind, z.looseObject({ kind: z.literal(kind), ...evidence, ...shape })]),
);

/**
 * Why a reply did not end well, as a file says that may come from anybody: of every kind the words are made of what it
 * has, so it has all of that. A kind of a later version has the evidence alone.
 */
export const keptProblem = later.check((given) => {
  const schema = byKind.get(given.value.kind);
  const parsed = schema && z.safeParse(schema, given.value);
  for (const { message, path } of parsed?.error?.issues ?? []) {
    given.issues.push({ code: 'custom', input: given.value, message, path: [...path] });
  }
});
