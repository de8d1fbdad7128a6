/**
 * The messages of the page of the usage view. The host sends a whole `UsageDocument` each time; the page posts the
 * actions that are in it. Every message from the page is parsed here before it is used.
 */
import * as z from 'zod/mini';
import type { UsageAction, UsageChoice } from '../core/usage/view/usageDocument.ts';

const periods = ['today', 'week', 'days30', 'month'] as const satisfies readonly UsageChoice['period'][];
/** Longer than any ID of a model. */
const name = z.string().check(z.maxLength(4_000));

/** A message from the page. */
export const usageAction = z.union([
  z.object({
    type: z.enum([
      'ready',
      'toggleTable',
      'showMore',
      'match',
      'importLog',
      'toggleDifferences',
      'export',
      'openConsole',
    ]),
  }),
  z.object({ type: z.literal('period'), period: z.enum(periods) }),
  z.object({
    type: z.literal('filter'),
    by: z.enum(['connection', 'model', 'caller']),
    value: z.optional(name),
  }),
  z.object({ type: z.literal('statePrice'), model: name }),
  z.object({ type: z.literal('openConversation'), id: name }),
  z.object({ type: z.literal('broken'), message: name }),
]) satisfies z.ZodMiniType<UsageAction>;

/** What the page has saved of the person's choice. */
export const usageChoice = z.object({
  period: z.enum(periods),
  connection: z.optional(name),
  model: z.optional(name),
  caller: z.optional(name),
  isTable: z.optional(z.boolean()),
  isDifferences: z.optional(z.boolean()),
}) satisfies z.ZodMiniType<UsageChoice>;
