import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleTurns } from '../../../../../src/core/chat/conversation/branches.ts';
import type { Conversation } from '../../../../../src/core/chat/conversation/conversation.ts';
import {
  type ConversationEvent,
  readConversation,
  writeEvent,
} from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { sentMessages } from '../../../../../src/core/chat/conversation/requestDocument.ts';
import { ComparisonLayout } from '../../../../../src/editor/panel/comparisonLayout.ts';
import { turnViews } from '../../../../../src/editor/panel/panelView.ts';
import { leastCpuMs } from '../../base/cpuMs.ts';

/** More turns than a real conversation has, to detect code whose time grows with their square. */
const turns = 1_000;
/** An idle machine should need a sixth of a second. */
const maxCpuMs = 1_250;

/** A question with its complete reply. */
function asked(at: number, more: { after?: string | null; column?: number } = {}, turnId = `t${at}`) {
  const { after, column } = more;
  const events: ConversationEvent[] = [
    { type: 'turn', id: turnId, question: `Question ${at}?`, contexts: [], after },
    ...replied(at, turnId, column),
  ];
  return events;
}

function replied(at: number, turnId: string, column?: number): ConversationEvent[] {
  const place = column !== undefined && { column };
  return [
    { type: 'reply', turnId, id: `r${at}`, model: 'm', host: 'h', startedAt: at, ...place },
    { type: 'delta', replyId: `r${at}`, text: 'An answer of ', reasoning: '', ms: 5 },
    {
      type: 'delta',
      replyId: `r${at}`,
      text: 'some words, enough to be a conversation of 2 MB.',
      reasoning: '',
      ms: 6,
    },
    { type: 'end', replyId: `r${at}`, state: 'complete', totalMs: 10 },
  ];
}

const many = (of: (at: number) => ConversationEvent[], count = turns) =>
  Array.from({ length: count }, (_, at) => of(at)).flat();

for (const [what, events, shown] of [
  ['one after the other', many((at) => asked(at)), turns],
  [
    'each one edited, with the original chosen again',
    many(
      (at) => [
        ...asked(2 * at, at === 0 ? {} : { after: `t${2 * at - 2}` }),
        ...asked(2 * at + 1, { after: at === 0 ? null : `t${2 * at - 2}` }),
        { type: 'chooseTurn', turnId: `t${2 * at}` },
      ],
      turns / 2,
    ),
    turns / 2,
  ],
  ['all of them siblings of the first one', many((at) => asked(at, { after: null })), 1],
  [
    'one question asked again each time',
    [...asked(0), ...many((at) => (at === 0 ? [] : [{ type: 'choose', replyId: `r${at - 1}` }, ...replied(at, 't0')]))],
    1,
  ],
] as const) {
  test(`reads a conversation of ${turns.toLocaleString('en-US')} questions quickly: ${what}`, (context) => {
    const file = events.map(writeEvent).join('');
    let conversation: Conversation | undefined;
    let views = 0;
    const ms = leastCpuMs(maxCpuMs, () => {
      conversation = readConversation('c', file).conversation;
      views = turnViews(conversation, new ComparisonLayout()).length;
    });
    context.diagnostic(`${(file.length / 1_048_576).toFixed(1)} MB: ${Math.round(ms)} ms of processor time`);
    assert.ok(ms < maxCpuMs, `${Math.round(ms)} ms`);
    assert.equal(views, shown);
    assert.ok(conversation);
    assert.equal(visibleTurns(conversation).length, shown);
    const replies = conversation.turns.flatMap((turn) => turn.replies);
    assert.equal(replies.length, turns);
    assert.ok(replies.every(({ state, text }) => state === 'complete' && text.endsWith('2 MB.')));
  });
}

test('finds the messages sent at the end of a long conversation as fast as the conversation is read', () => {
  const file = many((at) => asked(at))
    .map(writeEvent)
    .join('');
  let messages = 0;
  const ms = leastCpuMs(maxCpuMs, () => {
    messages = sentMessages('c', file, `r${turns - 1}`)?.length ?? 0;
  });
  assert.ok(ms < maxCpuMs, `${Math.round(ms)} ms`);
  assert.equal(messages, 2 * turns - 1);
});
