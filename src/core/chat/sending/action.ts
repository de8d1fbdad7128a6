import type { CodeContext } from '../context/prompt.ts';
import { turnBefore, visibleTurns } from '../conversation/branches.ts';
import { columnFor, notComparable } from '../conversation/comparison.ts';
import { type Conversation, questionTitle, type Turn } from '../conversation/conversation.ts';
import type { ConversationEvent } from '../conversation/conversationRecord.ts';
import type { Sent } from './chatPorts.ts';

/** What is asked of one model. */
export type Asked =
  | (NewQuestion & { readonly kind: 'ask' })
  /** Right after a turn, on a branch of its own if others follow there. The draft stays. */
  | { readonly kind: 'after'; readonly turnId: string; readonly question: string }
  /** In the place of a turn, which stays beside it. It ends the editing of that turn. */
  | (NewQuestion & { readonly kind: 'instead'; readonly turnId: string })
  /** The question of a turn once more, in place of this reply, which stays, or of the one that is shown. */
  | { readonly kind: 'again'; readonly turnId: string; readonly replyId?: string | undefined };

type NewQuestion = { readonly question: string; readonly contexts: readonly CodeContext[] };

/** One action of the person that asks a model: it becomes one paid call, or one for each model that is compared. */
export type Action = {
  /** Made once for one action. The ids of its turn and its calls come from it, so that one that comes twice is seen. */
  readonly id: string;
  /** Where the person means it to go; without it, where the conversation went before. */
  readonly host?: string | undefined;
} & (
  | (Asked & { readonly model: string })
  /** Several models at the same time. Their answers stand side by side until one of them is kept. */
  | (NewQuestion & { readonly kind: 'compare'; readonly models: readonly string[] })
);

/** What an action comes to. */
export type Plan = {
  readonly turn: Turn;
  readonly calls: readonly Call[];
  /** Where its turn goes when it is a new one. */
  readonly place?: Place;
};

/** One POST; its id is that of the reply it becomes. */
type Call = { readonly id: string; readonly model: string; readonly column?: number };

type Place = { readonly kind: 'end' } | { readonly kind: 'after' | 'instead'; readonly turnId: string };

/** @returns in words why it can't be done, where it can't. */
export function planOf({ turns }: Conversation, action: Action): Plan | (Sent & { readonly ok: false }) {
  const { id, kind } = action;
  const newTurn = (question: string, contexts: readonly CodeContext[] = []): Turn => {
    return { id, question, contexts, replies: [] };
  };
  switch (kind) {
    case 'ask': {
      const { question, contexts, model } = action;
      return { turn: newTurn(question, contexts), calls: [{ id, model }], place: { kind: 'end' } };
    }
    case 'compare': {
      const { question, contexts, models } = action;
      const reason = notComparable(models);
      const calls = models.map((model, index) => ({ id: `${id}.${index + 1}`, model, column: index + 1 }));
      return reason === undefined
        ? { turn: newTurn(question, contexts), calls, place: { kind: 'end' } }
        : { ok: false, reason };
    }
    case 'after': {
      const { turnId, question, model } = action;
      return { turn: newTurn(question), calls: [{ id, model }], place: { kind, turnId } };
    }
    case 'instead': {
      const { turnId, question, contexts, model } = action;
      return { turn: newTurn(question, contexts), calls: [{ id, model }], place: { kind, turnId } };
    }
    case 'again': {
      const { turnId, model, replyId } = action;
      const turn = turns.find((each) => each.id === turnId);
      const column = turn && columnFor(turn, replyId);
      return turn ? { turn, calls: [{ id, model, ...(column !== undefined && { column }) }] } : notThere;
    }
    default:
      return kind satisfies never;
  }
}

/** Whether this action was taken before: its id is that of a turn or of a reply then. */
export function isTaken({ turns }: Conversation, id: string): boolean {
  return turns.some((turn) => turn.id === id || turn.replies.some((reply) => reply.id === id));
}

/** Id of the turn that a new one follows; `null` when it is a first one, undefined when its place is gone. */
export function placeOf(conversation: Conversation, place: Place): string | null | undefined {
  switch (place.kind) {
    case 'end':
      return visibleTurns(conversation).at(-1)?.id ?? null;
    case 'after':
      return turnBefore(conversation, place.turnId) === undefined ? undefined : place.turnId;
    case 'instead':
      return turnBefore(conversation, place.turnId);
    default:
      return place satisfies never;
  }
}

/** What happens when a new question takes its place: it may give the conversation its title, and leave the draft. */
export function questionEvents(
  { turns, title, draft }: Conversation,
  { turn, place }: Plan,
  after: string | null,
): ConversationEvent[] {
  const { id, question } = turn;
  const contexts = [...turn.contexts];
  const isNext = after === (turns.at(-1)?.id ?? null);
  const instead = place?.kind === 'instead' && { instead: place.turnId };
  const leavesDraft = place?.kind === 'after' && (draft.text !== '' || draft.contexts.length > 0);
  return [
    // A person may have given it one before the first question was sent.
    ...(turns.length === 0 && title === undefined ? [{ type: 'title' as const, text: questionTitle(turn) }] : []),
    { type: 'turn', id, question, contexts, ...(!isNext && { after }), ...instead },
    ...(leavesDraft ? [{ type: 'draft' as const, text: draft.text, contexts: [...draft.contexts] }] : []),
  ];
}

/** For an action that was stopped before its request has left. */
export const stoppedInTime: Sent = { ok: false, reason: 'Stopped. Nothing was sent.', isStopped: true };

/** For an action whose place, or whose question, is gone. */
export const notThere = { ok: false, reason: 'That question is no longer there.' } as const;
