import * as z from 'zod/mini';
import { readParameters } from '../../connections/questionDefaults.ts';
import { withDelta } from '../../reply/replyContent.ts';
import { turnBefore } from './branches.ts';
import { type Conversation, isRunning, noDraft, type Reply, type Turn } from './conversation.ts';
import { replyEnd, storedContext, storedFields, storedLeftOut } from './storedParts.ts';

/** Not longer than the ids that the panel's messages may contain. */
const id = z.string().check(z.minLength(1), z.maxLength(64));
/** Unix milliseconds that are a date. */
const moment = z.number().check(z.minimum(0), z.maximum(8_640_000_000_000_000));

/** A kind from a later version is shown with a more general message. The other fields depend on the kind. */
const problem = z.looseObject({
  kind: z.string(),
  status: z.optional(z.number()),
  code: z.optional(z.string()),
  words: z.optional(z.string()),
  requestId: z.optional(z.string()),
  names: z.optional(z.readonly(z.array(z.string()))),
});

/**
 * An event of a conversation, stored as one line of JSON in its file. The same events update the open conversation and
 * the panel and are read from the file, so that the stored conversation equals the shown one.
 */
const conversationEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('conversation'), version: z.literal(1), id: z.string(), createdAt: moment }),
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
    id,
    question: z.string(),
    contexts: z.array(storedContext),
    after: z.optional(z.nullable(z.string())),
    /** Id of the turn whose question was edited. Sending ends the editing, and the draft stays. */
    instead: z.optional(z.string()),
  }),
  z.object({
    type: z.literal('reply'),
    turnId: z.string(),
    id,
    model: z.string(),
    host: z.string(),
    connection: z.optional(z.string()),
    /** Column in a comparison. Older versions ignore it and show the replies one by one. */
    column: z.optional(z.number().check(z.int(), z.minimum(1))),
    /** It continues another reply. Older versions ignore it and show it as another answer. */
    continues: z.optional(z.object({ replyId: z.string(), question: z.string() })),
    /** The one that was sent, wherever it was set. */
    systemPrompt: z.optional(z.string()),
    /** The fields that parameters added to the body of the request. */
    options: z.optional(storedFields),
    /** Older versions ignore it: they show the answer, and send all of the conversation with later questions. */
    leftOut: z.optional(storedLeftOut),
    startedAt: moment,
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
    problem: z.optional(problem),
  }),
]);
export type ConversationEvent = z.infer<typeof conversationEvent>;

/** The conversation after an event. */
export function withEvent(conversation: Conversation, event: ConversationEvent): Conversation {
  switch (event.type) {
    case 'conversation':
      // The id of the event is not used: in a copy of a conversation it is the id of the original.
      return { ...conversation, createdAt: event.createdAt };
    case 'title':
      return { ...conversation, title: event.text };
    case 'systemPrompt':
      return withField(conversation, 'systemPrompt', event.text);
    case 'parameters':
      return withField(conversation, 'parameters', readParameters(event.parameters));
    case 'draft':
      return { ...conversation, draft: { text: event.text, contexts: event.contexts } };
    case 'edit': {
      const { type: _, ...edit } = event;
      return { ...conversation, edit };
    }
    case 'cancelEdit':
      return withField(conversation, 'edit', undefined);
    case 'turn': {
      const { type: _, instead, ...turn } = event;
      const edit = conversation.edit?.turnId === instead ? undefined : conversation.edit;
      const added = {
        ...withField(conversation, 'edit', edit),
        ...(instead === undefined && { draft: noDraft }),
        turns: [...conversation.turns, { ...turn, replies: [] }],
      };
      // The newest turn at a fork is shown. A turn that follows the last one written has no siblings.
      return turn.after === undefined ? added : showAfter(added, turnBefore(added, turn.id), undefined);
    }
    case 'reply': {
      const { type: _, turnId, ...facts } = event;
      const reply: Reply = { ...facts, state: 'waiting', text: '', reasoning: '' };
      return changeTurn(conversation, turnId, (turn) => {
        // Once an answer is chosen in a comparison, a new one is shown only if it is in the same column.
        const chosen = turn.replies.find(({ id }) => id === turn.shown);
        const isShown = chosen !== undefined && chosen.column === reply.column;
        return { ...turn, replies: [...turn.replies, reply], ...(isShown && { shown: reply.id }) };
      });
    }
    case 'choose': {
      const turn = conversation.turns.findLast(({ replies }) => replies.some(({ id }) => id === event.replyId));
      return turn ? changeTurn(conversation, turn.id, () => ({ ...turn, shown: event.replyId })) : conversation;
    }
    case 'chooseTurn':
      return showAfter(conversation, turnBefore(conversation, event.turnId), event.turnId);
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

/** Looks from the end, where nearly all changes are. The last one counts if a broken file has an id twice. */
function changeTurn(conversation: Conversation, id: string, change: (turn: Turn) => Turn): Conversation {
  const at = conversation.turns.findLastIndex((turn) => turn.id === id);
  const turn = conversation.turns[at];
  return turn ? { ...conversation, turns: conversation.turns.with(at, change(turn)) } : conversation;
}

function changeReply(conversation: Conversation, id: string, change: (reply: Reply) => Reply): Conversation {
  const turn = conversation.turns.findLast(({ replies }) => replies.some((reply) => reply.id === id));
  const replies = turn?.replies.map((reply) => (reply.id === id ? change(reply) : reply));
  return turn && replies ? changeTurn(conversation, turn.id, () => ({ ...turn, replies })) : conversation;
}

/** Sets the choice at the fork after a turn; undefined shows the newest. */
function showAfter(
  conversation: Conversation,
  before: string | null | undefined,
  next: string | undefined,
): Conversation {
  return before === null
    ? withField(conversation, 'first', next)
    : changeTurn(conversation, before ?? '', (turn) => withField(turn, 'next', next));
}

/** Sets a field; without a value, it is removed. */
function withField<T extends object, K extends keyof T>(of: T, name: K, value: T[K] | undefined): T {
  const { [name]: _, ...rest } = of;
  return (value === undefined ? rest : { ...rest, [name]: value }) as T;
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
  for (const event of eventsIn(file)) {
    if (event) {
      conversation = withEvent(conversation, event);
    } else {
      unreadLines++;
    }
  }
  return { conversation, unreadLines };
}

/** The events in order; undefined for a line that is cut or unknown. */
export function* eventsIn(file: string): Generator<ConversationEvent | undefined> {
  for (const line of file.split('\n')) {
    if (line.trim() !== '') {
      const parsed = parseEvent(parseLine(line));
      yield parsed.success ? parsed.data : undefined;
    }
  }
}

/** Parses an event that comes from outside. */
export function parseEvent(value: unknown): z.core.util.SafeParseResult<ConversationEvent> {
  return z.safeParse(conversationEvent, value);
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
