import type { ChatMessage } from '../../client/chatRequest.ts';
import { userMessage } from '../context/prompt.ts';
import { shownReply, turnsTo, visibleTurns } from './branches.ts';
import type { Conversation, Draft } from './conversation.ts';

/**
 * The messages for another reply to a turn, in order: the questions and answers before it on its branch, then its own
 * question. The answer of a turn is its shown reply, or the newest reply with text if the shown one has none. A turn
 * without any answer text is left out, so that questions and answers alternate. Cut and stopped answers are included.
 *
 * @param turnId by default, the messages that the next question would follow.
 */
export function messagesFor(conversation: Conversation, turnId?: string): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const turn of turnId === undefined ? visibleTurns(conversation) : turnsTo(conversation, turnId)) {
    const question: ChatMessage = { role: 'user', content: userMessage(turn.question, turn.contexts) };
    if (turn.id === turnId) {
      messages.push(question);
      break;
    }
    const answer = [...turn.replies, shownReply(turn)].findLast((reply) => reply && reply.text.trim() !== '');
    if (answer) {
      messages.push(question, { role: 'assistant', content: answer.text });
    }
  }
  return messages;
}

/** The messages that would be sent for the content of the composer. */
export function unsentMessages(conversation: Conversation, { text, contexts }: Draft): ChatMessage[] {
  return [...messagesBefore(conversation), { role: 'user', content: userMessage(text, contexts) }];
}

/** The messages that the question in the composer would follow. An edited question follows the same as the old one. */
export function messagesBefore(conversation: Conversation): ChatMessage[] {
  const { edit } = conversation;
  return edit ? messagesFor(conversation, edit.turnId).slice(0, -1) : messagesFor(conversation);
}
