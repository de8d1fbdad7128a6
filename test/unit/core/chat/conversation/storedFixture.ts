import assert from 'node:assert/strict';
import type { CodeContext } from '../../../../../src/core/chat/context/prompt.ts';
import type { Conversation, Reply } from '../../../../../src/core/chat/conversation/conversation.ts';
import {
  type ConversationEvent,
  readConversation,
  writeEvent,
} from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { ConversationIndex, type summaryOf } from '../../../../../src/core/chat/store/conversationIndex.ts';
import { conversationsJson, importConversations } from '../../../../../src/core/chat/store/conversationJson.ts';
import { ManualClock } from '../../base/manualClock.ts';

/** Conversations for tests that store, list and export them. */

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

/** The summary of a stored text. @param isElsewhere whether another window holds its lock. */
export async function summaryIn(text: string, isElsewhere = false): Promise<ReturnType<typeof summaryOf>> {
  const store = {
    list: async () => [{ id: 'c1', changedAt: 5, size: text.length }],
    read: async () => text,
    isLockedElsewhere: async () => isElsewhere,
  };
  const index = new ConversationIndex(store, new ManualClock(), () => undefined);
  await index.refresh();
  const [listed] = await index.listed(['c1']);
  const { id: _, changedAt: __, size: ___, ...summary } = listed ?? assert.fail('It is not listed');
  return summary;
}

/** What is read of a conversation that was exported and imported. */
export function reimported(conversation: Conversation): Conversation {
  const imported = importConversations(conversationsJson([conversation]));
  assert.ok(typeof imported !== 'string');
  const read = readConversation(conversation.id, imported[0]?.text ?? '');
  assert.equal(read.unreadLines, 0);
  return read.conversation;
}
