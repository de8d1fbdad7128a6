import { turnBefore, visibleTurns } from '../conversation/branches.ts';
import { type Conversation, questionTitle, type Turn } from '../conversation/conversation.ts';
import type { ConversationEvent } from '../conversation/conversationRecord.ts';
import type { Sent } from './chatPorts.ts';

/** One action of the person, which becomes as many paid calls as it names: one, or one a model that is compared. */
export type Wish = {
  readonly id: string;
  readonly turn: Turn;
  readonly calls: readonly Call[];
  readonly host: string | undefined;
  /** Where its turn goes when it is a new one. */
  readonly place: Place | undefined;
};

/** One POST; its id is that of the reply it becomes. */
type Call = { readonly id: string; readonly model: string; readonly column?: number };

type Place = { readonly kind: 'end' } | { readonly kind: 'after' | 'instead'; readonly turnId: string };

/** Whether this wish was taken before: its id is that of a turn or of a reply then. */
export function hasWish({ turns }: Conversation, id: string): boolean {
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
  { id, turn, place }: Wish,
  after: string | null,
): ConversationEvent[] {
  const { question } = turn;
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

/** For a wish that was stopped before its request has left. */
export const stoppedInTime: Sent = { ok: false, reason: 'Stopped. Nothing was sent.', isStopped: true };

/** For a wish whose place, or whose question, is gone. */
export const notThere = { ok: false, reason: 'That question is no longer there.' } as const;
