import type { CodeContext } from '../../../../../src/core/chat/context/prompt.ts';
import type { Conversation, Reply } from '../../../../../src/core/chat/conversation/conversation.ts';
import { type ConversationEvent, writeEvent } from '../../../../../src/core/chat/conversation/conversationRecord.ts';

/** Conversations as tests of keeping, listing and exporting them need them. */

export const context: CodeContext = {
  kind: 'selection',
  id: 'x1',
  path: 'src/area.py',
  languageId: 'python',
  startLine: 3,
  endLine: 5,
  text: 'def area(r):\n    """```not the end```"""\n    return PI * r * r\n',
};

export function replyOf(facts: Partial<Reply> = {}): Reply {
  return {
    id: 'r1',
    model: 'gpt-5.1',
    host: 'gateway.example',
    state: 'complete',
    text: 'Because.',
    reasoning: '',
    startedAt: Date.UTC(2026, 10, 2, 9, 30),
    firstTokenMs: 100,
    firstTextMs: 100,
    totalMs: 2_100,
    finishReason: 'stop',
    ...facts,
  };
}

export function conversationOf(facts: Partial<Conversation> = {}): Conversation {
  return {
    id: 'c1',
    createdAt: Date.UTC(2026, 10, 2, 9, 29),
    title: 'Why?',
    turns: [{ id: 'r1', question: 'Why?', contexts: [], replies: [replyOf()] }],
    draft: { text: '', contexts: [] },
    ...facts,
  };
}

export function fileOf(...events: ConversationEvent[]): string {
  return events.map(writeEvent).join('');
}
