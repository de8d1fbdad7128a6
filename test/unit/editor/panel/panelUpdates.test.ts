import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ConversationEvent,
  readConversation,
  writeEvent,
} from '../../../../src/core/chat/conversation/conversationRecord.ts';
import { asShown } from '../../../../src/core/chat/conversation/withSecrets.ts';
import { shownTurns } from '../../../../src/editor/panel/panelView.ts';
import { AccountsFixture, budget } from '../../core/account/accountsFixture.ts';
import { Scene, settle } from '../../core/chat/sending/chatScene.ts';
import { connectionTo } from '../../core/connections/connectionTo.ts';
import { anEnd, aStart, noon, openLedger } from '../../core/usage/memoryLedger.ts';
import { ShownPage } from './shownPage.ts';

const asked = (at: number): ConversationEvent[] => [
  { type: 'turn', id: `t${at}`, question: `Question ${at}?`, contexts: [] },
  { type: 'reply', turnId: `t${at}`, id: `r${at}`, model: 'm', host: 'gateway.example', startedAt: at },
  { type: 'delta', replyId: `r${at}`, text: `Answer ${at}.`, reasoning: '', ms: 5 },
  { type: 'end', replyId: `r${at}`, state: 'complete', totalMs: 10 },
];

const conversationOf = (count: number, ...more: ConversationEvent[]) => {
  const events = [...Array.from({ length: count }, (_, at) => asked(at)).flat(), ...more];
  return readConversation('c1', events.map(writeEvent).join('')).conversation;
};

const pageOf = (count: number, ...more: ConversationEvent[]) =>
  new ShownPage(new Scene(conversationOf(count, ...more), true));

/** The types of the messages with turns and of those that lead to one, with the number of their turns. */
const posted = ({ messages }: ShownPage) =>
  messages.flatMap(({ type, ...message }) =>
    ['snapshot', 'turn', 'leadTo'].includes(type)
      ? ['turns' in message ? `${type} ${message.turns.length}` : type]
      : [],
  );

function assertHasAll({ turns, scene, updates }: ShownPage): void {
  assert.deepEqual(turns, shownTurns(scene.chat.live.conversation, updates.layout));
}

test('sends a long conversation to a new page in one snapshot', () => {
  const page = pageOf(2_500);
  page.updates.begin();
  assert.deepEqual(posted(page), ['snapshot 2500']);
  assertHasAll(page);
});

test('scrolls to a turn only after the page has received it', () => {
  for (const isReady of [false, true]) {
    const page = pageOf(3);
    if (isReady) {
      page.updates.begin();
    }
    page.updates.postWhenReady({ type: 'leadTo', turnId: 't1' });
    if (!isReady) {
      page.updates.begin();
    }
    assert.deepEqual(posted(page), ['snapshot 3', 'leadTo']);
    assertHasAll(page);
  }
});

test('keeps the order when an earlier question is asked again', async () => {
  const page = pageOf(20);
  page.updates.begin();
  assert.deepEqual(await page.scene.chat.send({ id: 'again', turnId: 't7', models: ['m'] }), { ok: true });
  await settle();
  await page.scene.answer('Again.');
  assert.equal(posted(page).at(-1), 'turn');
  assert.deepEqual(
    page.turns.map(({ id }) => id),
    Array.from({ length: 20 }, (_, at) => `t${at}`),
  );
});

test('sends a snapshot when another branch is shown', () => {
  const page = pageOf(
    25,
    { type: 'turn', id: 'other', question: 'Another?', contexts: [], after: 't20' },
    {
      type: 'reply',
      turnId: 'other',
      id: 'rOther',
      model: 'm',
      host: 'gateway.example',
      startedAt: 1,
    },
  );
  page.updates.begin();
  page.scene.chat.live.chooseTurn('t21');
  assert.deepEqual(posted(page), ['snapshot 22', 'snapshot 25']);
  assertHasAll(page);
});

test('does not send a reply that begins on a hidden branch', async () => {
  const answered = (id: string, after: string): ConversationEvent[] => [
    { type: 'turn', id, question: 'Another?', contexts: [], after },
    { type: 'reply', turnId: id, id: `r-${id}`, model: 'm', host: 'gateway.example', startedAt: 1 },
    { type: 'end', replyId: `r-${id}`, state: 'complete', totalMs: 10 },
  ];
  const page = pageOf(3, ...answered('other', 't0'), ...answered('below', 'other'));
  page.updates.begin();
  const asked = page.scene.chat.send({ id: 'again', turnId: 'below', models: ['m'] });
  page.scene.chat.live.chooseTurn('t1');
  assert.deepEqual(await asked, { ok: true });
  await settle();
  assert.deepEqual(
    page.turns.map(({ id }) => id),
    ['t0', 't1', 't2'],
  );
  assertHasAll(page);
});

test('sends a snapshot when text turns out to be reasoning, and what follows it', async () => {
  const page = pageOf(0);
  page.updates.begin();
  await page.scene.ask();
  page.scene.call().delta('Hm.');
  page.scene.call().delta('Yes', '', 'reasoning');
  page.scene.call().delta('!');
  page.updates.snapshot();
  assertHasAll(page);
  const [reply] = page.scene.chat.live.conversation.turns.flatMap(({ replies }) => replies);
  assert.deepEqual([reply?.reasoning, reply?.text], ['Hm.', 'Yes!']);
});

test('sends a snapshot when a first question that could not be sent is put into the composer', () => {
  const page = pageOf(0);
  page.updates.begin();
  page.scene.chat.live.compose({ text: 'Why?', contexts: [] });
  assert.deepEqual(posted(page), ['snapshot 0', 'snapshot 0']);
});

test('sends a snapshot to a page that missed a message', () => {
  const page = pageOf(3);
  page.updates.begin();
  page.updates.begin();
  assert.deepEqual(posted(page), ['snapshot 3', 'snapshot 3']);
  assertHasAll(page);
});

test('sends nothing to a discarded page, and a snapshot to the next one', () => {
  const page = pageOf(3);
  page.updates.begin();
  page.updates.end();
  page.scene.chat.live.rename('Other');
  page.updates.composer();
  assert.deepEqual(posted(page), ['snapshot 3']);
  page.updates.begin();
  assertHasAll(page);
});

test('logs a message that could not be posted, and continues', async () => {
  const page = pageOf(3);
  page.isLost = true;
  page.updates.begin();
  await settle();
  page.updates.composer();
  await settle();
  assert.deepEqual(
    page.defects,
    ['snapshot', 'openChanges', 'composer'].map((type) => `Message ${type} to the panel`),
  );
});

test('shows what is left once it is known, and asks again after a question was refused for it', async () => {
  const connection = connectionTo('https://gateway.example/v1');
  const account = new AccountsFixture(budget(3.2));
  const page = new ShownPage(new Scene(conversationOf(1), true), { account, active: connection });
  const { scene, updates } = page;
  const shown = () => page.composers.map(({ balance }) => balance?.text);
  await account.accounts.read({ ...connection, probes: false });
  assert.equal(account.asked, 0);
  updates.begin();
  await settle();
  assert.deepEqual([shown()[0], shown().at(-1), account.asked], [undefined, '$3.20 left', 1]);
  account.clock.pass(60_000);
  account.answers = budget(0);
  await scene.act({ id: 'again', turnId: 't0', models: ['m'] });
  await scene.call().end({ outcome: 'failed', problem: { kind: 'balanceEmpty' } });
  await settle();
  assert.deepEqual([shown().at(-1), account.asked], ['Quota used up', 2]);
});

test('shows what calls were charged as soon as that is recorded, without asking the gateway', async () => {
  const account = new AccountsFixture();
  const opened = openLedger();
  await (await opened.ledger.begin(aStart('r0'))).end(anEnd());
  await opened.ledger.totals(0, noon + 1);
  const { scene, updates, messages } = new ShownPage(new Scene(conversationOf(2), true), { account, opened });
  updates.begin();
  const cost = { amount: 0.25, unit: 'USD', source: 'charged' } as const;
  await opened.ledger.receive([{ id: 'r0', began: noon, at: noon, cost }]);
  const costs = messages.flatMap((message) => {
    const ofReplies = 'turns' in message ? message.turns.map(({ reply }) => reply.details) : [];
    const shown = ofReplies.map((details) => details.find((fact) => fact.startsWith('cost')));
    return message.type === 'snapshot' ? [[...shown, message.composer.calls?.text]] : [];
  });
  assert.deepEqual(costs, [
    ['cost unknown', 'cost unknown', '2 calls'],
    ["cost $0.25 (gateway's log)", 'cost unknown', '2 calls, $0.25 (1 not priced)'],
  ]);
  assert.deepEqual([scene.calls.length, account.asked], [0, 0]);
});

test('says before Enter that another window makes a call in this conversation, until that ends', async () => {
  let isLocked = false;
  const page = new ShownPage(new Scene(), { isLockedElsewhere: async () => isLocked });
  const { scene, updates, composers } = page;
  updates.begin();
  await settle();
  for (const [locked, words] of [
    [true, 'An answer in this conversation is still arriving in another window.'],
    [false, undefined],
  ] as const) {
    isLocked = locked;
    scene.clock.pass(2_000);
    await settle();
    assert.equal(page.composer?.due, words);
  }
  const { length } = composers;
  updates.end();
  isLocked = true;
  scene.clock.pass(10_000);
  await settle();
  assert.equal(composers.length, length, 'a hidden panel does not look');
});

test('streams the rest of an answer into the text that a reload shows, with what its calls cost together', async () => {
  const page = new ShownPage();
  const { scene, updates, messages } = page;
  updates.begin();
  await scene.ask();
  scene.call().delta('', 'Hm.');
  scene.call().delta('Here:\n```ts\nlet a');
  const usage = { promptTokens: 5, completionTokens: 5 };
  await scene.call().end({ outcome: 'complete', finishReason: 'length', usage: { ...usage, cost: 0.25 } });
  await scene.act({ id: 'c1', turnId: 'a1', replyId: 'a1', asking: 'Go on.', models: ['m'] });
  assert.deepEqual([page.reply?.id, page.reply?.state, page.reply?.text], ['c1', 'waiting', 'Here:\n```ts\nlet a']);
  const changed = messages.findLast((message) => message.type === 'openChanges');
  assert.deepEqual(changed?.blocks, [{ replyId: 'c1', block: 0 }], 'an open change stays at its code');
  scene.call().delta('', 'Well.');
  for (const character of '```ts\nlet a = 1;\n```\nDone.') {
    scene.call().delta(character);
    scene.clock.pass(40);
  }
  await scene.call().end({ outcome: 'complete', finishReason: 'stop', usage: { ...usage, cost: 0.5 } });
  const [turn] = shownTurns(asShown(scene.chat.live.conversation, scene.chat.live.masks), page.updates.layout);
  assert.equal(page.reply?.text, 'Here:\n```ts\nlet a = 1;\n```\nDone.');
  assert.equal(page.reply?.reasoning, 'Hm.\n\nWell.');
  assert.deepEqual([turn?.reply.text, turn?.reply.reasoning], [page.reply?.text, page.reply?.reasoning]);
  assert.deepEqual(page.reply?.footer, ['2 calls, $0.75', '10 in', '10 out', 'reported']);
  assert.match(page.reply?.details[1] ?? '', /^Call 1: cost \$0\.25 .*5 in · 5 out/);
  updates.dispose();
});
