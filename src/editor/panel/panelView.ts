import { type CodeContext, estimateTokens, isCode } from '../../core/chat/context/prompt.ts';
import { shownReply, turnsBeside, visibleTurns } from '../../core/chat/conversation/branches.ts';
import { columnsOf, isUndecided, keepFirst, keptReply } from '../../core/chat/conversation/comparison.ts';
import { type Conversation, isRunning, type Reply, type Turn } from '../../core/chat/conversation/conversation.ts';
import { messagesBefore } from '../../core/chat/conversation/messagesFor.ts';
import { replyFacts, shownRequestId } from '../../core/chat/conversation/replyFacts.ts';
import { retriesOf, troubleOf } from '../../core/chat/conversation/trouble.ts';
import type { ChipView, ColumnView, ComposerView, ReplyNews, ReplyView, SwitchView, TurnView } from '../../protocol.ts';
import type { ComparedLook } from './comparedLook.ts';

/** The core's state as the panel shows it. Pure. */

/** The turns on the branch that is shown, from number `start`, counted from 0, to the one before number `end`. */
export function turnViews(conversation: Conversation, look: ComparedLook, start = 0, end?: number): TurnView[] {
  const beside = turnsBeside(conversation);
  return visibleTurns(conversation)
    .slice(start, end)
    .map((turn) => turnView(turn, beside, look))
    .filter((view) => view !== undefined);
}

/** `beside`: see `turnsBeside`. */
export function turnView(turn: Turn, beside: ReturnType<typeof turnsBeside>, look: ComparedLook): TurnView | undefined {
  const reply = shownReply(turn);
  const columns = look.isSideBySide(turn) ? columnViews(turn, look) : undefined;
  const replies = columns ? undefined : switchView(turn.replies, reply?.id);
  const questions = switchView(beside(turn.id), turn.id);
  return (
    reply && {
      ...(replies && { replies }),
      ...(questions && { questions }),
      id: turn.id,
      question: { text: turn.question, chips: turn.contexts.map((context) => chipView(context)) },
      reply: replyView(reply),
      ...(columns ? { columns } : columnsOf(turn).length > 0 && { canCompare: true as const }),
    }
  );
}

function columnViews(turn: Turn, look: ComparedLook): ColumnView[] {
  const kept = keptReply(turn);
  return columnsOf(turn).flatMap((column): ColumnView[] => {
    const reply = look.shownIn(column);
    const replies = switchView(column, reply?.id);
    const isKept = reply === kept && { isKept: true as const };
    return reply ? [{ reply: inColumn(replyView(reply)), ...(replies && { replies }), ...isKept }] : [];
  });
}

/** Going on from one of several says that it is kept. */
function inColumn(reply: ReplyView): ReplyView {
  const { trouble } = reply;
  const actions = trouble?.actions.map((each) =>
    each.action === 'continue' ? { ...each, label: 'Keep this one and continue (a new paid call)' } : each,
  );
  return trouble && actions ? { ...reply, trouble: { ...trouble, actions } } : reply;
}

function replyView(reply: Reply): ReplyView {
  return { ...replyFactsView(reply), text: reply.text, reasoning: reply.reasoning };
}

function switchView(all: readonly { readonly id: string }[], shown: string | undefined): SwitchView | undefined {
  const at = all.findIndex(({ id }) => id === shown);
  const [previous, next] = [all[at - 1]?.id, all[at + 1]?.id];
  return all.length < 2 || at < 0
    ? undefined
    : { at: at + 1, of: all.length, ...(previous !== undefined && { previous }), ...(next !== undefined && { next }) };
}

export function replyNews(reply: Reply): ReplyNews {
  return { ...replyFactsView(reply), length: reply.text.length + reply.reasoning.length };
}

export function composerView(
  conversation: Conversation,
  model: string | undefined,
  host: string | undefined,
): ComposerView {
  const { draft, edit } = conversation;
  const { text, contexts } = edit ?? draft;
  const running = conversation.turns.flatMap(({ replies }) => replies.filter(isRunning));
  const history = messagesBefore(conversation).reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const attached = contexts.reduce((sum, context) => sum + estimateTokens(context.text), 0);
  return {
    ...(model !== undefined && { model }),
    ...(host !== undefined && { host }),
    chips: contexts.map((context) => chipView(context, estimateTokens(context.text))),
    tokens: history + attached,
    draft: text,
    ...(edit && { editing: edit.turnId }),
    ...(running[0] && { runningReply: running[0].id }),
    ...(running.length > 1 && { runningReplies: running.length }),
    ...(edit === undefined && isUndecided(conversation) && { due: keepFirst }),
  };
}

function replyFactsView(reply: Reply): Omit<ReplyView, 'text' | 'reasoning'> {
  const trouble = troubleOf(reply);
  const requestId = shownRequestId(reply);
  const reasoningMs = reply.reasoning === '' ? undefined : (reply.firstTextMs ?? reply.totalMs);
  return {
    id: reply.id,
    model: reply.model,
    ...(reply.echoedModel !== undefined && { echoedModel: reply.echoedModel }),
    state: reply.state,
    startedAt: reply.startedAt,
    ...(reasoningMs !== undefined && { reasoningMs: Math.max(0, reasoningMs - (reply.firstTokenMs ?? 0)) }),
    footer: replyFacts(reply),
    ...(requestId !== undefined && { requestId }),
    ...(trouble && { trouble }),
    retries: retriesOf(reply),
  };
}

function chipView(context: CodeContext, tokens?: number): ChipView {
  const { id, kind, path, startLine, endLine, name, symbol, count } = context;
  const lines = startLine === endLine ? String(startLine) : `${startLine}–${endLine}`;
  const facts = (...before: string[]) => [...before, ...(tokens === undefined ? [] : [String(tokens)])].join(' · ');
  const file = isCode(context) ? { file: path } : {};
  switch (kind) {
    case 'selection':
      return { id, kind: 'selection', label: path, detail: facts(lines), ...file };
    case 'file':
      return { id, kind: 'file', label: path, detail: facts(), hint: `The whole file ${path}`, ...file };
    case 'symbol': {
      const label = name || symbol || 'symbol';
      return {
        id,
        kind: 'symbol',
        label,
        detail: facts(),
        hint: `${symbol ?? ''} ${label}, ${path} ${lines}`.trim(),
        ...file,
      };
    }
    case 'problems': {
      const label = count === 1 ? '1 problem' : `${count ?? ''} problems`.trim();
      return { id, kind: 'problems', label, detail: facts(), hint: `${label}, ${path} ${lines}` };
    }
    default:
      return { id, kind: 'other', label: path || 'Context', detail: facts() };
  }
}
