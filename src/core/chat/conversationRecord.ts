import * as z from 'zod/mini';
import type { GatewayProblem } from '../gateway/gatewayProblem.ts';
import { turnBefore } from './branches.ts';
import { keptReply } from './comparison.ts';
import { type Conversation, isRunning, noDraft, type Reply, type Turn } from './conversation.ts';

/**
 * What happens in a conversation, one line of JSON each in its file. The same events drive the open conversation, the
 * panel and the reading of a file, so that what is kept is what was shown.
 */
export const keptUsage = z.object({
  promptTokens: z.optional(z.number()),
  completionTokens: z.optional(z.number()),
  totalTokens: z.optional(z.number()),
  cachedTokens: z.optional(z.number()),
  reasoningTokens: z.optional(z.number()),
  cost: z.optional(z.number()),
});

/** Loose, and open to other kinds: what a later version wrote down stays as it is, also when it is written anew. */
export const keptContext = z.looseObject({
  kind: z.string(),
  id: z.string(),
  path: z.string(),
  languageId: z.string(),
  startLine: z.number(),
  endLine: z.number(),
  text: z.string(),
  name: z.optional(z.string()),
  symbol: z.optional(z.string()),
  count: z.optional(z.number()),
});

const conversationEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('conversation'), version: z.literal(1), id: z.string(), createdAt: z.number() }),
  z.object({ type: z.literal('title'), text: z.string() }),
  /** What stands unsent in the composer; empty once it was sent or deleted. */
  z.object({ type: z.literal('draft'), text: z.string(), contexts: z.array(keptContext) }),
  /** An earlier question stands in the composer like this. */
  z.object({ type: z.literal('edit'), turnId: z.string(), text: z.string(), contexts: z.array(keptContext) }),
  z.object({ type: z.literal('cancelEdit') }),
  /** `after` is set where it does not follow the one written before it; `null` makes it a first one. */
  z.object({
    type: z.literal('turn'),
    id: z.string(),
    question: z.string(),
    contexts: z.array(keptContext),
    after: z.optional(z.nullable(z.string())),
    /** The question that was edited: sending ends that, and leaves the draft. */
    instead: z.optional(z.string()),
  }),
  z.object({
    type: z.literal('reply'),
    turnId: z.string(),
    id: z.string(),
    model: z.string(),
    host: z.string(),
    /** Of a question that was compared: older versions show its replies one by one. */
    column: z.optional(z.number()),
    startedAt: z.number(),
  }),
  /** Of the replies to one question, or of the questions at one fork, this one is shown from now on. */
  z.object({ type: z.literal('choose'), replyId: z.string() }),
  z.object({ type: z.literal('chooseTurn'), turnId: z.string() }),
  /** New text; `ms` counts from sending. */
  z.object({ type: z.literal('delta'), replyId: z.string(), text: z.string(), reasoning: z.string(), ms: z.number() }),
  z.object({
    type: z.literal('end'),
    replyId: z.string(),
    state: z.enum(['complete', 'stopped', 'incomplete', 'failed']),
    totalMs: z.number(),
    echoedModel: z.optional(z.string()),
    finishReason: z.optional(z.string()),
    hasToolCalls: z.optional(z.boolean()),
    usage: z.optional(keptUsage),
    requestId: z.optional(z.string()),
    /** Written by this program; a kind of a later version is read as one that says less. */
    problem: z.optional(z.looseObject({ kind: z.string() })),
  }),
]);
export type ConversationEvent = z.infer<typeof conversationEvent>;

/** @returns the conversation after the event; itself when the event does not concern it. */
export function applyEvent(conversation: Conversation, event: ConversationEvent): Conversation {
  switch (event.type) {
    case 'conversation':
      return { ...conversation, id: event.id, createdAt: event.createdAt };
    case 'title':
      return { ...conversation, title: event.text };
    case 'draft':
      return { ...conversation, draft: { text: event.text, contexts: event.contexts } };
    case 'edit': {
      const { type: _, ...edit } = event;
      return { ...conversation, edit };
    }
    case 'cancelEdit':
      return without(conversation, 'edit');
    case 'turn': {
      const { type: _, after, instead, ...said } = event;
      const turn: Turn = { ...said, replies: [], ...(after !== undefined && { after }) };
      const { turns, draft, edit } = conversation;
      const rest = edit?.turnId === instead ? without(conversation, 'edit') : conversation;
      // The newest at its fork is the one that is shown.
      return withNext(
        { ...rest, turns: [...turns, turn], draft: instead === undefined ? noDraft : draft },
        turn.id,
        undefined,
      );
    }
    case 'reply': {
      const { type: _, turnId, column, ...facts } = event;
      const place = column !== undefined && { column };
      const reply: Reply = { ...facts, ...place, state: 'waiting', text: '', reasoning: '' };
      return {
        ...conversation,
        turns: conversation.turns.map((turn) => (turn.id === turnId ? withNewReply(turn, reply) : turn)),
      };
    }
    case 'choose':
      return {
        ...conversation,
        turns: conversation.turns.map((turn) =>
          turn.replies.some(({ id }) => id === event.replyId) ? { ...turn, shown: event.replyId } : turn,
        ),
      };
    case 'chooseTurn':
      return withNext(conversation, event.turnId, event.turnId);
    case 'delta':
      return withReply(conversation, event.replyId, (reply) => ({
        ...reply,
        // A piece that comes late is kept, and does not open what has ended.
        state: isRunning(reply) ? 'streaming' : reply.state,
        text: reply.text + event.text,
        reasoning: reply.reasoning + event.reasoning,
        firstTokenMs: reply.firstTokenMs ?? event.ms,
        ...(reply.firstTextMs === undefined && event.text !== '' && { firstTextMs: event.ms }),
      }));
    case 'end': {
      const {
        type: _,
        replyId,
        problem,
        usage: reported,
        echoedModel,
        finishReason,
        hasToolCalls,
        requestId,
        ...end
      } = event;
      return withReply(conversation, replyId, (reply) => ({
        ...reply,
        ...end,
        ...(echoedModel !== undefined && { echoedModel }),
        ...(finishReason !== undefined && { finishReason }),
        ...(hasToolCalls !== undefined && { hasToolCalls }),
        ...(requestId !== undefined && { requestId }),
        // zod writes absent figures as absent, which its types do not say.
        ...(reported && { usage: reported as NonNullable<Reply['usage']> }),
        ...(problem && { problem: problem as GatewayProblem }),
      }));
    }
    default:
      return event satisfies never;
  }
}

/** The conversation with this choice at the fork where a turn stands; undefined leaves it to the newest. */
function withNext(conversation: Conversation, turnId: string, next: string | undefined): Conversation {
  const before = turnBefore(conversation, turnId);
  if (before === undefined) {
    return conversation;
  }
  if (before === null) {
    return { ...without(conversation, 'first'), ...(next !== undefined && { first: next }) };
  }
  return {
    ...conversation,
    turns: conversation.turns.map((turn) =>
      turn.id === before ? { ...without(turn, 'next'), ...(next !== undefined && { next }) } : turn,
    ),
  };
}

/** The newest reply is the one that is shown; of compared ones, only where the kept one stood. */
function withNewReply(turn: Turn, reply: Reply): Turn {
  const replies = [...turn.replies, reply];
  const kept = keptReply(turn);
  if (kept === undefined) {
    return { ...without(turn, 'shown'), replies };
  }
  return { ...turn, replies, shown: kept.column === reply.column ? reply.id : kept.id };
}

function without<T extends object, K extends keyof T>(from: T, name: K): Omit<T, K> {
  const { [name]: _, ...rest } = from;
  return rest;
}

function withReply(conversation: Conversation, replyId: string, change: (reply: Reply) => Reply): Conversation {
  return {
    ...conversation,
    turns: conversation.turns.map((turn) =>
      turn.replies.some((reply) => reply.id === replyId)
        ? { ...turn, replies: turn.replies.map((reply) => (reply.id === replyId ? change(reply) : reply)) }
        : turn,
    ),
  };
}

export function emptyConversation(id: string, createdAt: number): Conversation {
  return { id, createdAt, turns: [], draft: noDraft };
}

/** One line of the file, with its line end. */
export function writeEvent(event: ConversationEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/**
 * Reads a conversation's file. A line that is cut or unknown is left out and counted; a reply without an end was
 * arriving when its program went away, or is arriving in another window, and says so.
 *
 * @param isArriving whether another window is at it now.
 */
export function readConversation(
  id: string,
  file: string,
  isArriving = false,
): { conversation: Conversation; unreadLines: number } {
  let conversation = emptyConversation(id, 0);
  let unreadLines = 0;
  for (const event of eventsIn(file)) {
    if (event) {
      conversation = applyEvent(conversation, event);
    } else {
      unreadLines++;
    }
  }
  return { conversation: endRunning(conversation, isArriving ? 'elsewhere' : 'interrupted'), unreadLines };
}

/** What happened, in order; undefined for a line that is cut or unknown. */
export function* eventsIn(file: string): Generator<ConversationEvent | undefined> {
  for (const line of file.split('\n')) {
    if (line.trim() !== '') {
      const parsed = z.safeParse(conversationEvent, parseLine(line));
      yield parsed.success ? parsed.data : undefined;
    }
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * The conversation with its last question in the composer again, if its program went away between writing it and its
 * reply: it was not sent, and is shown nowhere else.
 */
export function withUnsentDraft(conversation: Conversation): Conversation {
  const { turns, draft } = conversation;
  const last = turns.at(-1);
  const isUnsent = last?.replies.length === 0 && draft.text === '' && draft.contexts.length === 0;
  return isUnsent ? { ...conversation, draft: { text: last.question, contexts: last.contexts } } : conversation;
}

function endRunning(conversation: Conversation, kind: 'elsewhere' | 'interrupted'): Conversation {
  const end = (reply: Reply): Reply =>
    isRunning(reply) ? { ...reply, state: 'incomplete', problem: { kind } } : reply;
  return {
    ...conversation,
    turns: conversation.turns.map((turn) => ({ ...turn, replies: turn.replies.map(end) })),
  };
}
