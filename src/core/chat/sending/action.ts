import * as l10n from '@vscode/l10n';
import type { ChatRequest } from '../../client/chatRequest.ts';
import type { ConnectionDefaults } from '../../connections/connection.ts';
import type { ReplyDelta } from '../../reply/replyContent.ts';
import type { KeyRemover } from '../../secrets/keyRemover.ts';
import type { CodeContext } from '../context/prompt.ts';
import { turnBefore, visibleTurns } from '../conversation/branches.ts';
import { columnFor, notComparable } from '../conversation/comparison.ts';
import { type Conversation, questionTitle, type Turn } from '../conversation/conversation.ts';
import type { ConversationEvent } from '../conversation/conversationRecord.ts';
import type { LeftOut } from '../conversation/storedParts.ts';
import type { ConversationStore } from '../store/conversationStore.ts';
import type { WriterPorts } from '../store/conversationWriter.ts';
import type { CallOrigin, PaidEnd } from './callGate.ts';

/** A paid question to one model. */
export type Asked =
  | (NewQuestion & { readonly kind: 'ask' })
  /** Asks right after a turn, on a new branch if other turns already follow it. The draft stays. */
  | { readonly kind: 'after'; readonly turnId: string; readonly question: string }
  /** Asks an edited question: the new turn becomes a sibling of the old one, and the editing ends. */
  | (NewQuestion & { readonly kind: 'instead'; readonly turnId: string })
  /** Asks the question of a turn again. The new reply joins the column of `replyId`, by default of the shown reply. */
  | { readonly kind: 'again'; readonly turnId: string; readonly replyId?: string | undefined };

type NewQuestion = { readonly question: string; readonly contexts: readonly CodeContext[] };

/** A question to one or several models. */
export type Question =
  | (Asked & { readonly model: string })
  /** Asks several models at the same time. Their answers are shown side by side until the person chooses one. */
  | (NewQuestion & { readonly kind: 'compare'; readonly models: readonly string[] });

/** An action by the person that asks a model: one paid call, or one for each compared model. */
export type Action = {
  /** Unique for each action. The ids of its turn and calls derive from it, so that a repeated action is detected. */
  readonly id: string;
  /** Host the person expects it to be sent to; by default the host of the conversation's last reply. */
  readonly host?: string;
  /** Finds the sender that the caller has begun to look for. By default it's found when the question is ready. */
  readonly findSender?: FindSender;
  /** What is left out of the requests. */
  readonly leftOut?: LeftOut;
  /** Id of the turn that the person expects a new question to follow, `null` for none; by default, the one it follows. */
  readonly follows?: string | null;
} & Question;

/** The turn and the calls that an action leads to. */
export type Plan = {
  readonly turn: Turn;
  readonly calls: readonly Call[];
  /** Where to add the turn; absent when it exists already. */
  readonly place?: Place;
};

/** One POST request; its reply gets the same id. */
export type Call = { readonly id: string; readonly model: string; readonly column?: number };

type Place = { readonly kind: 'end' } | { readonly kind: 'after' | 'instead'; readonly turnId: string };

/** Plans an action. @returns the reason, as a sentence, when the action isn't possible. */
export function planOf({ turns }: Conversation, action: Action): Plan | (Sent & { readonly ok: false }) {
  const { id, kind } = action;
  if (kind === 'again') {
    const { turnId, model, replyId } = action;
    const turn = turns.find((each) => each.id === turnId);
    const column = turn && columnFor(turn, replyId);
    return turn ? { turn, calls: [{ id, model, ...(column !== undefined && { column }) }] } : notThere();
  }
  const contexts = kind === 'after' ? [] : action.contexts;
  const turn: Turn = { id, question: action.question, contexts, replies: [] };
  if (kind === 'compare') {
    const reason = notComparable(action.models);
    const calls = action.models.map((model, index) => ({ id: `${id}.${index + 1}`, model, column: index + 1 }));
    return reason === undefined ? { turn, calls, place: { kind: 'end' } } : { ok: false, reason };
  }
  const place: Place = kind === 'ask' ? { kind: 'end' } : { kind, turnId: action.turnId };
  return { turn, calls: [{ id, model: action.model }], place };
}

/** Whether this action was run before, because a turn or a reply has its id. */
export function isTaken({ turns }: Conversation, id: string): boolean {
  return turns.some((turn) => turn.id === id || turn.replies.some((reply) => reply.id === id));
}

/** Id of the turn that a new turn follows; `null` for a first turn, undefined when that place no longer exists. */
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

/** Events that add a new question. They also set the conversation's title, and restore the draft, where needed. */
export function questionEvents(
  { turns, title, draft }: Conversation,
  { turn, place }: Plan,
  after: string | null,
): ConversationEvent[] {
  const { id, question } = turn;
  const contexts = [...turn.contexts];
  const newTitle = turns.length === 0 && title === undefined ? questionTitle(turn) : '';
  const isNext = after === (turns.at(-1)?.id ?? null);
  const instead = place?.kind === 'instead' && { instead: place.turnId };
  const leavesDraft = place?.kind === 'after' && (draft.text !== '' || draft.contexts.length > 0);
  return [
    // The person may have set a title before sending the first question.
    ...(newTitle === '' ? [] : [{ type: 'title' as const, text: newTitle }]),
    { type: 'turn', id, question, contexts, ...(!isNext && { after }), ...instead },
    ...(leavesDraft ? [{ type: 'draft' as const, text: draft.text, contexts: [...draft.contexts] }] : []),
  ];
}

/** Says that an action goes to another gateway than expected. */
export function otherGatewayText(expected: string, host: string): string {
  return l10n.t('This question was meant for {0}, but the active connection is {1}.', expected, host);
}

/** Result of an action that the person stopped, or cancelled in a review, before its request was sent. */
export function stoppedInTime(): Sent & { readonly ok: false } {
  return { ok: false, reason: l10n.t('Nothing was sent.'), isStopped: true };
}

/** Result of an action whose turn no longer exists. */
export function notThere(): Sent & { readonly ok: false } {
  return { ok: false, reason: l10n.t('This question no longer exists.') };
}

/** A connection that is ready to send. Its key is held only inside `send`. Each `send` is one paid call. */
export type Sender = {
  readonly host: string;
  /** What is set for the connection and its models; by default nothing is. */
  readonly defaults?: ConnectionDefaults;
  send(
    request: ChatRequest,
    origin: CallOrigin,
    onDelta: (delta: ReplyDelta) => void,
    signal: AbortSignal,
  ): Promise<PaidEnd>;
};

/** Finds the connection for a question, or the reason why it can't be sent, as a sentence. */
export type FindSender = () => Promise<{ ok: true; sender: Sender } | { ok: false; reason: string }>;

/** The result of an action. */
export type Sent =
  | { readonly ok: true }
  /**
   * `otherHost` is set when only the person's consent is missing, because the question would go to another gateway than
   * before. `isStopped` is set when the person stopped or cancelled the action, so that the reason is no error. `isOutdated` is set when
   * the question would follow another turn than the person expects.
   */
  | {
      readonly ok: false;
      readonly reason: string;
      readonly otherHost?: string;
      readonly isStopped?: true;
      readonly isOutdated?: true;
    };

export type ChatPorts = WriterPorts & {
  readonly store: Pick<ConversationStore, 'isOnDisk' | 'lock'>;
  readonly findSender: FindSender;
  /** The stored conversation, with what another window added to it; undefined when it is not stored. */
  readonly reread: () => Promise<Conversation | undefined>;
  /** Whether secrets are looked for in the context of the file with this address; by default they are. */
  readonly isScanned?: (uri: string) => boolean;
  /** A random part for the masks of secrets: 12 small letters and digits. */
  readonly maskSuffix: () => string;
  /** Removes the keys of connections from what is stored and sent. Without it, none are known. */
  readonly keys?: KeyRemover;
  /** Reports an error that is a defect of the extension. */
  readonly onDefect: (error: unknown) => void;
};
