import { type ConversationEvent, writeEvent } from '../../../src/core/chat/conversation/conversationRecord.ts';
import { section } from './longReplies.ts';

/** The last words of the last reply, which show that it is drawn. */
const lastWords = 'The last words.';

/** Returns the file of a conversation with `replies` replies, each of at least `length` UTF-16 units. */
export function storedConversation(id: string, title: string, replies: number, length: number): string {
  const events: ConversationEvent[] = [
    { type: 'conversation', version: 1, id, createdAt: 1_750_000_000_000 },
    { type: 'title', text: title },
  ];
  for (let at = 0; at < replies; at++) {
    const [turnId, replyId] = [`t${at}`, `r${at}`];
    let text = '';
    for (let seed = at; text.length < length; seed += 7) {
      text += `${section(seed)}\n`;
    }
    text = `${text.slice(0, length)}\n\n${at === replies - 1 ? lastWords : 'Done.'}`;
    const startedAt = 1_750_000_000_000 + at * 60_000;
    const usage = { promptTokens: 1_204, completionTokens: 356, totalTokens: 1_560 };
    events.push(
      { type: 'turn', id: turnId, question: `Question ${at}: why does it round twice?`, contexts: [] },
      { type: 'reply', turnId, id: replyId, model: 'mixed-25', host: '127.0.0.1', startedAt },
      { type: 'delta', replyId, text, reasoning: '', ms: 600 },
      { type: 'end', replyId, state: 'complete', totalMs: 5_000, finishReason: 'stop', usage },
    );
  }
  return events.map(writeEvent).join('');
}
