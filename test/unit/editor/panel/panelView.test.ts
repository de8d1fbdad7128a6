import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepFirst } from '../../../../src/core/chat/conversation/comparison.ts';
import {
  type ConversationEvent,
  readConversation,
  readUnended,
  writeEvent,
} from '../../../../src/core/chat/conversation/conversationRecord.ts';
import {
  ComparisonLayout,
  composerView,
  lastConnection,
  shownTurns,
  switchedView,
} from '../../../../src/editor/panel/panelView.ts';
import { connectionTo } from '../../core/connections/connectionTo.ts';

const asked = (id: string, after?: string | null): ConversationEvent => ({
  type: 'turn',
  id,
  question: 'x'.repeat(400),
  contexts: [],
  after,
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

test('says on its chip that letters of a file are lost, before it is sent (kilocode#3755)', () => {
  const bytes = readFileSync(join(import.meta.dirname, '../../../fixtures/reports/60-gb2312-comment.c'));
  const chipOf = (encoding: string) => {
    const text = new TextDecoder(encoding).decode(bytes);
    const file = { kind: 'file', id: '1', path: 'a.c', languageId: 'c', startLine: 1, endLine: 9, text };
    const { conversation } = readConversation('c', '');
    return composerView({ ...conversation, draft: { text: '', contexts: [file] } }, 'm', 'h').chips[0];
  };
  const lost = chipOf('utf-8');
  assert.match(lost?.detail ?? '', /^unreadable characters · \d+ tok$/);
  assert.match(lost?.warning ?? '', /^Some characters couldn't be read\./);
  const decoded = chipOf('gb2312');
  assert.match(decoded?.detail ?? '', /^\d+ tok$/);
  assert.equal(decoded?.warning, undefined);
});

test('says before a send that a conversation was with another gateway, and finds a connection to switch back to', () => {
  const [before, now] = [connectionTo('https://h/v1'), connectionTo('https://other.example/v1')];
  const conversation = read(asked('1'), ...answered('1', 'a'));
  const text = 'Until now with h. The next question sends all of it to other.example, which charges for it.';
  assert.deepEqual(switchedView(conversation, [now, before]), { host: 'other.example', text, canSwitchBack: true });
  assert.equal(lastConnection(conversation, [now, before]), before);
  assert.deepEqual(switchedView(conversation, [now]), { host: 'other.example', text, canSwitchBack: false });
  assert.equal(switchedView(conversation, [before, now]), undefined);
  assert.equal(switchedView(conversation, []), undefined, 'Ask Model asks for a connection first');
  assert.equal(switchedView(read(asked('1')), [now, before]), undefined, 'nothing was sent yet');
  const ofKey = (id: string) => ({ ...before, id, name: `Key ${id}` });
  const [mine, ours] = [ofKey('mine'), ofKey('ours')];
  const byKey = read(asked('1'), {
    type: 'reply',
    turnId: '1',
    id: 'a',
    model: 'm',
    host: 'h',
    connection: 'mine',
    startedAt: 5,
  });
  assert.deepEqual(switchedView(byKey, [ours, mine]), {
    host: 'h',
    text: 'Until now with the key of Key mine. The next question is charged to the key of Key ours.',
    canSwitchBack: true,
  });
  assert.equal(lastConnection(byKey, [ours, mine]), mine);
  assert.equal(switchedView(byKey, [mine, ours]), undefined);
  assert.equal(switchedView(byKey, [ours]), undefined, 'the connection was removed');
});

test('shows one branch, with the ids of its previous and next replies and questions', () => {
  const views = shownTurns(read(...forked, { type: 'choose', replyId: 'b' }), new ComparisonLayout());
  assert.deepEqual(
    views.map(({ id, reply, replies, questions }) => [id, reply.id, replies, questions]),
    [
      ['1', 'b', { at: 2, of: 3, previous: 'a', next: 'c' }, undefined],
      ['3', 'e', undefined, { at: 2, of: 2, previous: '2', next: undefined }],
    ],
  );
  const [, second] = shownTurns(read(...forked, { type: 'chooseTurn', turnId: '2' }), new ComparisonLayout());
  assert.deepEqual([second?.id, second?.questions], ['2', { at: 1, of: 2, previous: undefined, next: '3' }]);
});

test('counts only the tokens of the shown branch', () => {
  assert.equal(composerView(read(...forked), 'm', 'h').tokens, 404);
  assert.equal(composerView(read(...forked), 'm', 'h', 1.5).tokenFactor, 1.5);
  assert.equal(composerView(read(...forked), 'm', 'h', 1).tokenFactor, undefined);
  const edit: ConversationEvent = { type: 'edit', turnId: '2', text: 'New', contexts: [] };
  const { tokens, draft, editing } = composerView(read(...forked, edit), 'm', 'h');
  assert.deepEqual([tokens, draft, editing], [204, 'New', '2'], 'only what precedes the edited question');
});

const column = (id: string, place: number): ConversationEvent => ({
  type: 'reply',
  turnId: '1',
  id,
  model: `m${place}`,
  host: 'h',
  startedAt: 5,
  column: place,
});
const text = (replyId: string): ConversationEvent => ({ type: 'delta', replyId, text: replyId, reasoning: '', ms: 1 });
const ended = (replyId: string, finishReason = 'stop'): ConversationEvent => ({
  type: 'end',
  replyId,
  state: 'complete',
  totalMs: 2,
  finishReason,
});
const comparison = [asked('1'), column('a', 1), column('b', 2), column('c', 3), text('a'), text('b'), ended('a')];

test('shows compared replies side by side until one is chosen, and then only that one', () => {
  const layout = new ComparisonLayout();
  const running = read(...comparison);
  const [view] = shownTurns(running, layout);
  assert.deepEqual(
    view?.columns?.map(({ reply, replies, isChosen }) => [reply.model, reply.text, replies, isChosen]),
    [
      ['m1', 'a', undefined, undefined],
      ['m2', 'b', undefined, undefined],
      ['m3', '', undefined, undefined],
    ],
  );
  assert.deepEqual([view?.replies, view?.canCompare], [undefined, undefined]);
  assert.equal(composerView(running, 'm', 'h').due, keepFirst());
  const chosen = read(...comparison, ended('b'), ended('c'), { type: 'choose', replyId: 'b' });
  const [alone] = shownTurns(chosen, layout);
  assert.deepEqual(
    [alone?.columns, alone?.canCompare, alone?.reply.text, alone?.replies],
    [undefined, true, 'b', { at: 2, of: 3, previous: 'a', next: 'c' }],
  );
  assert.equal(composerView(chosen, 'm', 'h').due, undefined);
  layout.open('1');
  const [again] = shownTurns(chosen, layout);
  assert.deepEqual(
    again?.columns?.map(({ isChosen }) => isChosen),
    [undefined, true, undefined],
  );
  assert.equal(again?.canCompare, undefined);
  layout.close('1');
  assert.equal(shownTurns(chosen, layout)[0]?.columns, undefined);
});

test('shows the newest reply of a column that was asked again, with the id of the previous one', () => {
  const layout = new ComparisonLayout();
  const again = read(...comparison, ended('b'), ended('c'), column('d', 2), text('d'), ended('d', 'length'));
  const [turn] = again.turns;
  const middle = () => shownTurns(again, layout)[0]?.columns?.[1];
  assert.deepEqual([middle()?.reply.id, middle()?.replies], ['d', { at: 2, of: 2, previous: 'b', next: undefined }]);
  assert.deepEqual(
    middle()?.reply.trouble?.actions.map(({ action, label }) => [action, label]),
    [['continue', 'Continue (New Paid Call)']],
  );
  assert.ok(turn);
  layout.choose(turn, 'b');
  assert.deepEqual([middle()?.reply.id, middle()?.replies], ['b', { at: 1, of: 2, previous: undefined, next: 'd' }]);
  layout.choose(turn, 'd');
  assert.equal(middle()?.reply.id, 'd');
});

test('counts the running replies, so that Send stops all of them', () => {
  const counts = (...events: ConversationEvent[]) => {
    const { runningReply, runningReplies } = composerView(read(...events), 'm', 'h');
    return [runningReply, runningReplies];
  };
  assert.deepEqual(counts(...comparison), [undefined, undefined], 'no reply that was read from a file is running');
  const running = readUnended('c', comparison.map(writeEvent).join('')).conversation;
  const { runningReply, runningReplies } = composerView(running, 'm', 'h');
  assert.deepEqual([runningReply, runningReplies], ['b', 2]);
});
