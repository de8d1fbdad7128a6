import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Conversation } from '../../../../../src/core/chat/conversation/conversation.ts';
import { ConversationIndex } from '../../../../../src/core/chat/store/conversationIndex.ts';
import { ConversationRow, ConversationRows } from '../../../../../src/core/chat/store/conversationRows.ts';
import { ManualClock } from '../../base/manualClock.ts';
import { conversationOf, fileOf, replyOf } from '../conversation/storedFixture.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A list of conversations as in the side bar: visible, and notified of changes. */
class Scene {
  readonly clock = new ManualClock(new Date(2026, 10, 21, 12).getTime());
  readonly files = new Map<string, number>();
  readonly open = new Map<string, Conversation>();
  readonly locked = new Set<string>();
  /** When set, each read waits until the test calls its function here. */
  reads: (() => void)[] | undefined;
  readonly index = new ConversationIndex({
    store: {
      list: async () =>
        [...this.files]
          .map(([id, changedAt]) => ({ id, changedAt, size: 1 }))
          .sort((a, b) => b.changedAt - a.changedAt),
      read: (id) => this.#read(id),
      isLockedElsewhere: async (id) => this.locked.has(id),
    },
    clock: this.clock,
    live: (id) => this.open.get(id),
  });
  readonly rows = new ConversationRows(this.index);

  async #read(id: string): Promise<string> {
    const { reads } = this;
    if (reads) {
      await new Promise<void>((resolve) => reads.push(resolve));
    }
    const isOpenEnded = id.startsWith('open-ended');
    return fileOf(
      { type: 'title', text: `Title ${id}` },
      { type: 'turn', id: 'r1', question: 'Why?', contexts: [] },
      { type: 'reply', turnId: 'r1', id: 'r1', model: 'm', host: 'h', startedAt: 5 },
      ...(isOpenEnded ? [] : [{ type: 'end', replyId: 'r1', state: 'complete', totalMs: 9 } as const]),
    );
  }

  /** Reads every row, as VS Code does for an expanded tree. */
  async paint(): Promise<Map<string, ConversationRow>> {
    await this.index.refresh();
    const painted = new Map<string, ConversationRow>();
    for (const group of this.rows.groups(this.clock.now())) {
      for (const row of await this.rows.members(group, this.clock.now())) {
        painted.set(row.id, row);
      }
    }
    return painted;
  }

  /** Changes a conversation in this window. @returns the rows that changed. */
  change(id: string, state: 'streaming' | 'complete'): Promise<string[] | 'all'> {
    const turns = [{ id: 'r1', question: 'Why?', contexts: [], replies: [replyOf({ state })] }];
    this.open.set(id, conversationOf({ id, turns }));
    this.index.changed(id);
    return this.changes();
  }

  async changes(): Promise<string[] | 'all'> {
    const changed = await this.rows.changes(this.clock.now());
    return changed === 'all' ? changed : changed.map((row) => (row instanceof ConversationRow ? row.id : row.key));
  }
}

/** Two conversations of today, one of yesterday, and 3,000 older ones. */
function manyStored(): Scene {
  const scene = new Scene();
  scene.files.set('a', scene.clock.now() - 2 * 60 * minute);
  scene.files.set('b', scene.clock.now() - 3 * 60 * minute);
  scene.files.set('y', scene.clock.now() - day);
  for (let each = 0; each < 3_000; each++) {
    scene.files.set(`old${each}`, scene.clock.now() - 30 * day - each);
  }
  return scene;
}

test('changes only the row of the newest of 3,000 conversations when a question is asked in it', async () => {
  const scene = manyStored();
  const painted = await scene.paint();
  assert.equal(painted.size, 3_003);
  assert.deepEqual(await scene.change('a', 'streaming'), ['a']);
  assert.equal(painted.get('a')?.summary?.state, 'running');
  assert.deepEqual(await scene.change('a', 'complete'), ['a']);
  assert.equal(painted.get('a')?.summary?.state, 'ordinary');
  assert.deepEqual(await scene.changes(), []);
  const again = await scene.paint();
  assert.ok(
    [...again].every(([id, row]) => row === painted.get(id)),
    'the rows are the same objects',
  );
});

test('changes the group of a conversation that becomes the newest, or the two groups it moves between', async () => {
  const scene = manyStored();
  const painted = await scene.paint();
  scene.clock.pass(1);
  assert.deepEqual(await scene.change('b', 'complete'), ['today']);
  scene.clock.pass(1);
  assert.deepEqual(await scene.change('old7', 'complete'), ['today', 'older']);
  const [today] = scene.rows.groups(scene.clock.now());
  assert.ok(today);
  const members = await scene.rows.members(today, scene.clock.now());
  assert.deepEqual(
    members.map(({ id }) => id),
    ['old7', 'b', 'a'],
  );
  assert.equal(
    members.find(({ id }) => id === 'old7'),
    painted.get('old7'),
    'it is the same object in its new group',
  );
  scene.clock.pass(1);
  assert.deepEqual(await scene.change('new', 'complete'), ['today']);
  scene.files.delete('y');
  await scene.index.refresh();
  assert.equal(await scene.changes(), 'all', 'a removed group can’t be refreshed');
});

test('changes only the rows whose age reads differently as time passes', async () => {
  const scene = new Scene();
  scene.files.set('minutes', scene.clock.now() - 5 * minute);
  scene.files.set('hours', scene.clock.now() - 5 * 60 * minute - 1);
  scene.files.set('days', scene.clock.now() - 3 * day);
  await scene.paint();
  scene.clock.pass(minute);
  assert.deepEqual(await scene.changes(), ['minutes']);
  assert.deepEqual(await scene.changes(), []);
  scene.clock.pass(12 * 60 * minute);
  assert.equal(await scene.changes(), 'all', 'it is another day');
});

test('refreshes a row whose reply is arriving in another window, and no row that was never shown', async () => {
  const scene = manyStored();
  scene.files.set('open-ended', scene.clock.now() - minute);
  scene.locked.add('open-ended');
  await scene.index.refresh();
  const [today] = scene.rows.groups(scene.clock.now());
  assert.ok(today);
  const [row] = await scene.rows.members(today, scene.clock.now());
  assert.equal(row?.summary?.state, 'running');
  scene.locked.clear();
  assert.deepEqual(await scene.changes(), ['open-ended']);
  assert.equal(row?.summary?.state, 'incomplete');
  scene.files.set('old3', scene.clock.now() - 30 * day);
  await scene.index.refresh();
  assert.deepEqual(await scene.changes(), ['older'], 'VS Code asks for the rows of a group only when it is unfolded');
});

test('shows the last state of a conversation that changes on disk while its text is being read', async () => {
  const scene = new Scene();
  const reads: (() => void)[] = [];
  scene.reads = reads;
  scene.files.set('stored', scene.clock.now() - minute);
  await scene.index.refresh();
  const [today] = scene.rows.groups(scene.clock.now());
  assert.ok(today);
  const painting = scene.rows.members(today, scene.clock.now());
  for (let round = 0; round < 3; round++) {
    scene.clock.pass(1);
    scene.files.set('stored', scene.clock.now());
    await scene.index.refresh();
    assert.deepEqual(await scene.changes(), []);
    assert.equal(reads.length, round + 1);
    reads[round]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  reads[3]?.();
  const [row] = await painting;
  assert.deepEqual([row?.id, row?.summary?.title, reads.length], ['stored', 'Title stored', 4]);
  assert.deepEqual(await scene.changes(), [], 'it is up to date');
});
