import * as z from 'zod/mini';
import { readParameters } from '../../connections/requestParameters.ts';
import { withDelta } from '../../reply/replyContent.ts';
import { placeAfter, turnBefore } from './branches.ts';
import { chosenReply } from './comparison.ts';
import { type Conversation, isRunning, noDraft, type Reply, type Turn } from './conversation.ts';
import { replyEnd, storedContext, storedFields, storedLeftOut } from './storedParts.ts';

/**
 * An event of a conversation, stored as one line of JSON in its file. The same events update the open conversation and
 * the panel and are read from the file, so that the stored conversation equals the shown one.
 */
const conversationEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('conversation'), version: z.literal(1), id: z.string(), createdAt: z.number() }),
  z.object({ type: z.literal('title'), text: z.string() }),
  /** The person's system prompt for the conversation; without a text, there is none of its own any more. */
  z.object({ type: z.literal('systemPrompt'), text: z.optional(z.string()) }),
  /** The person's parameters for the conversation; without any, there are none of its own any more. */
  z.object({ type: z.literal('parameters'), parameters: z.optional(storedFields) }),
  /** Unsent content of the composer; empty once it was sent or deleted. */
  z.object({ type: z.literal('draft'), text: z.string(), contexts: z.array(storedContext) }),
  /** Content of the composer while an earlier question is edited. */
  z.object({ type: z.literal('edit'), turnId: z.string(), text: z.string(), contexts: z.array(storedContext) }),
  z.object({ type: z.literal('cancelEdit') }),
  /** `after` is set when the turn doesn't follow the one written before it; `null` makes it a first turn. */
  z.object({
    type: z.literal('turn'),
    id: z.string(),
    question: z.string(),
    contexts: z.array(storedContext),
    after: z.optional(z.nullable(z.string())),
    /** Id of the turn whose question was edited. Sending ends the editing, and the draft stays. */
    instead: z.optional(z.string()),
  }),
  z.object({
    type: z.literal('reply'),
    turnId: z.string(),
    id: z.string(),
    model: z.string(),
    host: z.string(),
    /** Column in a comparison. Older versions ignore it and show the replies one by one. */
    column: z.optional(z.number()),
    /** The one that was sent, wherever it was set. */
    systemPrompt: z.optional(z.string()),
    /** The fields that parameters added to the body of the request. */
    options: z.optional(storedFields),
    /** Older versions ignore it: they show the answer, and send all of the conversation with later questions. */
    leftOut: z.optional(storedLeftOut),
    startedAt: z.number(),
  }),
  /** The person chose the reply to show for its question or, with `chooseTurn`, the turn to show at its fork. */
  z.object({ type: z.literal('choose'), replyId: z.string() }),
  z.object({ type: z.literal('chooseTurn'), turnId: z.string() }),
  /**
   * New text; `ms` is the time since sending. `allBefore`: the text and reasoning before it were only one of the two.
   * Older versions ignore it, and show them as they arrived.
   */
  z.object({
    type: z.literal('delta'),
    replyId: z.string(),
    text: z.string(),
    reasoning: z.string(),
    ms: z.number(),
    allBefore: z.optional(z.enum(['reasoning', 'text'])),
  }),
  z.object({
    type: z.literal('end'),
    replyId: z.string(),
    totalMs: z.number(),
    ...replyEnd,
    /** A kind from a later version is shown with a more general message. */
    problem: z.optional(z.looseObject({ kind: z.string() })),
  }),
]);
export type ConversationEvent = z.infer<typeof conversationEvent>;

/** @returns the conversation after the event. */
export function applyEvent(conversation: Conversation, event: ConversationEvent): Conversation {
  switch (event.type) {
    case 'conversation':
      // The id of the event is not used: in a copy of a conversation it is the id of the original.
      return { ...conversation, createdAt: event.createdAt };
    case 'title':
      return { ...conversation, title: event.text };
    case 'systemPrompt':
      return {
        ...without(conversation, 'systemPrompt'),
        ...(event.text !== undefined && { systemPrompt: event.text }),
      };
    case 'parameters': {
      const parameters = readParameters(event.parameters);
      return { ...without(conversation, 'parameters'), ...(parameters && { parameters }) };
    }
    case 'draft':
      return { ...conversation, draft: { text: event.text, contexts: event.contexts } };
    case 'edit': {
      const { type: _, ...edit } = event;
      return { ...conversation, edit };
    }
    case 'cancelEdit':
      return without(conversation, 'edit');
    case 'turn': {
      const { type: _, after, instead, ...question } = event;
      const turn: Turn = { ...question, replies: [], ...(after !== undefined && { after }) };
      const { draft, edit, turns } = conversation;
      const rest = edit?.turnId === instead ? without(conversation, 'edit') : conversation;
      const asked = { ...rest, turns: [...turns, turn], draft: instead === undefined ? noDraft : draft };
      // The newest turn at a fork is shown. A turn that follows the last one written has no siblings.
      return after === undefined ? asked : withNext(asked, placeAfter(turns, after), undefined);
    }
    case 'reply': {
      const { type: _, turnId, column, systemPrompt, options, leftOut, ...facts } = event;
      const optional = {
        ...(column !== undefined && { column }),
        ...(systemPrompt !== undefined && { systemPrompt }),
        ...(options !== undefined && { options }),
        ...(leftOut && { leftOut }),
      };
      const reply: Reply = { ...facts, ...optional, state: 'waiting', text: '', reasoning: '' };
      return changeTurn(conversation, isOf(turnId), (turn) =>
        showingNew({ ...turn, replies: [...turn.replies, reply] }, reply),
      );
    }
    case 'choose':
      return changeTurn(conversation, hasReply(event.replyId), (turn) => ({ ...turn, shown: event.replyId }));
    case 'chooseTurn':
      return withNext(conversation, turnBefore(conversation, event.turnId), event.turnId);
    case 'delta':
      return changeReply(conversation, event.replyId, ({ firstTextMs, ...reply }) => {
        // Text that was reasoning was not the first text.
        const first = (event.allBefore === 'reasoning' ? undefined : firstTextMs) ?? event.ms;
        const content = withDelta(reply, event);
        return {
          ...reply,
          ...content,
          // A delta after the end is added, but doesn't set an ended reply back to streaming.
          state: isRunning(reply) ? 'streaming' : reply.state,
          firstTokenMs: reply.firstTokenMs ?? event.ms,
          ...(content.text !== '' && { firstTextMs: first }),
        };
      });
    case 'end': {
      const { type: _, replyId, ...end } = event;
      // Absent fields are really absent here and not undefined, which zod's types don't express.
      return changeReply(conversation, replyId, (reply) => ({ ...reply, ...(end as Partial<Reply>) }));
    }
    default:
      return event satisfies never;
  }
}

const isOf =
  (turnId: string) =>
  ({ id }: Turn) =>
    id === turnId;

const hasReply =
  (replyId: string) =>
  ({ replies }: Turn) =>
    replies.some(({ id }) => id === replyId);

/** Changes the last matching turn; only a broken file has several with the same id. */
function changeTurn(
  conversation: Conversation,
  matches: (turn: Turn) => boolean,
  change: (turn: Turn) => Turn,
): Conversation {
  const place = conversation.turns.findLastIndex(matches);
  const turn = conversation.turns[place];
  return turn ? { ...conversation, turns: conversation.turns.with(place, change(turn)) } : conversation;
}

function changeReply(conversation: Conversation, replyId: string, change: (reply: Reply) => Reply): Conversation {
  return changeTurn(conversation, hasReply(replyId), (turn) => ({
    ...turn,
    replies: turn.replies.map((reply) => (reply.id === replyId ? change(reply) : reply)),
  }));
}

/** The conversation with this choice at the fork after a turn; undefined shows the newest. */
function withNext(
  conversation: Conversation,
  before: string | null | undefined,
  next: string | undefined,
): Conversation {
  if (before === undefined) {
    return conversation;
  }
  return before === null
    ? { ...without(conversation, 'first'), ...(next !== undefined && { first: next }) }
    : changeTurn(conversation, isOf(before), (turn) => ({
        ...without(turn, 'next'),
        ...(next !== undefined && { next }),
      }));
}

/** Shows a new reply; once an answer is chosen in a comparison, only if the new reply is in the same column. */
function showingNew(turn: Turn, reply: Reply): Turn {
  if (turn.shown === undefined) {
    return turn;
  }
  const chosen = chosenReply(turn);
  return chosen === undefined
    ? without(turn, 'shown')
    : { ...turn, shown: chosen.column === reply.column ? reply.id : chosen.id };
}

function without<T extends object, K extends keyof T>(from: T, name: K): Omit<T, K> {
  const { [name]: _, ...rest } = from;
  return rest;
}

export function emptyConversation(id: string, createdAt: number): Conversation {
  return { id, createdAt, turns: [], draft: noDraft };
}

/** An event as one line of the file, with its line break. */
export function writeEvent(event: ConversationEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/**
 * Reads a conversation's file. Lines that are cut or unknown are left out and counted. A reply without an end becomes
 * `incomplete`, with a problem that says whether it was interrupted or is arriving in another window.
 *
 * @param isArriving whether another window is receiving a reply now.
 */
export function readConversation(
  id: string,
  file: string,
  isArriving = false,
): { conversation: Conversation; unreadLines: number } {
  const { conversation, unreadLines } = readUnended(id, file);
  return { conversation: endRunning(conversation, isArriving ? 'elsewhere' : 'interrupted'), unreadLines };
}

/** Like `readConversation`, but replies without an end stay running. */
export function readUnended(id: string, file: string): { conversation: Conversation; unreadLines: number } {
  let conversation = emptyConversation(id, 0);
  let unreadLines = 0;
  for (const step of stepsOf(id, file)) {
    conversation = step.conversation;
    unreadLines += step.event ? 0 : 1;
  }
  return { conversation, unreadLines };
}

/** The events in order, each with the conversation after it. `event` is undefined for a line that is cut or unknown. */
export function* stepsOf(
  id: string,
  file: string,
): Generator<{ event: ConversationEvent | undefined; conversation: Conversation }> {
  let conversation = emptyConversation(id, 0);
  for (const event of eventsIn(file)) {
    conversation = event ? applyEvent(conversation, event) : conversation;
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
 * The conversation with its last question as the draft again, if that question has no reply: the window closed before
 * it was sent, and the question is shown nowhere else.
 */
export function withUnsentDraft(conversation: Conversation): Conversation {
  const { turns, draft } = conversation;
  const last = turns.at(-1);
  const isUnsent = last?.replies.length === 0 && draft.text === '' && draft.contexts.length === 0;
  return isUnsent ? { ...conversation, draft: { text: last.question, contexts: last.contexts } } : conversation;
}

/** The conversation as it would be read if nothing more were written: running replies become `incomplete`. */
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
