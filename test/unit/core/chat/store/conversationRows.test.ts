import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Conversation } from '../../../../../src/core/chat/conversation/conversation.ts';
import { conversationGroups } from '../../../../../src/core/chat/store/conversationGroups.ts';
import { ConversationIndex } from '../../../../../src/core/chat/store/conversationIndex.ts';
import { ConversationRow, ConversationRows } from '../../../../../src/core/chat/store/conversationRows.ts';
import { ManualClock } from '../../base/manualClock.ts';
import { conversationOf, fileOf, replyOf } from '../conversation/keptFixture.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A list of conversations as the side bar has it: open, and told of what changes. */
class Scene {
  readonly clock = new ManualClock(new Date(2026, 10, 21, 12).getTime());
  readonly files = new Map<string, number>();
  readonly open = new Map<string, Conversation>();
  readonly claimed = new Set<string>();
  /** Set, each text waits to be read until the test calls its turn here. */
  reads: (() => void)[] | undefined;
  readonly index = new ConversationIndex({
    store: {
      list: async () =>
        [...this.files]
          .map(([id, changedAt]) => ({ id, changedAt, size: 1 }))
          .sort((a, b) => b.changedAt - a.changedAt),
      pieces: (id) => this.#pieces(id),
      isClaimedElsewhere: async (id) => this.claimed.has(id),
    },
    clock: this.clock,
    live: (id) => this.open.get(id),
  });
  readonly rows = new ConversationRows(this.index);

  async *#pieces(id: string): AsyncGenerator<string> {
    const { reads } = this;
    if (reads) {
      await new Promise<void>((resolve) => reads.push(resolve));
    }
    const isOpenEnded = id.startsWith('open-ended');
    yield fileOf(
      { type: 'title', text: `Title ${id}` },
      { type: 'turn', id: 'r1', question: 'Why?', contexts: [] },
      { type: 'reply', turnId: 'r1', id: 'r1', model: 'm', host: 'h', startedAt: 5 },
      ...(isOpenEnded ? [] : [{ type: 'end', replyId: 'r1', state: 'complete', totalMs: 9 } as const]),
    );
  }

  /** As VS Code asks for every row of a tree that is unfolded. */
  async paint(): Promise<Map<string, ConversationRow>> {
    await this.index.look();
    const painted = new Map<string, ConversationRow>();
    for (const group of this.rows.groups(this.clock.now())) {
      for (const row of await this.rows.members(group, this.clock.now())) {
        painted.set(row.id, row);
      }
    }
    return painted;
  }

  /** This window did something in that conversation. */
  happen(id: string, state: 'streaming' | 'complete'): Promise<string[] | 'all'> {
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

/** Two of today, one of yesterday, 3,000 before that. */
function manyKept(): Scene {
  const scene = new Scene();
  scene.files.set('a', scene.clock.now() - 2 * 60 * minute);
  scene.files.set('b', scene.clock.now() - 3 * 60 * minute);
  scene.files.set('y', scene.clock.now() - day);
  for (let each = 0; each < 3_000; each++) {
    scene.files.set(`old${each}`, scene.clock.now() - 30 * day - each);
  }
  return scene;
}

test('a question in the newest of 3,000 conversations changes that row and no other', async () => {
  const scene = manyKept();
  const painted = await scene.paint();
  assert.equal(painted.size, 3_003);
  assert.deepEqual(await scene.happen('a', 'streaming'), ['a']);
  assert.equal(painted.get('a')?.summary?.state, 'running');
  assert.deepEqual(await scene.happen('a', 'complete'), ['a']);
  assert.equal(painted.get('a')?.summary?.state, 'ordinary');
  assert.deepEqual(await scene.changes(), []);
  const again = await scene.paint();
  assert.ok(
    [...again].every(([id, row]) => row === painted.get(id)),
    'the rows are the same objects',
  );
});

test('a conversation that becomes the newest changes its group, or the two it moved between', async () => {
  const scene = manyKept();
  const painted = await scene.paint();
  scene.clock.pass(1);
  assert.deepEqual(await scene.happen('b', 'complete'), ['today']);
  scene.clock.pass(1);
  assert.deepEqual(await scene.happen('old7', 'complete'), ['today', 'older']);
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
  assert.deepEqual(await scene.happen('new', 'complete'), ['today']);
  scene.files.delete('y');
  await scene.index.look();
  assert.equal(await scene.changes(), 'all', 'a group that went is none to be asked for');
});

test('of 3,000 conversations of one day a question changes less than a hundred', async () => {
  const scene = new Scene();
  for (let each = 0; each < 3_000; each++) {
    scene.files.set(`c${each}`, scene.clock.now() - each - 1);
  }
  await scene.paint();
  let asked = 0;
  let ofEarlier = 0;
  for (let question = 0; question < 100; question++) {
    scene.clock.pass(1);
    const changed = await scene.happen(`new${question}`, 'complete');
    assert.notEqual(changed, 'all');
    const [today, earlier] = scene.rows.groups(scene.clock.now());
    asked += today?.members.length ?? 0;
    ofEarlier += changed.includes('earlier') ? 1 : 0;
    assert.equal((today?.members.length ?? 0) + (earlier?.members.length ?? 0), 3_001 + question);
  }
  assert.ok(asked <= 100 * 99, String(asked));
  assert.equal(ofEarlier, 2);
});

test('keeps up to 99 of today in one group, and all of them in order', () => {
  const now = new Date(2026, 10, 21, 12).getTime();
  const groupsOf = (count: number) =>
    conversationGroups(
      Array.from({ length: count }, (_, each) => ({ id: `${each}`, changedAt: now - each, size: 1 })),
      now,
    );
  for (const [count, sizes] of [
    [99, [99]],
    [100, [50, 50]],
    [149, [99, 50]],
    [150, [50, 100]],
  ] as const) {
    const groups = groupsOf(count);
    assert.deepEqual(
      groups.map(({ entries }) => entries.length),
      sizes,
    );
    assert.deepEqual(
      groups.flatMap(({ entries }) => entries.map(({ id }) => Number(id))),
      Array.from({ length: count }, (_, each) => each),
    );
  }
  assert.deepEqual(
    groupsOf(100).map(({ name }) => name),
    ['Today', 'Earlier Today'],
  );
});

test('as time passes, only rows change that say another time', async () => {
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

test('asks again for what runs in another window, and for nothing that was never shown', async () => {
  const scene = manyKept();
  scene.files.set('open-ended', scene.clock.now() - minute);
  scene.claimed.add('open-ended');
  await scene.index.look();
  const [today] = scene.rows.groups(scene.clock.now());
  assert.ok(today);
  const [row] = await scene.rows.members(today, scene.clock.now());
  assert.equal(row?.summary?.state, 'running');
  scene.claimed.clear();
  assert.deepEqual(await scene.changes(), ['open-ended']);
  assert.equal(row?.summary?.state, 'incomplete');
  scene.files.set('old3', scene.clock.now() - 30 * day);
  await scene.index.look();
  assert.deepEqual(await scene.changes(), ['older'], 'VS Code asks for the rows of a group only when it is unfolded');
});

test('shows a new conversation as it is, though it changed while the texts of others were still being read', async () => {
  const scene = new Scene();
  const reads: (() => void)[] = [];
  scene.reads = reads;
  scene.files.set('kept', scene.clock.now() - minute);
  await scene.index.look();
  await scene.happen('new', 'streaming');
  const [today] = scene.rows.groups(scene.clock.now());
  assert.ok(today);
  const painting = scene.rows.members(today, scene.clock.now());
  scene.clock.pass(minute);
  assert.deepEqual(await scene.happen('new', 'complete'), [], 'it is not on show yet');
  assert.equal(reads.length, 1);
  reads[0]?.();
  const states = (await painting).map(({ id, summary }) => [id, summary?.state]);
  assert.deepEqual(states, [
    ['new', 'ordinary'],
    ['kept', 'ordinary'],
  ]);
  scene.clock.pass(minute);
  assert.deepEqual(await scene.happen('new', 'streaming'), ['new', 'kept'], 'from then on it is asked for again');
});

test('shows a conversation that changes on the disk while its text is read, as it is when that has come to rest', async () => {
  const scene = new Scene();
  const reads: (() => void)[] = [];
  scene.reads = reads;
  scene.files.set('kept', scene.clock.now() - minute);
  await scene.index.look();
  const [today] = scene.rows.groups(scene.clock.now());
  assert.ok(today);
  const painting = scene.rows.members(today, scene.clock.now());
  for (let round = 0; round < 3; round++) {
    scene.clock.pass(1);
    scene.files.set('kept', scene.clock.now());
    await scene.index.look();
    assert.deepEqual(await scene.changes(), []);
    assert.equal(reads.length, round + 1);
    reads[round]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  reads[3]?.();
  const [row] = await painting;
  assert.deepEqual([row?.id, row?.summary?.title, reads.length], ['kept', 'Title kept', 4]);
  assert.deepEqual(await scene.changes(), [], 'it is up to date');
});
