import * as z from 'zod/mini';
import { mostCompared } from '../conversation/comparison.ts';
import { type Conversation, titleOf } from '../conversation/conversation.ts';
import { type ConversationEvent, keptContext, keptUsage, writeEvent } from '../conversation/conversationRecord.ts';
import { keptProblem } from '../conversation/keptProblem.ts';

const format = 'ask-model-conversations';
const version = 1;
/** No file of ours that a person can want to read is larger, in characters. */
export const maxImportSize = 32 * 1024 * 1024;

/** No longer than what the panel may name. */
const id = z.string().check(z.minLength(1), z.maxLength(64));
const moment = z.number().check(z.minimum(0), z.maximum(8_640_000_000_000_000));
const duration = z.number().check(z.minimum(0));

const said = z.optional(z.string());

const reply = z.object({
  id,
  model: z.string(),
  host: z.string(),
  column: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(mostCompared))),
  state: z.enum(['complete', 'stopped', 'incomplete', 'failed']),
  text: z.string(),
  reasoning: z.string(),
  startedAt: moment,
  firstTokenMs: z.optional(duration),
  firstTextMs: z.optional(duration),
  totalMs: z.optional(duration),
  echoedModel: z.optional(z.string()),
  finishReason: z.optional(z.string()),
  hasToolCalls: z.optional(z.boolean()),
  isUnsent: z.optional(z.boolean()),
  usage: z.optional(keptUsage),
  requestId: z.optional(z.string()),
  problem: z.optional(keptProblem),
});

const turn = z.object({
  id,
  question: z.string(),
  contexts: z.array(keptContext),
  replies: z.array(reply),
  after: z.optional(z.nullable(z.string())),
  shown: said,
  next: said,
});

const conversation = z.object({
  id: z.string(),
  createdAt: moment,
  title: z.optional(z.string()),
  turns: z.array(turn),
  first: said,
  draft: z.object({ text: z.string(), contexts: z.array(keptContext) }),
  edit: z.optional(z.object({ turnId: id, text: z.string(), contexts: z.array(keptContext) })),
});

const file = z.object({
  format: z.literal(format),
  version: z.literal(version),
  conversations: z.array(conversation),
});

export type ImportedConversation = {
  readonly id: string;
  readonly title: string;
  /** The text a store keeps. */
  readonly text: string;
  /** Unix milliseconds of what happened in it last. */
  readonly changedAt: number;
};

export type Imported =
  | { readonly ok: true; readonly conversations: readonly ImportedConversation[] }
  | { readonly ok: false; readonly reason: string };

/** Everything that is known of them, as a text of our own format; `importConversations` reads it back without loss. */
export function conversationsJson(conversations: readonly Conversation[]): string {
  return `${JSON.stringify({ format, version, conversations }, undefined, 2)}\n`;
}

/** Reads what `conversationsJson` wrote, by whatever version; the reason why not says where the text is not as it should be. */
export function importConversations(text: string): Imported {
  if (text.length > maxImportSize) {
    return refuse(`The file is larger than ${maxImportSize / 1_048_576} MB`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(`The file is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const head = z.safeParse(z.looseObject({ format: z.literal(format), version: z.number() }), value);
  if (!head.success) {
    return refuse('The file was not written by “Export as JSON” of Ask Model');
  }
  if (head.data.version !== version) {
    return refuse(
      `The file has version ${head.data.version} of the format and this Ask Model reads version ${version}. Update Ask Model`,
    );
  }
  const parsed = z.safeParse(file, value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refuse(`The file does not fit the format at ${issue?.path.join('.') || 'its start'}: ${issue?.message}`);
  }
  const conversations: ImportedConversation[] = [];
  for (const each of parsed.data.conversations) {
    const replies = each.turns.flatMap((one) => one.replies);
    // What arrives is told apart by these ids, and what would be paid for twice.
    const duplicate = duplicateIn(each.turns) ?? duplicateIn(replies);
    if (duplicate !== undefined) {
      return refuse(`The conversation “${each.title ?? each.id}” has the id “${duplicate}” twice`);
    }
    conversations.push({
      id: each.id,
      title: titleOf({
        turns: each.turns.map(({ id, question, contexts }) => ({ id, question, contexts, replies: [] })),
        ...(each.title && { title: each.title }),
      }),
      text: eventsOf(each).map(writeEvent).join(''),
      changedAt: Math.max(each.createdAt, ...replies.map((one) => one.startedAt + (one.totalMs ?? 0))),
    });
  }
  return { ok: true, conversations };
}

function refuse(reason: string): Imported {
  return { ok: false, reason: `${reason}.` };
}

function duplicateIn(items: readonly { readonly id: string }[]): string | undefined {
  const seen = new Set<string>();
  for (const item of items) {
    if (seen.has(item.id)) {
      return item.id;
    }
    seen.add(item.id);
  }
  return undefined;
}

/** What happened, told so that reading it comes to the same. */
function eventsOf({
  id,
  createdAt,
  title,
  turns,
  first,
  draft,
  edit,
}: z.infer<typeof conversation>): ConversationEvent[] {
  return [
    { type: 'conversation', version: 1, id, createdAt },
    ...(title === undefined ? [] : [{ type: 'title' as const, text: title }]),
    ...turns.flatMap((each) => [
      {
        type: 'turn' as const,
        id: each.id,
        question: each.question,
        contexts: each.contexts,
        ...(each.after !== undefined && { after: each.after }),
      },
      ...each.replies.flatMap((one) => replyEvents(each.id, one)),
    ]),
    ...turns.flatMap(({ shown, next }) => [
      ...(shown === undefined ? [] : [{ type: 'choose' as const, replyId: shown }]),
      ...(next === undefined ? [] : [{ type: 'chooseTurn' as const, turnId: next }]),
    ]),
    ...(first === undefined ? [] : [{ type: 'chooseTurn' as const, turnId: first }]),
    ...(draft.text === '' && draft.contexts.length === 0 ? [] : [{ type: 'draft' as const, ...draft }]),
    ...(edit === undefined ? [] : [{ type: 'edit' as const, ...edit }]),
  ];
}

function replyEvents(turnId: string, answer: z.infer<typeof reply>): ConversationEvent[] {
  const {
    state,
    text,
    reasoning,
    firstTokenMs,
    firstTextMs,
    totalMs,
    id: replyId,
    model,
    host,
    startedAt,
    column,
    ...end
  } = answer;
  const place = column !== undefined && { column };
  const events: ConversationEvent[] = [{ type: 'reply', turnId, id: replyId, model, host, startedAt, ...place }];
  const began = firstTokenMs ?? firstTextMs ?? 0;
  if (reasoning !== '' || firstTokenMs !== undefined) {
    const isAtOnce = firstTextMs === firstTokenMs;
    events.push({ type: 'delta', replyId, text: isAtOnce ? text : '', reasoning, ms: began });
    if (!isAtOnce && text !== '') {
      events.push({ type: 'delta', replyId, text, reasoning: '', ms: firstTextMs ?? began });
    }
  } else if (text !== '') {
    events.push({ type: 'delta', replyId, text, reasoning: '', ms: firstTextMs ?? began });
  }
  // One that never ended is read as what it was: broken off with its program.
  if (state !== 'incomplete' || totalMs !== undefined) {
    events.push({ type: 'end', replyId, state, totalMs: totalMs ?? 0, ...end });
  }
  return events;
}
