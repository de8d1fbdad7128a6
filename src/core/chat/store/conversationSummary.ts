import { columnsOf } from '../conversation/comparison.ts';
import { type Conversation, isRunning, lastReply, titleOf } from '../conversation/conversation.ts';

/** What a list shows about a conversation. */
export type ConversationSummary = {
  readonly id: string;
  readonly title: string;
  /** Unix milliseconds; undefined when the stored text has no time. */
  readonly createdAt?: number;
  /** Number of questions on all branches. */
  readonly questions: number;
  /** Of the last paid call. */
  readonly lastModel?: string;
  readonly lastHost?: string;
  /** Number of models the last question was compared between; absent when it went to one. */
  readonly compared?: number;
  /** State of the last paid call; for a comparison, the best one. `unsent` when there is only a draft. */
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

/** A comparison is `failed` or `incomplete` only when none of its replies is better. */
function stateOfEnds(states: readonly unknown[]): ConversationSummary['state'] {
  const isBad = states.every((state) => state === 'failed' || state === 'incomplete');
  return isBad ? (states.includes('failed') ? 'failed' : 'incomplete') : 'ordinary';
}

function unsentTitle(text: string): string {
  return titleOf({ turns: [{ id: '', question: text, contexts: [], replies: [] }] });
}
