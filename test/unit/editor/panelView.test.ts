import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConversationEvent, readConversation, writeEvent } from '../../../src/core/chat/conversationRecord.ts';
import { composerView, turnViews } from '../../../src/editor/panelView.ts';

const asked = (id: string, after?: string | null): ConversationEvent => ({
  type: 'turn',
  id,
  question: 'x'.repeat(400),
  contexts: [],
  ...(after !== undefined && { after }),
});

const answered = (turnId: string, id: string): ConversationEvent[] => [
  { type: 'reply', turnId, id, model: 'm', host: 'h', startedAt: 5 },
  { type: 'delta', replyId: id, text: 'y'.repeat(400), reasoning: '', ms: 1 },
  { type: 'end', replyId: id, state: 'complete', totalMs: 2 },
];

const read = (...events: ConversationEvent[]) => readConversation('c', events.map(writeEvent).join('')).conversation;

const forked = [
  asked('1'),
  ...answered('1', 'a'),
  ...answered('1', 'b'),
  ...answered('1', 'c'),
  asked('2'),
  ...answered('2', 'd'),
  asked('3', '1'),
  ...answered('3', 'e'),
];

test('shows one branch, with the ways to what stands beside it', () => {
  const views = turnViews(read(...forked, { type: 'choose', replyId: 'b' }));
  assert.deepEqual(
    views.map(({ id, reply, replies, questions }) => [id, reply.id, replies, questions]),
    [
      ['1', 'b', { at: 2, of: 3, previous: 'a', next: 'c' }, undefined],
      ['3', 'e', undefined, { at: 2, of: 2, previous: '2' }],
    ],
  );
  const [, second] = turnViews(read(...forked, { type: 'chooseTurn', turnId: '2' }));
  assert.deepEqual([second?.id, second?.questions], ['2', { at: 1, of: 2, next: '3' }]);
});

test('counts the tokens of what is shown alone', () => {
  assert.equal(composerView(read(...forked), 'm', 'h').tokens, 400);
  const edit: ConversationEvent = { type: 'edit', turnId: '2', text: 'New', contexts: [] };
  const { tokens, draft, editing } = composerView(read(...forked, edit), 'm', 'h');
  assert.deepEqual([tokens, draft, editing], [200, 'New', '2'], 'what the edited question will follow');
});
