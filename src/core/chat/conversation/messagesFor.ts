import type { ChatMessage } from '../../client/chatRequest.ts';
import { userMessage } from '../context/prompt.ts';
import { shownReply, turnsTo, visibleTurns } from './branches.ts';
import type { Conversation, Draft } from './conversation.ts';

/**
 * The ordered messages for the next reply of a turn: what was said before it on its branch, then its own question. An
 * answer is the one that is shown, or the newest with text when that has none. A turn without any answer text is left
 * out, so that questions and answers alternate; what was cut or stopped counts as said.
 *
 * @param turnId without it, what a next question would follow.
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

/** What stands in the composer as it would be sent, after what was said before it on its branch. */
export function unsentMessages(conversation: Conversation, { text, contexts }: Draft): ChatMessage[] {
  return [...messagesBefore(conversation), { role: 'user', content: userMessage(text, contexts) }];
}

/** What the question in the composer would follow: an edited one follows what the old one did. */
export function messagesBefore(conversation: Conversation): ChatMessage[] {
  const { edit } = conversation;
  return edit ? messagesFor(conversation, edit.turnId).slice(0, -1) : messagesFor(conversation);
}
