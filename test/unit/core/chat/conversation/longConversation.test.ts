import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleTurns } from '../../../../../src/core/chat/conversation/branches.ts';
import {
  type ConversationEvent,
  readConversation,
  writeEvent,
} from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { messagesFor } from '../../../../../src/core/chat/conversation/messagesFor.ts';
import { sentMessages } from '../../../../../src/core/chat/conversation/requestDocument.ts';
import { proposedLeftOut, requestParts, tokensOf } from '../../../../../src/core/chat/conversation/requestParts.ts';
import { conversationsJson, importConversations } from '../../../../../src/core/chat/store/conversationJson.ts';
import { conversationMarkdown } from '../../../../../src/core/chat/store/conversationMarkdown.ts';
import { ComparisonLayout, composerView, turnViews } from '../../../../../src/editor/panel/panelView.ts';
import { cpuMs } from '../../base/cpuMs.ts';

/** More turns than a real conversation has, to detect code whose time grows with their square. */
const turns = 6_000;
/** Four times the turns may take this many times as long. It would be sixteen if the time grew with their square. */
const maxGrowth = 8;

/** A question with its complete reply. */
function asked(at: number, after?: string | null): ConversationEvent[] {
  return [{ type: 'turn', id: `t${at}`, question: `Question ${at}?`, contexts: [], after }, ...replied(at, `t${at}`)];
}

function replied(at: number, turnId: string): ConversationEvent[] {
  const replyId = `r${at}`;
  return [
    { type: 'reply', turnId, id: replyId, model: 'm', host: 'h', startedAt: at },
    { type: 'delta', replyId, text: 'An answer of ', reasoning: '', ms: 5 },
    { type: 'delta', replyId, text: 'some words.', reasoning: '', ms: 6 },
    { type: 'end', replyId, state: 'complete', totalMs: 10 },
  ];
}

type Shape = (count: number) => ConversationEvent[];

const many = (count: number, of: (at: number) => ConversationEvent[]) =>
  Array.from({ length: count }, (_, at) => of(at)).flat();
const inALine: Shape = (count) => many(count, (at) => asked(at));
const fileOf = (events: readonly ConversationEvent[]) => events.map(writeEvent).join('');

/** Measures again when the time has grown too much: other work on the machine may have made a run longer. */
function assertLinear<T>(prepare: (count: number) => T, work: (on: T) => void): void {
  const [all, quarter] = [prepare(turns), prepare(turns / 4)];
  // The first run includes compiling.
  work(quarter);
  const growths: number[] = [];
  while (growths.length < 3 && !growths.some((growth) => growth < maxGrowth)) {
    growths.push(
      cpuMs(() => work(all)) /
        Math.max(
          1,
          cpuMs(() => work(quarter)),
        ),
    );
  }
  assert.ok(Math.min(...growths) < maxGrowth, `four times the turns took ${growths.join(', ')} times as long`);
}

const shapes: readonly (readonly [string, Shape, (count: number) => number])[] = [
  ['one after the other', inALine, (count) => count],
  [
    'each one edited, with the original chosen again',
    (count) =>
      many(count / 2, (at) => [
        ...asked(2 * at, at === 0 ? undefined : `t${2 * at - 2}`),
        ...asked(2 * at + 1, at === 0 ? null : `t${2 * at - 2}`),
        { type: 'chooseTurn', turnId: `t${2 * at}` },
      ]),
    (count) => count / 2,
  ],
  ['all of them siblings of the first one', (count) => many(count, (at) => asked(at, null)), () => 1],
  [
    'one question asked again each time',
    (count) => [
      ...asked(0),
      ...many(count - 1, (at) => [{ type: 'choose', replyId: `r${at}` }, ...replied(at + 1, 't0')]),
    ],
    () => 1,
  ],
  [
    'a choice of each answer at the end, as in an imported file',
    (count) => [...inALine(count), ...many(count, (at) => [{ type: 'choose', replyId: `r${at}` }])],
    (count) => count,
  ],
];

for (const [what, shape, shown] of shapes) {
  test(`reads a long conversation in time that is proportional to its questions: ${what}`, () => {
    const read = (file: string) => {
      const { conversation } = readConversation('c', file);
      return { conversation, views: turnViews(conversation, new ComparisonLayout()).length };
    };
    assertLinear((count) => fileOf(shape(count)), read);
    const { conversation, views } = read(fileOf(shape(100)));
    assert.equal(views, shown(100));
    assert.equal(visibleTurns(conversation).length, shown(100));
    const replies = conversation.turns.flatMap((turn) => turn.replies);
    assert.equal(replies.length, 100);
    assert.ok(replies.every(({ state, text }) => state === 'complete' && text === 'An answer of some words.'));
  });
}

const read = (count: number) => readConversation('c', fileOf(inALine(count))).conversation;

for (const [what, work] of [
  ['shows the question box', (conversation) => composerView(conversation, 'm', 'h')],
  ['exports', conversationMarkdown],
  ['exports and imports', (conversation) => importConversations(conversationsJson([conversation]))],
  [
    'finds what doesn’t fit into the context window',
    (conversation) => {
      const { turns: all } = conversation;
      const last = all.at(-1)?.id ?? '';
      const parts = requestParts(conversation, { text: '?', contexts: [] }, last, undefined);
      const leftOut = proposedLeftOut(parts, tokensOf(parts) / 4);
      assert.ok(leftOut.turns.length > all.length / 2);
      const next = proposedLeftOut(parts, tokensOf(parts) / 8, leftOut);
      assert.ok(messagesFor(conversation, last, next).length < all.length / 2);
    },
  ],
] as const satisfies readonly (readonly [string, (conversation: ReturnType<typeof read>) => unknown])[]) {
  test(`${what} in time that is proportional to the questions`, () => {
    assertLinear(read, work);
  });
}

test('finds the messages sent at the end of a long conversation as fast as the conversation is read', () => {
  const messages = (file: string) => sentMessages('c', file, `r${turns / 4 - 1}`)?.length;
  assertLinear((count) => fileOf(inALine(count)), messages);
  assert.equal(messages(fileOf(inALine(turns))), turns / 2 - 1);
});
