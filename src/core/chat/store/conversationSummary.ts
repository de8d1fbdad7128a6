import { LineCutter } from '../../base/lineCutter.ts';
import { columnsOf } from '../conversation/comparison.ts';
import { type Conversation, isRunning, lastReply, titleOf } from '../conversation/conversation.ts';
import { emptyConversation, endRunning, stepsOf } from '../conversation/conversationRecord.ts';

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
    ...(createdAt > 0 && { createdAt }),
    questions: turns.length,
    ...(last && { lastModel: last.model, lastHost: last.host }),
    ...(columns.length > 1 && { compared: columns.length }),
    state:
      last === undefined
        ? 'unsent'
        : newest.some(isRunning)
          ? 'running'
          : stateOfEnds(newest.map(({ state }) => state)),
  };
}

/** One that failed does not spoil the others. */
function stateOfEnds(states: readonly unknown[]): ConversationSummary['state'] {
  const isBad = states.every((state) => state === 'failed' || state === 'incomplete');
  return isBad ? (states.includes('failed') ? 'failed' : 'incomplete') : 'ordinary';
}

function unsentTitle(text: string): string {
  return titleOf({ turns: [{ id: '', question: text, contexts: [], replies: [] }] });
}

/** The answers, nearly all of a file: of no use to a summary. */
const delta = '{"type":"delta"';

/** Reads a summary from a conversation's text, piece by piece, without holding its answers. */
export class SummaryReader {
  readonly #id: string;
  readonly #cutter = new LineCutter();
  readonly #lines: string[] = [];

  constructor(id: string) {
    this.#id = id;
  }

  feed(piece: string): void {
    for (const line of this.#cutter.push(piece)) {
      if (!line.startsWith(delta)) {
        this.#lines.push(line);
      }
    }
  }

  /** @returns the summary; a call without an end counts as incomplete, which only its window knows better. */
  end(): ConversationSummary & { readonly isOpenEnded: boolean } {
    const text = [...this.#lines, this.#cutter.rest].join('\n');
    let conversation = emptyConversation(this.#id, 0);
    for (const step of stepsOf(this.#id, text)) {
      ({ conversation } = step);
    }
    // A copy of a conversation names the one it was made from.
    conversation = { ...conversation, id: this.#id };
    const summary = summaryOf(conversation);
    const isOpenEnded = summary.state === 'running';
    return { ...(isOpenEnded ? summaryOf(endRunning(conversation)) : summary), isOpenEnded };
  }
}
