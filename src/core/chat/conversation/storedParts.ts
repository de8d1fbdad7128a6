import * as z from 'zod/mini';
import { isRecord, type LooseRecord } from '../../base/loose.ts';
import { costSources } from '../../reply/cost.ts';
import { storedUsage } from '../../reply/usage.ts';

/** An object with fields of any names, unchanged. */
export const storedFields = z.custom<LooseRecord>(isRecord);

/** What the person left out of a request. */
export const storedLeftOut = z.object({
  /** Ids of earlier turns: neither their questions nor their answers were sent. */
  turns: z.array(z.string()),
  /** Context of the question itself, by id. Of what earlier versions sent in part, all is sent. */
  contexts: z.pipe(
    z.array(z.object({ id: z.string(), lines: z.optional(z.unknown()) })),
    z.transform((all): { id: string }[] => all.flatMap(({ id, lines }) => (lines === undefined ? [{ id }] : []))),
  ),
});
export type LeftOut = z.infer<typeof storedLeftOut>;

/** The fields known at the end of a reply, apart from its times and its problem. */
export const replyEnd = {
  state: z.enum(['complete', 'stopped', 'incomplete', 'failed']),
  echoedModel: z.optional(z.string()),
  finishReason: z.optional(z.string()),
  hasToolCalls: z.optional(z.boolean()),
  hasPicture: z.optional(z.boolean()),
  sources: z.optional(z.readonly(z.array(z.object({ url: z.string(), title: z.optional(z.string()) })))),
  unread: z.optional(z.string()),
  isUnsent: z.optional(z.boolean()),
  usage: z.optional(storedUsage),
  // An answer must not be lost for a cost that a later release writes in another way.
  cost: z.catch(z.optional(z.object({ amount: z.number(), unit: z.string(), source: z.enum(costSources) })), undefined),
  requestId: z.optional(z.string()),
};
