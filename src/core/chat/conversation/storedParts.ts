import * as z from 'zod/mini';
import { isRecord, type LooseRecord } from '../../base/loose.ts';
import { costSources } from '../../reply/cost.ts';
import { storedUsage } from '../../reply/usage.ts';

/** Not longer than the ids that the panel's messages may contain. */
export const storedId = z.string().check(z.minLength(1), z.maxLength(64));
/** Unix milliseconds that are a date. */
export const moment = z.number().check(z.minimum(0), z.maximum(8_640_000_000_000_000));

/** An object with fields of any names, unchanged. */
export const storedFields = z.custom<LooseRecord>(isRecord);

/** What the person left out of a request. */
const storedLeftOut = z.object({
  /** Ids of earlier turns: neither their questions nor their answers were sent. */
  turns: z.array(z.string()),
  /** Context of the question itself, by id. Of what earlier versions sent in part, all is sent. */
  contexts: z.pipe(
    z.array(z.object({ id: z.string(), lines: z.optional(z.unknown()) })),
    z.transform((all): { id: string }[] => all.flatMap(({ id, lines }) => (lines === undefined ? [{ id }] : []))),
  ),
});
export type LeftOut = z.infer<typeof storedLeftOut>;

/** What is known of a reply when its request is sent. Older versions ignore what they don't know. */
export const replyStart = {
  id: storedId,
  /** Exact id of the model it was sent to. */
  model: z.string(),
  /** Host it was sent to. */
  host: z.string(),
  /** Id of the connection it was sent with; earlier versions didn't store it. */
  connection: z.optional(z.string()),
  /**
   * Column in a comparison, from 1; absent when the question went to one model. Older versions show the replies one by
   * one.
   */
  column: z.optional(z.number().check(z.int(), z.minimum(1))),
  /**
   * It continues the answer that ends with this reply; the question asked for that. See `withJoined`. Older versions show
   * it as another answer.
   */
  continues: z.optional(z.object({ replyId: z.string(), question: z.string() })),
  /** The system prompt that was sent, wherever it was set; absent when none was. */
  systemPrompt: z.optional(z.string()),
  /** The fields that parameters added to the body of the request; absent when there were none. */
  options: z.optional(storedFields),
  /**
   * What was left out of the request; absent when nothing was. Older versions send all of the conversation with later
   * questions.
   */
  leftOut: z.optional(storedLeftOut),
  startedAt: moment,
};
export type SentReply = Readonly<z.infer<z.ZodMiniObject<typeof replyStart>>>;

/** What is known of a reply at its end, apart from its problem. */
export const replyEnd = {
  state: z.enum(['complete', 'stopped', 'incomplete', 'failed']),
  /** Milliseconds since `startedAt`. */
  totalMs: z.number(),
  /** The model that the gateway named, only when it isn't the one that was asked. */
  echoedModel: z.optional(z.string()),
  finishReason: z.optional(z.string()),
  /** The model requested a tool call, with or without text before it. */
  hasToolCalls: z.optional(z.boolean()),
  /** It is or has a picture; see `picturesIn`. Earlier versions kept no data of it. */
  hasPicture: z.optional(z.boolean()),
  /** What it is based on, as the gateway reported it. */
  sources: z.optional(z.readonly(z.array(z.object({ url: z.string(), title: z.optional(z.string()) })))),
  /** Start of what the gateway sent in the middle of the answer and could not be read, redacted. */
  unread: z.optional(z.string()),
  /** It was stopped before its request was sent. */
  isUnsent: z.optional(z.boolean()),
  usage: z.optional(storedUsage),
  /**
   * Tokens times prices; absent without prices, and when the gateway reported a cost. An answer must not be lost for a cost
   * that a later release writes in another way.
   */
  cost: z.catch(z.optional(z.object({ amount: z.number(), unit: z.string(), source: z.enum(costSources) })), undefined),
  requestId: z.optional(z.string()),
};
export type EndedReply = Readonly<z.infer<z.ZodMiniObject<typeof replyEnd>>>;
