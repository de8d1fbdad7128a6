import * as z from 'zod/mini';
import { parseJson } from '../../base/loose.ts';
import { readParameters } from '../../connections/questionDefaults.ts';
import { withDelta } from '../../reply/replyContent.ts';
import { storedContexts } from '../context/prompt.ts';
import { addPredecessor } from './branches.ts';
import { type Conversation, isRunning, noDraft, type Reply, type Turn } from './conversation.ts';
import { moment, replyEnd, replyStart, storedFields, storedId } from './storedParts.ts';

/** A kind from a later version is shown with a more general message. The other fields depend on the kind. */
const problem = z.looseObject({
  kind: z.string(),
  status: z.optional(z.number()),
  code: z.optional(z.string()),
  words: z.optional(z.string()),
  requestId: z.optional(z.string()),
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
  z.object({ type: z.literal('draft'), text: z.string(), contexts: storedContexts }),
  /** Content of the composer while an earlier question is edited. */
  z.object({ type: z.literal('edit'), turnId: z.string(), text: z.string(), contexts: storedContexts }),
  z.object({ type: z.literal('cancelEdit') }),
  /** `after` is set when the turn doesn't follow the one written before it; `null` makes it a first turn. */
  z.object({
    type: z.literal('turn'),
    id: storedId,
    question: z.string(),
    contexts: storedContexts,
    after: z.optional(z.nullable(z.string())),
    /** Id of the turn whose question was edited. Sending ends the editing, and the draft stays. */
    instead: z.optional(z.string()),
  }),
  z.object({
    type: z.literal('reply'),
    turnId: z.string(),
    ...replyStart,
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
    ...replyEnd,
    problem: z.optional(problem),
  }),
]);
export type ConversationEvent = z.infer<typeof conversationEvent>;

/**
 * A conversation that events are applied to. It knows where each turn is, and looks for replies from the end, where nearly
 * all that arrives belongs: the time to read a file is proportional to its length.
 */
export class ConversationRecord {
  readonly #facts: { -readonly [K in keyof Conversation]: Conversation[K] };
  /** Each is replaced and never changed, because a returned conversation may have it. */
  readonly #turns: Turn[] = [];
  /** Where turns are, by their id. The last one counts if a broken file has an id twice. */
  readonly #places = new Map<string, number>();
  readonly #before = new Map<string, string | null>();
  #returned: Conversation | undefined;

  constructor(conversation: Conversation) {
    this.#facts = { ...conversation };
    for (const turn of conversation.turns) {
      this.#add(turn);
    }
  }

  /** The conversation after all events so far. Later events don't change it. */
  get conversation(): Conversation {
    this.#returned ??= { ...this.#facts, turns: [...this.#turns] };
    return this.#returned;
  }

  apply(event: ConversationEvent): void {
    this.#returned = undefined;
    switch (event.type) {
      case 'conversation':
        // The id of the event is not used: in a copy of a conversation it is the id of the original.
        this.#facts.createdAt = event.createdAt;
        return;
      case 'title':
        this.#facts.title = event.text;
        return;
      case 'systemPrompt':
        set(this.#facts, 'systemPrompt', event.text);
        return;
      case 'parameters':
        set(this.#facts, 'parameters', readParameters(event.parameters));
        return;
      case 'draft':
        this.#facts.draft = { text: event.text, contexts: event.contexts };
        return;
      case 'edit': {
        const { type: _, ...edit } = event;
        this.#facts.edit = edit;
        return;
      }
      case 'cancelEdit':
        delete this.#facts.edit;
        return;
      case 'turn': {
        const { type: _, instead, ...turn } = event;
        if (this.#facts.edit?.turnId === instead) {
          delete this.#facts.edit;
        }
        if (instead === undefined) {
          this.#facts.draft = noDraft;
        }
        this.#add({ ...turn, replies: [] });
        if (turn.after !== undefined) {
          // The newest turn at a fork is shown. A turn that follows the last one written has no siblings.
          this.#showBeside(turn.id, undefined);
        }
        return;
      }
      case 'reply': {
        const { type: _, turnId, ...facts } = event;
        const reply: Reply = { ...facts, state: 'waiting', text: '', reasoning: '' };
        this.#change(turnId, (turn) => {
          const chosen = turn.replies.find(({ id }) => id === turn.shown);
          // Once an answer is chosen in a comparison, a new one is shown only if it is in the same column.
          const isShown = chosen !== undefined && chosen.column === reply.column;
          return { ...turn, replies: [...turn.replies, reply], ...(isShown && { shown: reply.id }) };
        });
        return;
      }
      case 'choose':
        this.#changeWith(event.replyId, (turn) => ({ ...turn, shown: event.replyId }));
        return;
      case 'chooseTurn':
        this.#showBeside(event.turnId, event.turnId);
        return;
      case 'delta':
        this.#changeReply(event.replyId, ({ firstTextMs, ...reply }) => {
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
        return;
      case 'end': {
        const { type: _, replyId, ...end } = event;
        // Absent fields are really absent here and not undefined, which zod's types don't express.
        this.#changeReply(replyId, (reply) => ({ ...reply, ...(end as Partial<Reply>) }));
        return;
      }
      default:
        event satisfies never;
    }
  }

  #add(turn: Turn): void {
    addPredecessor(this.#before, turn, this.#turns.at(-1));
    this.#places.set(turn.id, this.#turns.push(turn) - 1);
  }

  #change(turnId: string, change: (turn: Turn) => Turn): void {
    const place = this.#places.get(turnId);
    const turn = place === undefined ? undefined : this.#turns[place];
    if (turn && place !== undefined) {
      this.#turns[place] = change(turn);
    }
  }

  /** Changes the turn of a reply. */
  #changeWith(replyId: string, change: (turn: Turn) => Turn): void {
    const place = this.#turns.findLastIndex(({ replies }) => replies.some(({ id }) => id === replyId));
    const turn = this.#turns[place];
    if (turn) {
      this.#turns[place] = change(turn);
    }
  }

  #changeReply(replyId: string, change: (reply: Reply) => Reply): void {
    this.#changeWith(replyId, (turn) => {
      const at = turn.replies.findLastIndex(({ id }) => id === replyId);
      return { ...turn, replies: turn.replies.map((reply, index) => (index === at ? change(reply) : reply)) };
    });
  }

  /** Sets the choice at the fork that this turn is at; undefined shows the newest. */
  #showBeside(turnId: string, next: string | undefined): void {
    const before = this.#before.get(turnId);
    if (before === null) {
      set(this.#facts, 'first', next);
    } else if (before !== undefined) {
      this.#change(before, (turn) => ({ ...turn, next }));
    }
  }
}

/** Sets a field; without a value, it is removed. */
function set<K extends string, V>(of: { [key in K]?: V }, name: K, value: V | undefined): void {
  if (value === undefined) {
    delete of[name];
  } else {
    of[name] = value;
  }
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
  const record = new ConversationRecord(emptyConversation(id, 0));
  let unreadLines = 0;
  for (const event of eventsIn(file)) {
    if (event) {
      record.apply(event);
    } else {
      unreadLines++;
    }
  }
  return { conversation: record.conversation, unreadLines };
}

/** The events in order; undefined for a line that is cut or unknown. */
export function* eventsIn(file: string): Generator<ConversationEvent | undefined> {
  for (const line of file.split('\n')) {
    if (line.trim() !== '') {
      // A power loss leaves zeros before or after a line.
      const parsed = parseEvent(parseJson(line.replaceAll('\0', '')));
      yield parsed.success ? parsed.data : undefined;
    }
  }
}

/** Parses an event that comes from outside. */
export function parseEvent(value: unknown): z.core.util.SafeParseResult<ConversationEvent> {
  return z.safeParse(conversationEvent, value);
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
