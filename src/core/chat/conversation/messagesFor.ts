import * as l10n from '@vscode/l10n';
import { listText, plural } from '../../base/localization.ts';
import { replacePictures } from '../../base/pictures.ts';
import type { ChatMessage } from '../../client/gatewayClient.ts';
import { contextName } from '../context/contextText.ts';
import { type CodeContext, userMessage } from '../context/prompt.ts';
import { shownReply, turnBefore, turnsTo, turnToFollow } from './branches.ts';
import { textUpTo, withJoined } from './continued.ts';
import type { Conversation, Draft, Reply, Turn } from './conversation.ts';
import type { LeftOut } from './storedParts.ts';

/** An earlier question and its answer, as they are sent. */
type Exchange = { readonly turn: Turn; readonly messages: readonly ChatMessage[] };

/**
 * The questions and answers that are sent before a question, in order. The answer of a turn is its shown reply, or the
 * newest reply with text if the shown one has none. A turn without any answer text is left out, so that questions and
 * answers alternate. Cut and stopped answers are included. A question has the context that was sent for that answer.
 *
 * @param after id of the turn that the question follows; `null` for a first question.
 */
export function exchangesUpTo(conversation: Conversation, after: string | null): Exchange[] {
  return (after === null ? [] : turnsTo(conversation, after)).flatMap((turn): Exchange[] => {
    const answer = answerOf(turn);
    const messages = (of: Reply): ChatMessage[] => [
      questionMessage(turn, of.leftOut),
      { role: 'assistant', content: sentAnswer(of) },
    ];
    return answer ? [{ turn, messages: messages(answer) }] : [];
  });
}

/**
 * The messages for another reply to a turn, in order.
 *
 * @param reply what is left out of this request, and the answer that it continues.
 */
export function messagesFor(
  conversation: Conversation,
  turnId: string,
  { leftOut, continues }: Pick<Reply, 'leftOut' | 'continues'> = {},
): ChatMessage[] {
  const turn = conversation.turns.find(({ id }) => id === turnId);
  const earlier = exchangesUpTo(conversation, turnBefore(conversation, turnId) ?? null);
  const omitted = new Set(leftOut?.turns);
  const sent = earlier.flatMap((each) => (omitted.has(each.turn.id) ? [] : each.messages));
  return turn ? [...sent, questionMessage(turn, leftOut), ...(continues ? continuing(turn, continues) : [])] : [];
}

/** The answer so far, and what asks for the rest of it. */
export function continuing(turn: Turn, { replyId, question }: NonNullable<Reply['continues']>): ChatMessage[] {
  return [
    { role: 'assistant', content: sentAnswer({ text: textUpTo(turn, replyId) }) },
    { role: 'user', content: question },
  ];
}

/** The message with the question of a turn and its context. */
function questionMessage(
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
function sentAnswer({ text }: Pick<Reply, 'text'>): string {
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
  const after = turnToFollow(conversation, conversation.edit?.turnId) ?? null;
  const earlier = exchangesUpTo(conversation, after).flatMap(({ messages }) => messages);
  return withSystemPrompt(systemPrompt, [...earlier, { role: 'user', content: userMessage(text, contexts) }]);
}

/** The context of a question as it is sent: without what is left out. */
export function sentContexts(contexts: readonly CodeContext[], leftOut: LeftOut | undefined): readonly CodeContext[] {
  return contexts.filter((context) => !leftOut?.contexts.some(({ id }) => id === context.id));
}

/** Says what was left out of the request of a reply; undefined when nothing was. */
export function leftOutText({ leftOut }: Reply, { contexts }: Pick<Turn, 'contexts'>): string | undefined {
  if (leftOut === undefined) {
    return undefined;
  }
  const count = leftOut.turns.length;
  const turns = plural(count, l10n.t('1 earlier question'), l10n.t('{0} earlier questions'));
  const ofContext = leftOut.contexts.flatMap(({ id }) => contexts.filter((each) => each.id === id).map(contextName));
  return l10n.t('Left out: {0}', listText([...(count > 0 ? [turns] : []), ...ofContext]));
}
