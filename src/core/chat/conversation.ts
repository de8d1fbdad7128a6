import type { ChatMessage } from '../gateway/chatRequest.ts';
import type { GatewayProblem } from '../gateway/gatewayProblem.ts';
import type { Usage } from '../gateway/usage.ts';
import { type CodeContext, userMessage } from './prompt.ts';

export type ReplyState = 'waiting' | 'streaming' | 'complete' | 'stopped' | 'incomplete' | 'failed';

/** One paid call and what came of it. */
export type Reply = {
  readonly id: string;
  /** Exact id of the model it was sent to. */
  readonly model: string;
  /** Host the question went to. */
  readonly host: string;
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
  readonly usage?: Usage;
  readonly requestId?: string;
  readonly problem?: GatewayProblem;
};

/** A question and every reply it got; the last one is shown. */
export type Turn = {
  readonly id: string;
  readonly question: string;
  readonly contexts: readonly CodeContext[];
  readonly replies: readonly Reply[];
};

export type Conversation = {
  readonly id: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly turns: readonly Turn[];
};

export function isRunning(reply: Reply): boolean {
  return reply.state === 'waiting' || reply.state === 'streaming';
}

export function runningReply(conversation: Conversation): Reply | undefined {
  return conversation.turns.flatMap((turn) => turn.replies).find(isRunning);
}

/** First words of the first question. */
export function titleOf(conversation: Conversation): string {
  const first = conversation.turns[0];
  const line = first?.question.trim().split(/\r?\n/)[0] ?? '';
  const where = first?.contexts[0]?.path.split('/').at(-1);
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

/**
 * The ordered messages for the next reply of a turn: what was said before it, then its own question. A turn without
 * any answer text is left out, so that questions and answers alternate; what was cut or stopped counts as said.
 */
export function messagesFor(conversation: Conversation, turnId: string): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const turn of conversation.turns) {
    const question: ChatMessage = { role: 'user', content: userMessage(turn.question, turn.contexts) };
    if (turn.id === turnId) {
      messages.push(question);
      break;
    }
    const answer = turn.replies.findLast((reply) => reply.text.trim() !== '');
    if (answer) {
      messages.push(question, { role: 'assistant', content: answer.text });
    }
  }
  return messages;
}
