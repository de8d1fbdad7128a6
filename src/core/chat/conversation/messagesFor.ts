import * as l10n from '@vscode/l10n';
import { listText, numberText, plural } from '../../base/localization.ts';
import { replacePictures } from '../../base/pictures.ts';
import type { ChatMessage } from '../../client/gatewayClient.ts';
import { cutTo } from '../context/cutContext.ts';
import { type CodeContext, userMessage } from '../context/prompt.ts';
import { shownReply, turnsTo, visibleTurns } from './branches.ts';
import { textUpTo, withJoined } from './continued.ts';
import type { Conversation, Draft, Reply, Turn } from './conversation.ts';
import type { LeftOut } from './storedParts.ts';

/**
 * The messages for another reply to a turn, in order: the questions and answers before it on its branch, then its own
 * question. The answer of a turn is its shown reply, or the newest reply with text if the shown one has none. A turn
 * without any answer text is left out, so that questions and answers alternate. Cut and stopped answers are included.
 *
 * An earlier question has the context that was sent for that answer.
 *
 * @param turnId by default, the messages that the next question would follow.
 * @param reply what is left out of this request, and the answer that it continues.
 */
export function messagesFor(
  conversation: Conversation,
  turnId?: string,
  { leftOut, continues }: Pick<Reply, 'leftOut' | 'continues'> = {},
): ChatMessage[] {
  const messages: ChatMessage[] = [];
  const omitted = new Set(leftOut?.turns);
  for (const turn of turnId === undefined ? visibleTurns(conversation) : turnsTo(conversation, turnId)) {
    if (turn.id === turnId) {
      messages.push(questionMessage(turn, leftOut), ...(continues ? continuing(turn, continues) : []));
      break;
    }
    const answer = answerOf(turn);
    if (answer && !omitted.has(turn.id)) {
      messages.push(questionMessage(turn, answer.leftOut), { role: 'assistant', content: sentAnswer(answer) });
    }
  }
  return messages;
}

/** The answer so far, and what asks for the rest of it. */
export function continuing(turn: Turn, { replyId, question }: NonNullable<Reply['continues']>): ChatMessage[] {
  return [
    { role: 'assistant', content: sentAnswer({ text: textUpTo(turn, replyId) }) },
    { role: 'user', content: question },
  ];
}

/** The message with the question of a turn and its context. */
export function questionMessage(
  { question, contexts }: Pick<Turn, 'question' | 'contexts'>,
  leftOut: LeftOut | undefined,
): ChatMessage {
  return { role: 'user', content: userMessage(question, sentContexts(contexts, leftOut)) };
}

/** The answer that is sent for a turn. */
export function answerOf(turn: Turn): Reply | undefined {
  const answers = withJoined(turn);
  return [...answers.replies, shownReply(answers)].findLast((reply) => reply && reply.text.trim() !== '');
}

/** The text of an answer as it is sent with a later question: without data of pictures, which costs more than all else. */
export function sentAnswer({ text }: Pick<Reply, 'text'>): string {
  const named = replacePictures(text, (_, alt) => (alt === '' ? '[picture]' : `[picture: ${alt}]`));
  return named.replace(/(data:image\/[\w.+-]{1,40})[;,][^)"'\s]{100,}/g, '$1');
}

/** The messages with the system prompt before them, if there is one. */
export function withSystemPrompt(systemPrompt: string | undefined, messages: ChatMessage[]): ChatMessage[] {
  return systemPrompt === undefined ? messages : [{ role: 'system', content: systemPrompt }, ...messages];
}

/** The messages that would be sent for the content of the composer, with this system prompt. */
export function unsentMessages(
  conversation: Conversation,
  { text, contexts }: Draft,
  systemPrompt?: string,
): ChatMessage[] {
  const question: ChatMessage = { role: 'user', content: userMessage(text, contexts) };
  return withSystemPrompt(systemPrompt, [...messagesBefore(conversation), question]);
}

/** The messages that the question in the composer would follow. An edited question follows the same as the old one. */
function messagesBefore(conversation: Conversation): ChatMessage[] {
  const { edit } = conversation;
  return edit ? messagesFor(conversation, edit.turnId).slice(0, -1) : messagesFor(conversation);
}

/** The context of a question as it is sent: without what is left out, and cut to the lines that are sent. */
export function sentContexts(contexts: readonly CodeContext[], leftOut: LeftOut | undefined): readonly CodeContext[] {
  if (leftOut === undefined || leftOut.contexts.length === 0) {
    return contexts;
  }
  const changed = new Map(leftOut.contexts.map(({ id, lines }) => [id, lines]));
  return contexts.flatMap((context) => {
    const lines = changed.get(context.id);
    return lines ? [cutTo(context, lines)] : changed.has(context.id) ? [] : [context];
  });
}

/** Says what was left out of the request of a reply; undefined when nothing was. */
export function leftOutText({ leftOut }: Reply, { contexts }: Pick<Turn, 'contexts'>): string | undefined {
  if (leftOut === undefined) {
    return undefined;
  }
  const count = leftOut.turns.length;
  const turns = plural(count, l10n.t('1 earlier question'), l10n.t('{0} earlier questions', numberText(count)));
  const ofContext = leftOut.contexts.flatMap(({ id, lines }) => {
    const context = contexts.find((each) => each.id === id);
    const name = context && contextName(context);
    const sent = lines && [numberText(lines.startLine), numberText(lines.endLine)];
    return name === undefined ? [] : [sent ? l10n.t('{0} except lines {1}–{2}', name, ...sent) : name];
  });
  return l10n.t('Left out: {0}', listText([...(count > 0 ? [turns] : []), ...ofContext]));
}

/** A short name for a context: of its file or folder, or of the command. */
function contextName({ path, name }: CodeContext): string {
  return path.split('/').at(-1) || name || l10n.t('Context');
}
