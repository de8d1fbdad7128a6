import * as l10n from '@vscode/l10n';
import { shortLine } from '../../base/shortLine.ts';
import type { RequestParameters } from '../../connections/questionDefaults.ts';
import type { GatewayProblem } from '../../errors/gatewayProblem.ts';
import type { Source } from '../../reply/sources.ts';
import type { Usage } from '../../reply/usage.ts';
import type { CodeContext } from '../context/prompt.ts';
import type { EndedReply, SentReply } from './storedParts.ts';

/** One paid call and its result. */
export type Reply = SentReply &
  Partial<Omit<EndedReply, 'state' | 'sources' | 'usage'>> & {
    /** `waiting` and `streaming` are still running; the other four are final. */
    readonly state: 'waiting' | 'streaming' | EndedReply['state'];
    /** The replies of the calls that were joined in this one. */
    readonly parts?: readonly Reply[];
    readonly text: string;
    readonly reasoning: string;
    /** Milliseconds since `startedAt`, as in the next one. */
    readonly firstTokenMs?: number;
    readonly firstTextMs?: number;
    readonly sources?: readonly Source[];
    readonly usage?: Usage;
    readonly problem?: GatewayProblem;
  };

/** A question and all its replies. `shownReply` and `visibleTurns` select what is shown. */
export type Turn = {
  readonly id: string;
  readonly question: string;
  readonly contexts: readonly CodeContext[];
  readonly replies: readonly Reply[];
  /** Id of the turn it follows, `null` for a first turn; by default the turn before it in the list. */
  readonly after?: string | null;
  /** Id of the reply that was chosen to be shown; by default the last one. */
  readonly shown?: string;
  /** Id of the turn that was chosen among several that follow; by default the last one. */
  readonly next?: string;
};

/** What was typed but not sent. */
export type Draft = { readonly text: string; readonly contexts: readonly CodeContext[] };

/** An earlier question that is being edited. Sending it adds a sibling to that turn. */
type Edit = Draft & { readonly turnId: string };

export type Conversation = {
  readonly id: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Stored separately from the first question, which may be long. */
  readonly title?: string;
  /** All turns of all branches, in the order they were asked in. */
  readonly turns: readonly Turn[];
  /** Id of the turn that was chosen among several first turns; by default the last one. */
  readonly first?: string;
  /** The person's system prompt for this conversation. Absent: that of the model or the connection. Empty: none is sent. */
  readonly systemPrompt?: string;
  /** The parameters that the person set for this conversation; the others are those of the model or the connection. */
  readonly parameters?: RequestParameters;
  readonly draft: Draft;
  /** The content of the composer instead of the draft, until the editing ends. */
  readonly edit?: Edit;
};

export const noDraft: Draft = { text: '', contexts: [] };

export function isRunning(reply: Pick<Reply, 'state'>): boolean {
  return reply.state === 'waiting' || reply.state === 'streaming';
}

/** The newest paid call in all turns. */
export function lastReply(conversation: Conversation): Reply | undefined {
  const replies = conversation.turns.flatMap((turn) => turn.replies);
  return replies.sort((one, other) => one.startedAt - other.startedAt).at(-1);
}

export function titleOf({ title, turns }: Pick<Conversation, 'title' | 'turns'>): string {
  return (title ?? (turns[0] ? questionTitle(turns[0]) : '')) || l10n.t('New Conversation');
}

/**
 * A title from the first line of a question that has words and isn't the fence of a code block; empty for a blank
 * question. A short line gets the name of the first context's file added.
 */
export function questionTitle({
  question,
  contexts,
}: Pick<Turn, 'question'> & { readonly contexts: readonly Pick<CodeContext, 'path'>[] }): string {
  const lines = question.trim().split(/\r?\n/);
  const line = (lines.find((each) => /^(?!\s*(?:`{3,}|~~~)[^`]*$).*[\p{L}\p{N}]/u.test(each)) ?? lines[0] ?? '').trim();
  const where = contexts[0]?.path.split('/').at(-1);
  const title = where && line.length < 24 ? `${line.replace(/[.:。：]$/, '')} · ${where}` : line;
  return shortLine(title);
}
