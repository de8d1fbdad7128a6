import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeAgo } from '../../../../../src/core/base/timeAgo.ts';
import type { Conversation, Reply } from '../../../../../src/core/chat/conversation/conversation.ts';
import type { ConversationEvent } from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { ConversationIndex, dayGroupOf, summaryOf } from '../../../../../src/core/chat/store/conversationIndex.ts';
import type { StoredConversation } from '../../../../../src/core/chat/store/conversationStore.ts';
import { ManualClock } from '../../base/manualClock.ts';
import { context, conversationOf, fileOf, replyOf, summaryIn } from '../conversation/storedFixture.ts';

const turn: ConversationEvent = {
  type: 'turn',
  id: 'r1',
  question: 'Why is it so slow?\nReally.',
  contexts: [context],
};
const reply: ConversationEvent = { type: 'reply', turnId: 'r1', id: 'r1', model: 'm1', host: 'h', startedAt: 5 };
const delta: ConversationEvent = {
  type: 'delta',
  replyId: 'r1',
  text: '{"type":"title","text":"no"}\n',
  reasoning: '',
  ms: 1,
};
const end: ConversationEvent = { type: 'end', replyId: 'r1', state: 'complete', totalMs: 9 };
const begin: ConversationEvent = { type: 'conversation', version: 1, id: 'c1', createdAt: 7 };
const title = (text: string): ConversationEvent => ({ type: 'title', text });

test('makes the same summary from the text of a conversation and from memory', async () => {
  assert.deepEqual(await summaryIn(fileOf(begin, title('First'), turn, reply, delta, end, title('Renamed'))), {
    title: 'Renamed',
    lastModel: 'm1',
    lastHost: 'h',
    state: 'ordinary',
  });
  assert.equal((await summaryIn(fileOf(begin, turn, reply, end))).title, 'Why is it so slow? · area.py');
  assert.deepEqual(summaryOf(conversationOf()), {
    title: 'Why?',
    lastModel: 'gpt-5.1',
    lastHost: 'gateway.example',
    state: 'ordinary',
  });
});

test('shows only the state of the last call', async () => {
  const again: ConversationEvent = { ...reply, id: 'r2', model: 'm2', startedAt: 20 };
  const failed: ConversationEvent = { ...end, replyId: 'r2', state: 'failed', problem: { kind: 'cut' } };
  assert.equal((await summaryIn(fileOf(begin, turn, reply, end, again))).state, 'incomplete');
  assert.equal((await summaryIn(fileOf(begin, turn, reply, end, again, failed))).state, 'failed');
  assert.equal((await summaryIn(fileOf(begin, turn, reply, end, again, failed))).lastModel, 'm2');
  assert.equal((await summaryIn(fileOf(begin, turn, reply, { ...end, state: 'stopped' }))).state, 'ordinary');
  for (const [state, shown] of [
    ['failed', 'failed'],
    ['incomplete', 'incomplete'],
    ['waiting', 'running'],
    ['streaming', 'running'],
  ] as const) {
    const turns = [{ id: 't', question: 'q', contexts: [], replies: [replyOf({ state })] }];
    assert.equal(summaryOf(conversationOf({ turns })).state, shown);
  }
});

test('shows a comparison as failed only when none of its models has answered', () => {
  const stateOf = (...states: readonly Reply['state'][]) => {
    const replies = states.map((state, column) => replyOf({ id: `r${column}`, column, startedAt: column, state }));
    return summaryOf(conversationOf({ turns: [{ id: 't', question: 'q', contexts: [], replies }] })).state;
  };
  assert.equal(stateOf('complete', 'failed'), 'ordinary');
  assert.equal(stateOf('incomplete', 'failed'), 'failed');
  assert.equal(stateOf('streaming', 'failed'), 'running');
});

test('names an unsent conversation by its draft', async () => {
  const draft: ConversationEvent = { type: 'draft', text: 'How do I', contexts: [] };
  assert.deepEqual(await summaryIn(fileOf(begin, draft)), {
    title: 'How do I',
    state: 'unsent',
  });
  assert.equal(
    summaryOf({ id: 'c1', createdAt: 7, turns: [], draft: { text: 'How do I', contexts: [] } }).title,
    'How do I',
  );
  assert.equal((await summaryIn('')).title, 'New Conversation');
});

test('skips lines that are cut, unknown or invalid', async () => {
  const text = `${fileOf(begin)}{"type":"title","text":"ha\n{"type":"later"}\nnull\n[1]\n\n${fileOf(title('Good'), turn, reply)}{"type":"end","re`;
  assert.deepEqual(await summaryIn(text), {
    title: 'Good',
    lastModel: 'm1',
    lastHost: 'h',
    state: 'incomplete',
  });
  assert.equal((await summaryIn('{"type":"turn","id":1,"question":5,"contexts":"no"}\n')).title, 'New Conversation');
});

class Scene {
  readonly clock = new ManualClock();
  readonly files = new Map<string, { text: string; changedAt: number }>();
  readonly open = new Map<string, Conversation>();
  readonly locked = new Set<string>();
  readonly reads: string[] = [];
  reading = 0;
  mostReading = 0;
  changes = 0;
  list = async (): Promise<readonly StoredConversation[]> =>
    [...this.files]
      .map(([id, { text, changedAt }]) => ({ id, changedAt, size: text.length }))
      .sort((a, b) => b.changedAt - a.changedAt);
  readonly index = new ConversationIndex(
    {
      list: () => this.list(),
      read: (id) => this.read(id),
      isLockedElsewhere: async (id) => this.locked.has(id),
    },
    this.clock,
    (id) => this.open.get(id),
  );

  constructor() {
    this.index.onDidChange(() => this.changes++);
  }

  write(id: string, changedAt: number, text = fileOf(begin, title(`Title ${id}`), turn, reply, end)): void {
    this.files.set(id, { text, changedAt });
  }

  async read(id: string): Promise<string | undefined> {
    this.reads.push(id);
    this.mostReading = Math.max(this.mostReading, ++this.reading);
    await Promise.resolve();
    this.reading--;
    const text = this.files.get(id)?.text;
    if (text === 'unreadable') {
      throw new Error('EACCES');
    }
    return text;
  }

  async titles(): Promise<string[]> {
    const { entries } = this.index;
    return (await this.index.listed(entries.map(({ id }) => id))).map((summary) => summary.title);
  }
}

test('reads a text when its summary is needed, and again only after it changed', async () => {
  const scene = new Scene();
  scene.write('a', 100);
  scene.write('b', 200);
  assert.equal(scene.index.hasRefreshed, false);
  await Promise.all([scene.index.refresh(), scene.index.refresh()]);
  assert.equal(scene.index.hasRefreshed, true);
  assert.equal(scene.changes, 1);
  assert.deepEqual(scene.reads, []);
  assert.deepEqual(await scene.titles(), ['Title b', 'Title a']);
  await scene.titles();
  await scene.index.refresh();
  await scene.titles();
  assert.deepEqual(scene.reads, ['b', 'a']);
  assert.equal(scene.changes, 1, 'fires only when something changed');
  scene.write('a', 300, fileOf(begin, title('Other'), turn));
  await scene.index.refresh();
  assert.deepEqual(await scene.titles(), ['Other', 'Title b']);
  assert.deepEqual(scene.reads, ['b', 'a', 'a']);
  assert.equal(scene.changes, 2);
});

test('reads no text to list 2,000 conversations, and each once for its summary, few at a time', async () => {
  const scene = new Scene();
  const ids = Array.from({ length: 2_000 }, (_, index) => `c${index}`);
  for (const id of ids) {
    scene.write(id, 100);
  }
  await scene.index.refresh();
  assert.deepEqual([scene.index.entries.length, scene.reads], [2_000, []]);
  assert.equal((await scene.titles()).length, 2_000);
  assert.deepEqual(scene.reads.toSorted(), ids.toSorted());
  assert.ok(scene.mostReading <= 6, `${scene.mostReading} texts at once`);
});

test('lists changes by this window at once, without reading the store', async () => {
  const scene = new Scene();
  scene.write('a', 100);
  await scene.index.refresh();
  const live = conversationOf({ id: 'n', title: 'New' });
  scene.index.changed('n');
  assert.equal(scene.changes, 1, 'it is neither listed nor open');
  scene.open.set('n', live);
  scene.index.changed('n');
  assert.deepEqual(
    scene.index.entries.map(({ id, changedAt }) => [id, changedAt]),
    [
      ['n', 1_000_000],
      ['a', 100],
    ],
  );
  assert.deepEqual(await scene.titles(), ['New', 'Title a']);
  assert.deepEqual(scene.reads, ['a']);
  await scene.index.refresh();
  assert.deepEqual(
    scene.index.entries.map(({ id }) => id),
    ['n', 'a'],
    'its first line may not be on disk yet',
  );
  scene.open.delete('n');
  scene.clock.pass(5);
  await scene.index.refresh();
  assert.deepEqual(
    scene.index.entries.map(({ id }) => id),
    ['a'],
  );
});

test('removes what another window deleted, and keeps its entries when the store fails', async () => {
  const scene = new Scene();
  scene.write('a', 100);
  scene.write('b', 200);
  await scene.index.refresh();
  scene.files.delete('b');
  const { list } = scene;
  scene.list = async () => {
    throw new Error('EIO');
  };
  await assert.rejects(scene.index.refresh(), /EIO/);
  assert.equal(scene.index.entries.length, 2);
  scene.list = list;
  await scene.index.refresh();
  assert.deepEqual(
    scene.index.entries.map(({ id }) => id),
    ['a'],
  );
  assert.deepEqual(await scene.index.listed(['b']), []);
});

test('distinguishes a reply arriving in another window from an interrupted one, checking each time', async () => {
  const scene = new Scene();
  scene.write('a', 100, fileOf(begin, title('T'), turn, reply));
  await scene.index.refresh();
  scene.locked.add('a');
  assert.equal((await scene.index.listed(['a']))[0]?.state, 'running');
  scene.locked.clear();
  assert.equal((await scene.index.listed(['a']))[0]?.state, 'incomplete');
});

test('lists a conversation that can’t be read, and tries again', async () => {
  const scene = new Scene();
  scene.write('a', 100, 'unreadable');
  await scene.index.refresh();
  assert.deepEqual(await scene.titles(), ["Couldn't read this conversation"]);
  scene.files.set('a', { text: fileOf(title('Now')), changedAt: 100 });
  assert.deepEqual(await scene.titles(), ['Now']);
});

test('groups by days in the local time zone', () => {
  const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts).getTime();
  const now = at(2026, 10, 21, 12);
  const entry = (id: string, changedAt: number) => ({ id, changedAt, size: 1 });
  const days = [
    entry('future', now + 5_000),
    entry('now', now),
    entry('midnight', at(2026, 10, 21)),
    entry('last night', at(2026, 10, 20, 23, 59)),
    entry('yesterday', at(2026, 10, 20)),
    entry('week', at(2026, 10, 14)),
    entry('older', at(2026, 10, 13, 23, 59)),
  ].map((each) => [each.id, dayGroupOf(each, now)]);
  assert.deepEqual(days, [
    ['future', 'today'],
    ['now', 'today'],
    ['midnight', 'today'],
    ['last night', 'yesterday'],
    ['yesterday', 'yesterday'],
    ['week', 'week'],
    ['older', 'older'],
  ]);
});

test('formats an age in a few words', () => {
  const now = new Date(2026, 10, 21, 12).getTime();
  const minute = 60_000;
  const cases: [number, string][] = [
    [-5_000, 'just now'],
    [59_999, 'just now'],
    [minute, '1 minute ago'],
    [59 * minute, '59 minutes ago'],
    [60 * minute, '1 hour ago'],
    [24 * 60 * minute, '1 day ago'],
    [3 * 24 * 60 * minute, '3 days ago'],
    [60 * 24 * 60 * minute, 'Sep 22, 2026'],
  ];
  for (const [ms, words] of cases) {
    assert.equal(timeAgo(now - ms, now), words);
  }
});
