import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  shownReply,
  turnBefore,
  turnsBeside,
  turnsTo,
  turnToFollow,
  visibleTurns,
} from '../../../../../src/core/chat/conversation/branches.ts';
import type { Conversation } from '../../../../../src/core/chat/conversation/conversation.ts';
import {
  type ConversationEvent,
  readConversation,
  writeEvent,
} from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { exchangesUpTo, messagesFor } from '../../../../../src/core/chat/conversation/messagesFor.ts';
import { conversationMarkdown } from '../../../../../src/core/chat/store/conversationMarkdown.ts';
import { reimported } from './storedFixture.ts';

const head: ConversationEvent = { type: 'conversation', version: 1, id: 'c', createdAt: 5 };

function asked(id: string, after?: string | null): ConversationEvent[] {
  return [{ type: 'turn', id, question: `Q${id}`, contexts: [], after }, ...answered(id, `r${id}`)];
}

function answered(turnId: string, id: string, text = `A${id}`): ConversationEvent[] {
  return [
    { type: 'reply', turnId, id, model: 'm', host: 'h', startedAt: 5 },
    { type: 'delta', replyId: id, text, reasoning: '', ms: 1 },
    { type: 'end', replyId: id, state: 'complete', totalMs: 2 },
  ];
}

const fileOf = (...events: ConversationEvent[]) => [head, ...events].map(writeEvent).join('');

function read(...events: ConversationEvent[]): Conversation {
  const { conversation, unreadLines } = readConversation('c', fileOf(...events));
  assert.equal(unreadLines, 0);
  return conversation;
}

const shown = (conversation: Conversation) => visibleTurns(conversation).map(({ id }) => id);
const contentsOf = (conversation: Conversation, turnId?: string) =>
  (turnId === undefined
    ? exchangesUpTo(conversation, turnToFollow(conversation) ?? null).flatMap(({ messages }) => messages)
    : messagesFor(conversation, turnId)
  ).map(({ content }) => content);

/** 1 → 2 → 3; 2 was edited as 4, which is followed by 5; 1 was edited as 6. */
const forked = [...asked('1'), ...asked('2'), ...asked('3'), ...asked('4', '1'), ...asked('5'), ...asked('6', null)];

test('reads a file without branches as one path of turns, as older versions do', () => {
  const conversation = read(...asked('1'), ...asked('2'), ...asked('3'));
  assert.deepEqual(shown(conversation), ['1', '2', '3']);
  assert.equal(turnsBeside(conversation)('2').length, 1);
  assert.deepEqual(contentsOf(conversation, '2'), ['Q1', 'Ar1', 'Q2']);
  assert.doesNotMatch(JSON.stringify(conversation), /"(?:after|shown|next|first)"/);
});

test('shows the newest branch at each fork until another one is chosen there', () => {
  assert.deepEqual(shown(read(...forked)), ['6']);
  const first: ConversationEvent = { type: 'chooseTurn', turnId: '1' };
  assert.deepEqual(shown(read(...forked, first)), ['1', '4', '5']);
  const second: ConversationEvent = { type: 'chooseTurn', turnId: '2' };
  assert.deepEqual(shown(read(...forked, second)), ['6'], 'the choice at a hidden fork is stored for later');
  assert.deepEqual(shown(read(...forked, second, first)), ['1', '2', '3']);
  assert.deepEqual(shown(read(...forked, second, first, ...asked('7', '1'))), ['1', '7'], 'a new turn is shown');
  assert.deepEqual(shown(read(...forked, { type: 'chooseTurn', turnId: 'gone' })), ['6']);
});

test('builds messages only from the branch of the question', () => {
  const conversation = read(...forked, { type: 'chooseTurn', turnId: '1' });
  assert.deepEqual(contentsOf(conversation), ['Q1', 'Ar1', 'Q4', 'Ar4', 'Q5', 'Ar5']);
  assert.deepEqual(contentsOf(conversation, '5'), ['Q1', 'Ar1', 'Q4', 'Ar4', 'Q5']);
  assert.deepEqual(contentsOf(conversation, '3'), ['Q1', 'Ar1', 'Q2', 'Ar2', 'Q3'], 'even if the branch is hidden');
  assert.deepEqual(contentsOf(conversation, '6'), ['Q6']);
  assert.deepEqual(contentsOf(conversation, 'gone'), []);
});

test('finds the turn before a turn, its siblings and the path to it', () => {
  const conversation = read(...forked);
  const ids = (turns: readonly { id: string }[]) => turns.map(({ id }) => id);
  assert.deepEqual(
    ['1', '4', '5', '6', 'gone'].map((id) => turnBefore(conversation, id)),
    [null, '1', '4', null, undefined],
  );
  assert.deepEqual(ids(turnsBeside(conversation)('4')), ['2', '4']);
  assert.deepEqual(ids(turnsBeside(conversation)('1')), ['1', '6']);
  assert.deepEqual(ids(turnsTo(conversation, '3')), ['1', '2', '3']);
  assert.equal(shownReply({ replies: [] }), undefined);
});

test('does not hide a branch behind a sibling question without a reply', () => {
  const torn: ConversationEvent = { type: 'turn', id: '9', question: 'Q9', contexts: [], after: '1' };
  assert.deepEqual(shown(read(...asked('1'), ...asked('2'), torn)), ['1', '2']);
});

test('reads a broken file without endless loops, and loses no answer', () => {
  const twice = read(...asked('1'), ...asked('1'), ...asked('2'));
  assert.deepEqual(shown(twice)[0], '1');
  const ahead = read(...asked('1', '2'), ...asked('2', '1'), ...asked('3', '3'));
  assert.deepEqual(shown(ahead), ['1', '2', '3']);
  const [question, answer, ...text] = asked('1');
  assert.ok(question && answer);
  const again = read(question, answer, question, ...text);
  assert.deepEqual(again.turns[0], read(...asked('1')).turns[0]);
});

test('writes lines that an older version reads as one path of turns', () => {
  const file = fileOf(...forked, { type: 'choose', replyId: 'r1' });
  const lines = file.split('\n').filter((line) => line !== '' && !line.startsWith('{"type":"choose'));
  const older = lines.map((line) => line.replace(/,"after":(?:"\w+"|null)/, '')).join('\n');
  assert.deepEqual(shown(readConversation('c', older).conversation), ['1', '2', '3', '4', '5', '6']);
});

test('exports every branch and every choice as JSON', () => {
  const conversation = read(
    ...forked,
    ...answered('1', 'x'),
    { type: 'choose', replyId: 'r1' },
    { type: 'chooseTurn', turnId: '2' },
    { type: 'chooseTurn', turnId: '1' },
    { type: 'edit', turnId: '4', text: 'Being written', contexts: [] },
  );
  assert.match(conversationMarkdown(conversation), /## Not sent\n\n> Being written\n$/);
  assert.deepEqual(reimported(conversation), conversation);
});

test('exports the shown branch as Markdown, with the number of questions on other branches', () => {
  const text = conversationMarkdown(read(...forked, { type: 'chooseTurn', turnId: '1' }));
  assert.deepEqual(text.match(/^> Q\d/gm), ['> Q1', '> Q4', '> Q5']);
  assert.match(text, /^- Questions: 3\n- Questions on other branches, not in this file: 3$/m);
});
