import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ConversationEvent,
  readConversation,
  writeEvent,
} from '../../../../src/core/chat/conversation/conversationRecord.ts';
import { asShown } from '../../../../src/core/chat/conversation/withSecrets.ts';
import type { PanelUpdates } from '../../../../src/editor/panel/panelUpdates.ts';
import { ComparisonLayout, shownTurns } from '../../../../src/editor/panel/panelView.ts';
import type { BlockId, HostMessage, ShownReply, ShownTurn } from '../../../../src/protocol/protocol.ts';
import { AccountsFixture, budget } from '../../core/account/accountsFixture.ts';
import { Scene, settle } from '../../core/chat/sending/chatScene.ts';
import { connectionTo } from '../../core/connections/connectionTo.ts';
import { anEnd, aStart, noon, openLedger } from '../../core/usage/memoryLedger.ts';
import { openUpdates } from './openUpdates.ts';

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

/** The page of a conversation's panel, which receives the updates. */
class Page {
  readonly scene: Scene;
  readonly updates: PanelUpdates;
  readonly layout = new ComparisonLayout();
  /** The types of the posted messages, with the number of their turns. */
  readonly posted: string[] = [];
  /** The turns that the page has received. */
  turns: ShownTurn[] = [];
  readonly defects: string[] = [];
  isLost = false;
  readonly scrolledTo: { readonly id: string; readonly isKnown: boolean }[] = [];

  constructor(count: number, ...more: ConversationEvent[]) {
    this.scene = new Scene(conversationOf(count, ...more), true);
    const onMessage = (message: HostMessage) => {
      this.#receive(message);
      return this.isLost ? Promise.reject(new Error('the page is gone')) : Promise.resolve(true);
    };
    this.updates = openUpdates(this.scene, onMessage, (where) => this.defects.push(where), this.layout);
  }

  assertHasAll(): void {
    assert.deepEqual(this.turns, shownTurns(this.scene.chat.live.conversation, this.layout));
  }

  #receive(message: HostMessage): void {
    switch (message.type) {
      case 'snapshot':
        this.turns = [...message.turns];
        break;
      case 'turn': {
        const at = this.turns.findIndex(({ id }) => id === message.turn.id);
        this.turns.splice(at < 0 ? this.turns.length : at, 1, message.turn);
        break;
      }
      case 'leadTo':
        this.scrolledTo.push({ id: message.turnId, isKnown: this.turns.some(({ id }) => id === message.turnId) });
        break;
      default:
        return;
    }
    this.posted.push('turns' in message ? `${message.type} ${message.turns.length}` : message.type);
  }
}

test('sends a long conversation to a new page in one snapshot', () => {
  const page = new Page(2_500);
  page.updates.begin();
  assert.deepEqual(page.posted, ['snapshot 2500']);
  page.assertHasAll();
});

test('scrolls to a turn only after the page has received it', () => {
  for (const isReady of [false, true]) {
    const page = new Page(3);
    if (isReady) {
      page.updates.begin();
    }
    page.updates.postWhenReady({ type: 'leadTo', turnId: 't1' });
    if (!isReady) {
      page.updates.begin();
    }
    assert.deepEqual(page.scrolledTo, [{ id: 't1', isKnown: true }]);
    page.assertHasAll();
  }
});

test('keeps the order when an earlier question is asked again', async () => {
  const page = new Page(20);
  page.updates.begin();
  assert.deepEqual(await page.scene.chat.send({ id: 'again', kind: 'again', turnId: 't7', model: 'm' }), { ok: true });
  await settle();
  await page.scene.answer('Again.');
  assert.equal(page.posted.at(-1), 'turn');
  assert.deepEqual(
    page.turns.map(({ id }) => id),
    Array.from({ length: 20 }, (_, at) => `t${at}`),
  );
});

test('sends a snapshot when another branch is shown', () => {
  const page = new Page(
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
  assert.deepEqual(page.posted, ['snapshot 22', 'snapshot 25']);
  page.assertHasAll();
});

test('does not send a reply that begins on a hidden branch', async () => {
  const answered = (id: string, after: string): ConversationEvent[] => [
    { type: 'turn', id, question: 'Another?', contexts: [], after },
    { type: 'reply', turnId: id, id: `r-${id}`, model: 'm', host: 'gateway.example', startedAt: 1 },
    { type: 'end', replyId: `r-${id}`, state: 'complete', totalMs: 10 },
  ];
  const page = new Page(3, ...answered('other', 't0'), ...answered('below', 'other'));
  page.updates.begin();
  const asked = page.scene.chat.send({ id: 'again', kind: 'again', turnId: 'below', model: 'm' });
  page.scene.chat.live.chooseTurn('t1');
  assert.deepEqual(await asked, { ok: true });
  await settle();
  assert.deepEqual(
    page.turns.map(({ id }) => id),
    ['t0', 't1', 't2'],
  );
  page.assertHasAll();
});

test('sends a snapshot when text turns out to be reasoning, and what follows it', async () => {
  const page = new Page(0);
  page.updates.begin();
  await page.scene.ask();
  page.scene.call().delta('Hm.');
  page.scene.call().delta('Yes', '', 'reasoning');
  page.posted.length = 0;
  page.scene.call().delta('!');
  page.updates.snapshot();
  page.assertHasAll();
  const [reply] = page.scene.chat.live.conversation.turns.flatMap(({ replies }) => replies);
  assert.deepEqual([reply?.reasoning, reply?.text], ['Hm.', 'Yes!']);
});

test('sends a snapshot when a first question that could not be sent is put into the composer', () => {
  const page = new Page(0);
  page.updates.begin();
  page.scene.chat.live.compose({ text: 'Why?', contexts: [] });
  assert.deepEqual(page.posted, ['snapshot 0', 'snapshot 0']);
});

test('sends a snapshot to a page that missed a message', () => {
  const page = new Page(3);
  page.updates.begin();
  page.updates.begin();
  assert.deepEqual(page.posted, ['snapshot 3', 'snapshot 3']);
  page.assertHasAll();
});

test('sends nothing to a discarded page, and a snapshot to the next one', () => {
  const page = new Page(3);
  page.updates.begin();
  page.updates.end();
  page.scene.chat.live.rename('Other');
  page.updates.composer();
  assert.deepEqual(page.posted, ['snapshot 3']);
  page.updates.begin();
  page.assertHasAll();
});

test('logs a message that could not be posted, and continues', async () => {
  const page = new Page(3);
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
  const scene = new Scene(conversationOf(1), true);
  const shown: (string | undefined)[] = [];
  const onMessage = async (message: HostMessage) => {
    if ('composer' in message) {
      shown.push(message.composer.balance?.text);
    }
    return true;
  };
  const updates = openUpdates(scene, onMessage, assert.fail, new ComparisonLayout(), account, connection);
  await account.accounts.read({ ...connection, probes: false });
  assert.equal(account.asked, 0);
  updates.begin();
  await settle();
  assert.deepEqual([shown[0], shown.at(-1), account.asked], [undefined, '$3.20 left', 1]);
  account.clock.pass(60_000);
  account.answers = budget(0);
  await scene.act({ id: 'again', kind: 'again', turnId: 't0', model: 'm' });
  await scene.call().end({ outcome: 'failed', problem: { kind: 'balanceEmpty' } });
  await settle();
  assert.deepEqual([shown.at(-1), account.asked], ['Quota used up', 2]);
});

test('shows what calls were charged as soon as that is recorded, without asking the gateway', async () => {
  const scene = new Scene(conversationOf(2), true);
  const account = new AccountsFixture();
  const opened = openLedger();
  await (await opened.ledger.begin(aStart('r0'))).end(anEnd());
  await opened.ledger.totals(0, noon + 1);
  const costs: (string | undefined)[][] = [];
  const onMessage = async (message: HostMessage) => {
    if (message.type === 'snapshot') {
      const ofReplies = message.turns.map(({ reply }) => reply?.details.find((fact) => fact.startsWith('cost')));
      costs.push([...ofReplies, message.composer.calls?.text]);
    }
    return true;
  };
  const updates = openUpdates(scene, onMessage, assert.fail, new ComparisonLayout(), account, undefined, opened);
  updates.begin();
  const cost = { amount: 0.25, unit: 'USD', source: 'charged' } as const;
  await opened.ledger.receive([{ id: 'r0', began: noon, at: noon, cost }]);
  assert.deepEqual(costs, [
    ['cost unknown', 'cost unknown', '2 calls'],
    ["cost $0.25 (gateway's log)", 'cost unknown', '2 calls, $0.25 (1 not priced)'],
  ]);
  assert.deepEqual([scene.calls.length, account.asked], [0, 0]);
});

test('says before Enter that another window makes a call in this conversation, until that ends', async () => {
  const scene = new Scene();
  const due: (string | undefined)[] = [];
  const onMessage = async (message: HostMessage) => {
    if ('composer' in message) {
      due.push(message.composer.due);
    }
    return true;
  };
  let isLocked = false;
  const updates = openUpdates(
    scene,
    onMessage,
    assert.fail,
    undefined,
    undefined,
    undefined,
    undefined,
    async () => isLocked,
  );
  updates.begin();
  await settle();
  for (const [locked, words] of [
    [true, 'An answer in this conversation is still arriving in another window.'],
    [false, undefined],
  ] as const) {
    isLocked = locked;
    scene.clock.pass(2_000);
    await settle();
    assert.equal(due.at(-1), words);
  }
  const count = due.length;
  updates.end();
  isLocked = true;
  scene.clock.pass(10_000);
  await settle();
  assert.equal(due.length, count, 'a hidden panel does not look');
});

test('streams the rest of an answer into the text that a reload shows, with what its calls cost together', async () => {
  const scene = new Scene();
  let shown: ShownReply | undefined;
  let changed: readonly BlockId[] = [];
  const updates = openUpdates(
    scene,
    (message) => {
      if (message.type === 'openChanges') {
        changed = message.blocks;
      } else if (message.type === 'turn') {
        shown = message.turn.reply;
      } else if (message.type === 'delta' && shown?.id === message.replyId) {
        const { text, reasoning } = shown;
        shown = { ...shown, text: text + message.text, reasoning: reasoning + message.reasoning };
      } else if (message.type === 'reply' && shown) {
        shown = { ...shown, ...message.reply };
        assert.equal(message.reply.length, shown.text.length + shown.reasoning.length, 'no snapshot is needed');
      }
      return Promise.resolve(true);
    },
    assert.fail,
  );
  updates.begin();
  await scene.ask();
  scene.call().delta('', 'Hm.');
  scene.call().delta('Here:\n```ts\nlet a');
  const usage = { promptTokens: 5, completionTokens: 5 };
  await scene.call().end({ outcome: 'complete', finishReason: 'length', usage: { ...usage, cost: 0.25 } });
  await scene.act({ id: 'c1', kind: 'continue', turnId: 'a1', replyId: 'a1', asking: 'Go on.', model: 'm' });
  assert.deepEqual([shown?.id, shown?.state, shown?.text], ['c1', 'waiting', 'Here:\n```ts\nlet a']);
  assert.deepEqual(changed, [{ replyId: 'c1', block: 0 }], 'an open change stays at its code');
  scene.call().delta('', 'Well.');
  for (const character of '```ts\nlet a = 1;\n```\nDone.') {
    scene.call().delta(character);
    scene.clock.pass(40);
  }
  await scene.call().end({ outcome: 'complete', finishReason: 'stop', usage: { ...usage, cost: 0.5 } });
  const [turn] = shownTurns(asShown(scene.chat.live.conversation, scene.chat.live.masks), new ComparisonLayout());
  assert.equal(shown?.text, 'Here:\n```ts\nlet a = 1;\n```\nDone.');
  assert.equal(shown?.reasoning, 'Hm.\n\nWell.');
  assert.deepEqual([turn?.reply.text, turn?.reply.reasoning], [shown?.text, shown?.reasoning]);
  assert.deepEqual(shown?.footer, ['2 calls, $0.75', '10 in', '10 out', 'reported']);
  assert.match(shown?.details[1] ?? '', /^Call 1: cost \$0\.25 .*5 in · 5 out/);
  updates.dispose();
});
