import { type Conversation, messagesFor, type Reply, runningReply, type Turn } from '../core/chat/conversation.ts';
import { type CodeContext, estimateTokens } from '../core/chat/prompt.ts';
import { replyFacts } from '../core/chat/replyFacts.ts';
import { troubleOf } from '../core/chat/trouble.ts';
import type { ChipView, ComposerView, ReplyNews, ReplyView, TurnView } from '../protocol.ts';

/** The core's state as the panel shows it. Pure. */

export function turnView(turn: Turn): TurnView | undefined {
  const reply = turn.replies.at(-1);
  return (
    reply && {
      id: turn.id,
      question: { text: turn.question, chips: turn.contexts.map((context) => chipView(context)) },
      reply: { ...replyFactsView(reply), text: reply.text, reasoning: reply.reasoning },
    }
  );
}

export function replyNews(reply: Reply): ReplyNews {
  return { ...replyFactsView(reply), length: reply.text.length + reply.reasoning.length };
}

export function composerView(
  conversation: Conversation,
  model: string | undefined,
  host: string | undefined,
): ComposerView {
  const { text, contexts } = conversation.draft;
  const running = runningReply(conversation);
  // No turn has this id, so these are all messages that a next question would follow.
  const history = messagesFor(conversation, '').reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const attached = contexts.reduce((sum, context) => sum + estimateTokens(context.text), 0);
  return {
    ...(model !== undefined && { model }),
    ...(host !== undefined && { host }),
    chips: contexts.map((context) => chipView(context, estimateTokens(context.text))),
    tokens: history + attached,
    draft: text,
    ...(running && { runningReply: running.id }),
  };
}

function replyFactsView(reply: Reply): Omit<ReplyView, 'text' | 'reasoning'> {
  const trouble = troubleOf(reply);
  const reasoningMs = reply.reasoning === '' ? undefined : (reply.firstTextMs ?? reply.totalMs);
  return {
    id: reply.id,
    model: reply.model,
    ...(reply.echoedModel !== undefined && { echoedModel: reply.echoedModel }),
    state: reply.state,
    startedAt: reply.startedAt,
    ...(reasoningMs !== undefined && { reasoningMs: Math.max(0, reasoningMs - (reply.firstTokenMs ?? 0)) }),
    footer: replyFacts(reply),
    ...(trouble && { trouble }),
  };
}

function chipView({ id, kind, path, startLine, endLine }: CodeContext, tokens?: number): ChipView {
  const lines = startLine === endLine ? String(startLine) : `${startLine}–${endLine}`;
  return { id, kind, label: path, detail: tokens === undefined ? lines : `${lines} · ${tokens}` };
}
