import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../../src/core/base/lifetime.ts';
import { emptyConversation } from '../../../../src/core/chat/conversation/conversationRecord.ts';
import { ConversationIndex } from '../../../../src/core/chat/store/conversationIndex.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

fakeVSCode(
  import.meta,
  `data:text/javascript,
  const never = () => ({ dispose() {} });
  export const window = { onDidChangeWindowState: never };
  export const workspace = { onDidChangeConfiguration: never, getConfiguration: () => ({ get: () => undefined }) };`,
);
const { ConversationsView } = await import('../../../../src/editor/conversations/conversationsView.ts');

const dayMs = 86_400_000;

test('has only the group drawn in which a conversation keeps its place, and all groups when it changes its group', async () => {
  const now = new Date(2026, 0, 10, 12).getTime();
  const times = new Map([
    ['a', now - 60_000],
    ['b', now - 120_000],
    ['c', now - dayMs],
  ]);
  const store = {
    list: async () => [...times].map(([id, changedAt]) => ({ id, changedAt, size: 1 })),
    read: async () => '',
    isLockedElsewhere: async () => false,
  };
  const index = new ConversationIndex(store, { now: () => now } as never, (id) => emptyConversation(id, 1));
  const painted: unknown[] = [];
  const tree = {
    view: { onDidChangeVisibility: () => ({ dispose: () => undefined }) },
    repaint: (row?: unknown) => painted.push(row),
  };
  const unread = new Emitter<string>();
  const marks = { has: () => false, retain: () => undefined, onDidChange: unread.event };
  const view = new ConversationsView(index, tree as never, { now: () => now }, {} as never, marks);
  assert.deepEqual(await view.getChildren(), ['group today', 'group yesterday']);
  painted.length = 0;
  index.changed('b');
  assert.deepEqual(painted.splice(0), ['group today']);
  assert.deepEqual(await view.getChildren('group today'), ['b', 'a']);
  unread.fire('c');
  assert.deepEqual(painted.splice(0), ['group yesterday']);
  index.changed('c');
  assert.deepEqual(painted.splice(0), [undefined]);
  assert.deepEqual(await view.getChildren(), ['group today']);
  assert.deepEqual(new Set(await view.getChildren('group today')), new Set(['a', 'b', 'c']));
  index.changed('new');
  assert.deepEqual(painted, [undefined]);
});
