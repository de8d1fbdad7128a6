import * as z from 'zod/mini';
import type { GatewayProblem } from '../../errors/gatewayProblem.ts';
import { keptReply } from './comparison.ts';
import { type Conversation, isRunning, noDraft, type Reply, type Turn } from './conversation.ts';
import { TurnList } from './turnList.ts';

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
    isUnsent: z.optional(z.boolean()),
    usage: z.optional(keptUsage),
    requestId: z.optional(z.string()),
    /** Written by this program; a kind of a later version is read as one that says less. */
    problem: z.optional(z.looseObject({ kind: z.string() })),
  }),
]);
export type ConversationEvent = z.infer<typeof conversationEvent>;

/** @returns the conversation after the event. */
export function applyEvent(conversation: Conversation, event: ConversationEvent): Conversation {
  return afterEvent(conversation, event, new TurnList(conversation.turns));
}

/** @param list those of the conversation. */
function afterEvent(conversation: Conversation, event: ConversationEvent, list: TurnList): Conversation {
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
      const { draft, edit } = conversation;
      const rest = edit?.turnId === instead ? without(conversation, 'edit') : conversation;
      list.push(turn);
      // The newest at its fork is the one that is shown.
      return withNext({ ...rest, draft: instead === undefined ? noDraft : draft }, list, turn.id, undefined);
    }
    case 'reply': {
      const { type: _, turnId, column, ...facts } = event;
      const place = column !== undefined && { column };
      const reply: Reply = { ...facts, ...place, state: 'waiting', text: '', reasoning: '' };
      list.addReply(turnId, reply, (turn) => showingNew(turn, reply));
      return { ...conversation, turns: list.turns };
    }
    case 'choose':
      list.changeTurnOf(event.replyId, (turn) => ({ ...turn, shown: event.replyId }));
      return { ...conversation, turns: list.turns };
    case 'chooseTurn':
      return withNext(conversation, list, event.turnId, event.turnId);
    case 'delta':
      list.changeReply(event.replyId, (reply) => ({
        ...reply,
        // A piece that comes late is kept, and does not open what has ended.
        state: isRunning(reply) ? 'streaming' : reply.state,
        text: reply.text + event.text,
        reasoning: reply.reasoning + event.reasoning,
        firstTokenMs: reply.firstTokenMs ?? event.ms,
        ...(reply.firstTextMs === undefined && event.text !== '' && { firstTextMs: event.ms }),
      }));
      return { ...conversation, turns: list.turns };
    case 'end': {
      const {
        type: _,
        replyId,
        problem,
        usage: reported,
        echoedModel,
        finishReason,
        hasToolCalls,
        isUnsent,
        requestId,
        ...end
      } = event;
      list.changeReply(replyId, (reply) => ({
        ...reply,
        ...end,
        ...(echoedModel !== undefined && { echoedModel }),
        ...(finishReason !== undefined && { finishReason }),
        ...(hasToolCalls !== undefined && { hasToolCalls }),
        ...(isUnsent !== undefined && { isUnsent }),
        ...(requestId !== undefined && { requestId }),
        // zod writes absent figures as absent, which its types do not say.
        ...(reported && { usage: reported as NonNullable<Reply['usage']> }),
        ...(problem && { problem: problem as GatewayProblem }),
      }));
      return { ...conversation, turns: list.turns };
    }
    default:
      return event satisfies never;
  }
}

/** The conversation with this choice at the fork where a turn stands; undefined leaves it to the newest. */
function withNext(conversation: Conversation, list: TurnList, turnId: string, next: string | undefined): Conversation {
  const before = list.before(turnId);
  if (typeof before === 'string') {
    list.change(before, (turn) => ({ ...without(turn, 'next'), ...(next !== undefined && { next }) }));
  }
  const changed = { ...conversation, turns: list.turns };
  return before === null ? { ...without(changed, 'first'), ...(next !== undefined && { first: next }) } : changed;
}

/** The newest reply is the one that is shown; of compared ones, only where the kept one stood. */
function showingNew(turn: Turn, reply: Reply): Turn {
  if (turn.shown === undefined) {
    return turn;
  }
  const kept = keptReply(turn);
  return kept === undefined
    ? without(turn, 'shown')
    : { ...turn, shown: kept.column === reply.column ? reply.id : kept.id };
}

function without<T extends object, K extends keyof T>(from: T, name: K): Omit<T, K> {
  const { [name]: _, ...rest } = from;
  return rest;
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
  for (const step of stepsOf(id, file)) {
    conversation = step.conversation;
    unreadLines += step.event ? 0 : 1;
  }
  const ended = endRunning(conversation, isArriving ? 'elsewhere' : 'interrupted');
  // A copy of a conversation names the one it was made from.
  return { conversation: { ...ended, id }, unreadLines };
}

/**
 * What happened, in order, and the conversation after each of it: good until the next one is asked for. No event stands
 * for a line that is cut or unknown.
 */
export function* stepsOf(
  id: string,
  file: string,
): Generator<{ event: ConversationEvent | undefined; conversation: Conversation }> {
  let conversation = emptyConversation(id, 0);
  const list = TurnList.forReading();
  for (const event of eventsIn(file)) {
    conversation = event ? afterEvent(conversation, event, list) : conversation;
    yield { event, conversation };
  }
}

function* eventsIn(file: string): Generator<ConversationEvent | undefined> {
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

/** The conversation as it would be read if nothing more were written: a reply that runs has no end. */
export function endRunning(
  conversation: Conversation,
  kind: 'elsewhere' | 'interrupted' = 'interrupted',
): Conversation {
  const end = (reply: Reply): Reply =>
    isRunning(reply) ? { ...reply, state: 'incomplete', problem: { kind } } : reply;
  return {
    ...conversation,
    turns: conversation.turns.map((turn) => ({ ...turn, replies: turn.replies.map(end) })),
  };
}
