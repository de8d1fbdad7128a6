import * as l10n from '@vscode/l10n';
import { visibleTurns } from './branches.ts';
import { type Conversation, isRunning, lastReply, type Reply, type Turn } from './conversation.ts';

/**
 * A question that was sent to several models at once. Its replies are shown in columns, one for each model. Asking
 * again adds a reply to its column. No next question can follow until the person has chosen one of the answers.
 */
type Compared = Pick<Turn, 'replies' | 'shown'>;

/** Limits for the number of models in a comparison. */
export const minCompared = 2;
export const maxCompared = 4;

/** The reason why no question can be sent until an answer is chosen. */
export function keepFirst(): string {
  return l10n.t('Keep one answer to continue.');
}

/** @returns the reason, as a sentence, why these models can't be compared; undefined when they can. */
export function notComparable(models: readonly string[]): string | undefined {
  return models.length < minCompared || models.length > maxCompared || new Set(models).size < models.length
    ? l10n.t('Select two, three, or four different models to compare.')
    : undefined;
}

/** The replies of each column, oldest first; no columns for a question that was sent to one model. */
export function columnsOf({ replies }: Pick<Turn, 'replies'>): Reply[][] {
  if (replies.every(({ column }) => column === undefined)) {
    return [];
  }
  // A reply without a column comes from a version without comparisons.
  return [...Map.groupBy(replies, ({ column, id }) => column ?? id).values()];
}

/** The answer that was chosen in a comparison; undefined while there is none. */
export function chosenReply(turn: Compared): Reply | undefined {
  return columnsOf(turn).length > 0 ? turn.replies.find(({ id }) => id === turn.shown) : undefined;
}

/** Whether an answer has to be chosen before anything can follow. Without any answer there is nothing to choose. */
export function needsChoice(turn: Compared): boolean {
  return (
    columnsOf(turn).length > 0 &&
    chosenReply(turn) === undefined &&
    turn.replies.some((reply) => isRunning(reply) || reply.text.trim() !== '')
  );
}

/** Whether an answer has to be chosen before the next question at the end of the shown branch. */
export function isUndecided(conversation: Conversation): boolean {
  const last = visibleTurns(conversation).at(-1);
  return last !== undefined && needsChoice(last);
}

/**
 * Exact id of the model for the next question. After a comparison: the model of the chosen answer. Otherwise the model of
 * the newest call, apart from compared answers that were not chosen.
 */
export function modelToContinueWith(conversation: Conversation): string | undefined {
  const last = visibleTurns(conversation).at(-1);
  const chosen = last && chosenReply(last);
  if (chosen) {
    return chosen.model;
  }
  const turns = conversation.turns.map((turn) =>
    columnsOf(turn).length > 0 ? { ...turn, replies: [chosenReply(turn) ?? []].flat() } : turn,
  );
  return (lastReply({ ...conversation, turns }) ?? lastReply(conversation))?.model;
}
