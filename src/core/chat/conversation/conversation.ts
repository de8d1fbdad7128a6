import type { GatewayProblem } from '../../errors/gatewayProblem.ts';
import type { Usage } from '../../reply/usage.ts';
import type { CodeContext } from '../context/prompt.ts';

type ReplyState = 'waiting' | 'streaming' | 'complete' | 'stopped' | 'incomplete' | 'failed';

/** One paid call and what came of it. */
export type Reply = {
  readonly id: string;
  /** Exact id of the model it was sent to. */
  readonly model: string;
  /** Host the question went to. */
  readonly host: string;
  /** Place among the models its question was compared between, from 1; absent when it went to one. */
  readonly column?: number;
  readonly state: ReplyState;
  readonly text: string;
  readonly reasoning: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Milliseconds from sending. */
  readonly firstTokenMs?: number;
  readonly firstTextMs?: number;
  readonly totalMs?: number;
  readonly echoedModel?: string;
  readonly finishReason?: string;
  /** The model asked for a tool, with or without text before. */
  readonly hasToolCalls?: boolean;
  /** It was stopped before its request left. */
  readonly isUnsent?: boolean;
  readonly usage?: Usage;
  readonly requestId?: string;
  readonly problem?: GatewayProblem;
};

/** A question and every reply it got; see `shownReply` and `visibleTurns` for which are on screen. */
export type Turn = {
  readonly id: string;
  readonly question: string;
  readonly contexts: readonly CodeContext[];
  readonly replies: readonly Reply[];
  /** The turn it follows, `null` for a first one; without it, the one before it in the list. */
  readonly after?: string | null;
  /** The reply that was chosen to be shown; without it, the last one. */
  readonly shown?: string;
  /** The one of several turns after it that was chosen; without it, the last one. */
  readonly next?: string;
};

/** What was typed and not sent. */
export type Draft = { readonly text: string; readonly contexts: readonly CodeContext[] };

/** An earlier question as it is being written anew; sent, it stands beside that one. */
type Edit = Draft & { readonly turnId: string };

export type Conversation = {
  readonly id: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Kept apart from the first question, which may be long. */
  readonly title?: string;
  /** All of them, in the order they were asked in, whatever branch they are on. */
  readonly turns: readonly Turn[];
  /** The one of several first turns that was chosen; without it, the last one. */
  readonly first?: string;
  readonly draft: Draft;
  /** What stands in the composer instead of the draft, which waits for its end. */
  readonly edit?: Edit;
};

export const noDraft: Draft = { text: '', contexts: [] };

export function isRunning(reply: Reply): boolean {
  return reply.state === 'waiting' || reply.state === 'streaming';
}

export function runningReply(conversation: Conversation): Reply | undefined {
  return conversation.turns.flatMap((turn) => turn.replies).find(isRunning);
}

/** The newest paid call, in whichever turn it was made. */
export function lastReply(conversation: Conversation): Reply | undefined {
  const replies = conversation.turns.flatMap((turn) => turn.replies);
  return replies.reduce<Reply | undefined>(
    (last, reply) => (last && last.startedAt > reply.startedAt ? last : reply),
    undefined,
  );
}

export function titleOf({ title, turns }: Pick<Conversation, 'title' | 'turns'>): string {
  return title ?? (turns[0] ? questionTitle(turns[0]) : 'New conversation');
}

/** First words of a question, with its file where they say little by themselves. */
export function questionTitle({ question, contexts }: Pick<Turn, 'question' | 'contexts'>): string {
  const line = question.trim().split(/\r?\n/)[0] ?? '';
  const where = contexts[0]?.path.split('/').at(-1);
  const title = where && line.length < 24 ? `${line.replace(/[.:]$/, '')} · ${where}` : line;
  return title === '' ? 'New conversation' : title.length > 60 ? `${cut(title, 59)}…` : title;
}

/** The first units of a text, without half a character at their end. */
function cut(text: string, units: number): string {
  return text
    .slice(0, units)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}
