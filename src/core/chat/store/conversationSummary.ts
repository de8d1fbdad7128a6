import type { CodeContext } from '../context/prompt.ts';
import { columnsOf } from '../conversation/comparison.ts';
import { type Conversation, isRunning, lastReply, titleOf } from '../conversation/conversation.ts';

/** What a list says about a conversation. */
export type ConversationSummary = {
  readonly id: string;
  readonly title: string;
  /** Unix milliseconds; undefined when its text does not say. */
  readonly createdAt?: number;
  /** How many questions were asked. */
  readonly questions: number;
  /** Of the last paid call. */
  readonly lastModel?: string;
  readonly lastHost?: string;
  /** How many models the last question was compared between; absent when it went to one. */
  readonly compared?: number;
  /** Of the last paid call; of a comparison, the best that came of it. `unsent` when nothing but a draft is there. */
  readonly state: 'running' | 'failed' | 'incomplete' | 'ordinary' | 'unsent';
};

export function summaryOf(conversation: Conversation): ConversationSummary {
  const last = lastReply(conversation);
  const { id, createdAt, turns, draft } = conversation;
  const turn = turns.find(({ replies }) => replies.some((reply) => reply === last));
  const columns = turn ? columnsOf(turn) : [];
  const newest = columns.length > 0 ? columns.flatMap((column) => column.at(-1) ?? []) : last ? [last] : [];
  return {
    id,
    title: turns.length === 0 && conversation.title === undefined ? unsentTitle(draft.text) : titleOf(conversation),
    createdAt,
    questions: turns.length,
    ...(last && { lastModel: last.model, lastHost: last.host }),
    ...comparedFact(columns.length),
    state:
      last === undefined
        ? 'unsent'
        : newest.some(isRunning)
          ? 'running'
          : stateOfEnds(newest.map(({ state }) => state)),
  };
}

function comparedFact(columns: number): Pick<ConversationSummary, 'compared'> {
  return columns > 1 ? { compared: columns } : {};
}

/** One that failed does not spoil the others. */
function stateOfEnds(states: readonly unknown[]): ConversationSummary['state'] {
  const isBad = states.every((state) => state === 'failed' || state === 'incomplete');
  return isBad ? (states.includes('failed') ? 'failed' : 'incomplete') : 'ordinary';
}

function unsentTitle(text: string): string {
  return titleOf({ turns: [{ id: '', question: text, contexts: [], replies: [] }] });
}

/** What a line that is cut or was never a line costs at most. */
const maxLine = 64 * 1024 * 1024;
/** The answers, nearly all of a file: passed over without being looked at. */
const passedOver = '{"type":"delta"';

/**
 * Reads a summary from a conversation's text, piece by piece, in one pass that parses only what the summary tells of
 * and holds no more than a line.
 */
export class SummaryReader {
  readonly #id: string;
  #rest = '';
  #isPassing = false;
  #createdAt: number | undefined;
  #title: string | undefined;
  #firstTurn: string | undefined;
  #draft: string | undefined;
  #reply: string | undefined;
  /** Of each turn that was compared, the newest reply of each column, by ids. */
  readonly #columns = new Map<unknown, Map<unknown, unknown>>();
  /** How those ended, as far as they did. */
  readonly #ends = new Map<unknown, unknown>();
  #questions = 0;
  /** The end of the last paid call, as far as it came. */
  #end: string | undefined;

  constructor(id: string) {
    this.#id = id;
  }

  feed(piece: string): void {
    for (let from = 0; ; ) {
      const end = piece.indexOf('\n', from);
      if (end < 0) {
        this.#hold(piece.slice(from));
        return;
      }
      if (!this.#isPassing) {
        this.#line(this.#rest + piece.slice(from, end));
      }
      this.#rest = '';
      this.#isPassing = false;
      from = end + 1;
    }
  }

  /** @returns the summary; a call without an end counts as incomplete, which only its window knows better. */
  end(): ConversationSummary & { readonly isOpenEnded: boolean } {
    if (!this.#isPassing) {
      this.#line(this.#rest);
    }
    const reply = recordIn(this.#reply);
    const turn = recordIn(this.#firstTurn);
    const end = recordIn(this.#end);
    const columns = reply?.column === undefined ? undefined : this.#columns.get(reply.turnId);
    const states = columns
      ? [...columns.values()].map((id) => this.#ends.get(id))
      : [end?.replyId === reply?.id ? end?.state : undefined];
    const isOpenEnded = reply !== undefined && states.includes(undefined);
    const question = textOf(turn?.question);
    const contexts = Array.isArray(turn?.contexts) ? turn.contexts : [];
    const lastModel = textOf(reply?.model);
    const lastHost = textOf(reply?.host);
    const title =
      this.#title ??
      (question === undefined
        ? unsentTitle(textOf(recordIn(this.#draft)?.text) ?? '')
        : titleOf({ turns: [{ id: '', question, contexts: contexts.filter(hasPath), replies: [] }] }));
    return {
      id: this.#id,
      title,
      questions: this.#questions,
      state: reply === undefined ? 'unsent' : isOpenEnded ? 'incomplete' : stateOfEnds(states),
      isOpenEnded,
      ...(this.#createdAt !== undefined && { createdAt: this.#createdAt }),
      ...(lastModel !== undefined && { lastModel }),
      ...(lastHost !== undefined && { lastHost }),
      ...comparedFact(columns?.size ?? 0),
    };
  }

  #hold(text: string): void {
    if (this.#isPassing) {
      return;
    }
    this.#rest += text;
    if (this.#rest.startsWith(passedOver) || this.#rest.length > maxLine) {
      this.#isPassing = true;
      this.#rest = '';
    }
  }

  #line(line: string): void {
    switch (/^\{"type":"(\w+)"/.exec(line)?.[1]) {
      case 'conversation': {
        const createdAt = recordIn(line)?.createdAt;
        this.#createdAt = typeof createdAt === 'number' ? createdAt : this.#createdAt;
        return;
      }
      case 'title':
        this.#title = textOf(recordIn(line)?.text) ?? this.#title;
        return;
      case 'draft':
        this.#draft = line;
        return;
      case 'turn':
        this.#questions++;
        this.#draft = undefined;
        if (this.#title === undefined) {
          this.#firstTurn ??= line;
        }
        return;
      case 'reply': {
        this.#reply = line;
        const reply = recordIn(line);
        if (reply?.column !== undefined) {
          const columns = this.#columns.get(reply.turnId) ?? new Map();
          this.#columns.set(reply.turnId, columns.set(reply.column, reply.id));
        }
        return;
      }
      case 'end': {
        this.#end = line;
        if (this.#columns.size > 0) {
          const end = recordIn(line);
          this.#ends.set(end?.replyId, end?.state);
        }
        return;
      }
    }
  }
}

function recordIn(line: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (line === undefined) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function hasPath(value: unknown): value is CodeContext {
  return typeof value === 'object' && value !== null && 'path' in value && typeof value.path === 'string';
}
