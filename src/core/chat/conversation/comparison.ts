import { shownReply, visibleTurns } from './branches.ts';
import { type Conversation, isRunning, lastReply, type Reply, type Turn } from './conversation.ts';

/**
 * A question that went to several models at once. Its replies stand in columns, one a model; asked again, a column gets
 * another reply and keeps the one it had. Until one of the answers is kept there is nothing a next question could
 * follow.
 */
type Compared = Pick<Turn, 'replies' | 'shown'>;

/** How many models a question can be compared between. */
export const fewestCompared = 2;
export const mostCompared = 4;

export const keepFirst = 'Keep one of the answers to go on from it.';

/** @returns in words why these can not be compared; undefined when they can. */
export function notComparable(models: readonly string[]): string | undefined {
  return models.length < fewestCompared || models.length > mostCompared || new Set(models).size < models.length
    ? 'A comparison takes two, three or four different models.'
    : undefined;
}

/** The replies of each column, oldest first; no columns for a question that went to one model. */
export function columnsOf({ replies }: Pick<Turn, 'replies'>): Reply[][] {
  if (replies.every(({ column }) => column === undefined)) {
    return [];
  }
  const columns = new Map<number | string, Reply[]>();
  for (const reply of replies) {
    // One without a column was asked for by a version that knows of none.
    const place = reply.column ?? reply.id;
    const column = columns.get(place);
    if (column) {
      column.push(reply);
    } else {
      columns.set(place, [reply]);
    }
  }
  return [...columns.values()];
}

/** The answer that was chosen of a compared question; undefined while there is none. */
export function keptReply(turn: Compared): Reply | undefined {
  return columnsOf(turn).length > 0 ? turn.replies.find(({ id }) => id === turn.shown) : undefined;
}

/** Whether a choice is due before anything can follow: where nothing was answered, there is nothing to choose. */
export function awaitsKeeping(turn: Compared): boolean {
  return (
    columnsOf(turn).length > 0 &&
    keptReply(turn) === undefined &&
    turn.replies.some((reply) => isRunning(reply) || reply.text.trim() !== '')
  );
}

/** Whether a choice is due before a next question at the end of what is shown. */
export function isUndecided(conversation: Conversation): boolean {
  const last = visibleTurns(conversation).at(-1);
  return last !== undefined && awaitsKeeping(last);
}

/**
 * Exact id of the model a next question goes on with: that of the answer kept at the end of what is shown, the first one
 * answered while none is kept, else that of the newest call, of which those that were compared and not kept do not count.
 */
export function modelToGoOn(conversation: Conversation): string | undefined {
  const last = visibleTurns(conversation).at(-1);
  const kept = last && keptReply(last);
  if (kept) {
    return kept.model;
  }
  if (last && awaitsKeeping(last)) {
    // Until then nothing is asked; one that failed is no suggestion.
    return (last.replies.find(({ text }) => text.trim() !== '') ?? last.replies[0])?.model;
  }
  const turns = conversation.turns.map((turn) =>
    columnsOf(turn).length > 0 ? { ...turn, replies: [keptReply(turn) ?? []].flat() } : turn,
  );
  return (lastReply({ ...conversation, turns }) ?? lastReply(conversation))?.model;
}

/** The column that another reply to the question of a turn stands in: that of the reply it is asked in place of. */
export function columnFor(turn: Turn, replyId: string | undefined): number | undefined {
  return (turn.replies.find(({ id }) => id === replyId) ?? shownReply(turn))?.column;
}
