import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Conversation } from '../../../../src/core/chat/conversation/conversation.ts';
import { ConversationIndex } from '../../../../src/core/chat/store/conversationIndex.ts';
import type { LazyTree } from '../../../../src/editor/ui/registrations.ts';
import { ManualClock } from '../../core/base/manualClock.ts';
import { conversationOf, fileOf, replyOf } from '../../core/chat/conversation/storedFixture.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const vscode = `data:text/javascript,
  const event = () => ({ dispose() {} });
  export const window = { onDidChangeWindowState: event };
  export const workspace = {
    onDidChangeConfiguration: event,
    getConfiguration: () => ({ get: () => true, inspect: () => undefined }),
  };
  export const TreeItemCollapsibleState = { Collapsed: 1, Expanded: 2 };
  export class TreeItem { constructor(label, state) { Object.assign(this, { label, collapsibleState: state }); } }
  export class ThemeIcon {}
  export class ThemeColor {}`;
fakeVSCode(import.meta, vscode);
const { ConversationsView } = await import('../../../../src/editor/conversations/conversationsView.ts');

const minute = 60_000;
const day = 24 * 60 * minute;

/** The list of conversations, visible in the side bar. */
class Scene {
  readonly clock = new ManualClock(new Date(2026, 10, 21, 12).getTime());
  readonly files = new Map<string, number>();
  readonly open = new Map<string, Conversation>();
  readonly index = new ConversationIndex({
    store: {
      list: async () => [...this.files].map(([id, changedAt]) => ({ id, changedAt, size: 1 })),
      read: async (id) =>
        fileOf(
          { type: 'title', text: `Title ${id}` },
          { type: 'turn', id: 'r1', question: 'Why?', contexts: [] },
          { type: 'reply', turnId: 'r1', id: 'r1', model: 'm', host: 'h', startedAt: 5 },
          { type: 'end', replyId: 'r1', state: 'complete', totalMs: 9 },
        ),
      isLockedElsewhere: async () => false,
    },
    clock: this.clock,
    live: (id) => this.open.get(id),
  });
  readonly view = new ConversationsView({
    index: this.index,
    tree: {
      view: { visible: true, onDidChangeVisibility: () => ({ dispose: () => undefined }) },
      repaint: () => undefined,
    } as unknown as LazyTree,
    clock: this.clock,
    log: { defect: () => undefined } as never,
    unread: {
      has: () => false,
      retain: () => undefined,
      onDidChange: () => ({ dispose: () => undefined }),
    },
  });

  /** The ids of the rows in each group, as VS Code reads them. */
  async rows(): Promise<(readonly [unknown, readonly string[]])[]> {
    const groups = await this.view.getChildren();
    return Promise.all(
      groups.map(async (group) => {
        const rows = await this.view.getChildren(group);
        return [
          this.view.getTreeItem(group).label,
          rows.flatMap((row) => this.view.getTreeItem(row).id ?? []),
        ] as const;
      }),
    );
  }

  change(id: string): void {
    const turns = [{ id: 'r1', question: 'Why?', contexts: [], replies: [replyOf({ state: 'complete' })] }];
    this.open.set(id, conversationOf({ id, turns }));
    this.index.changed(id);
  }
}

test('groups conversations by day, the one that changed last first', async () => {
  const scene = new Scene();
  scene.files.set('a', scene.clock.now() - 2 * 60 * minute);
  scene.files.set('b', scene.clock.now() - 3 * 60 * minute);
  scene.files.set('y', scene.clock.now() - day);
  scene.files.set('old', scene.clock.now() - 30 * day);
  scene.files.set('older', scene.clock.now() - 40 * day);
  assert.deepEqual(await scene.rows(), [
    ['Today', ['a', 'b']],
    ['Yesterday', ['y']],
    ['Older', ['old', 'older']],
  ]);
  scene.clock.pass(1);
  scene.change('old');
  assert.deepEqual((await scene.rows())[0], ['Today', ['old', 'a', 'b']]);
});
