import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Webview } from 'vscode';
import {
  type ConversationEvent,
  readConversation,
  writeEvent,
} from '../../../../src/core/chat/conversation/conversationRecord.ts';
import { ComparedLook } from '../../../../src/editor/panel/comparedLook.ts';
import { PanelNews } from '../../../../src/editor/panel/panelNews.ts';
import { turnViews } from '../../../../src/editor/panel/panelView.ts';
import type { Log } from '../../../../src/editor/ui/log.ts';
import type { HostMessage, TurnView } from '../../../../src/protocol.ts';
import { Scene, settle } from '../../core/chat/sending/chatScene.ts';

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

/** A conversation, and the page of its panel: it takes each message when the test says so, as the panel does. */
class Page {
  readonly scene: Scene;
  readonly news: PanelNews;
  readonly look = new ComparedLook();
  /** Kind of each message that was posted, with how many turns are in it. */
  readonly posted: string[] = [];
  /** What the page knows. */
  turns: TurnView[] = [];
  readonly defects: string[] = [];
  isLost = false;
  readonly ledTo: { readonly id: string; readonly isKnown: boolean }[] = [];
  #untaken: (() => void)[] = [];

  constructor(count: number, ...more: ConversationEvent[]) {
    this.scene = new Scene(conversationOf(count, ...more), true);
    const webview = {
      postMessage: (message: HostMessage) => {
        this.#take(message);
        return this.isLost
          ? Promise.reject(new Error('the page is gone'))
          : new Promise<boolean>((resolve) => this.#untaken.push(() => resolve(true)));
      },
    };
    this.news = new PanelNews(webview as unknown as Webview, this.scene.chat, {
      look: this.look,
      clock: this.scene.clock,
      model: () => 'm',
      host: () => 'gateway.example',
      starting: () => undefined,
      log: { defect: (where: string) => this.defects.push(where) } as unknown as Log,
    });
    this.scene.chat.onDidChange((event) => this.news.show(event));
  }

  /** The page has taken what was posted. */
  taken(): Promise<void> {
    for (const resolve of this.#untaken.splice(0)) {
      resolve();
    }
    return settle();
  }

  assertKnowsAll(): void {
    assert.deepEqual(this.turns, turnViews(this.scene.chat.conversation, this.look));
  }

  #take(message: HostMessage): void {
    switch (message.type) {
      case 'snapshot':
        this.turns = [...message.turns];
        break;
      case 'earlier':
        this.turns = [...message.turns, ...this.turns];
        break;
      case 'turn': {
        const at = this.turns.findIndex(({ id }) => id === message.turn.id);
        this.turns.splice(at < 0 ? this.turns.length : at, 1, message.turn);
        break;
      }
      case 'leadTo':
        this.ledTo.push({ id: message.turnId, isKnown: this.turns.some(({ id }) => id === message.turnId) });
        break;
      default:
        return;
    }
    this.posted.push('turns' in message ? `${message.type} ${message.turns.length}` : message.type);
  }
}

test('tells a new page the end of a long conversation first, and what is before it as fast as the page takes it', async () => {
  const page = new Page(2_500);
  page.news.begin();
  await settle();
  assert.deepEqual(page.posted, ['snapshot 200'], 'the page shows this first');
  assert.deepEqual([page.turns[0]?.id, page.turns.at(-1)?.id], ['t2300', 't2499']);
  await page.taken();
  assert.deepEqual(page.posted.slice(1), ['earlier 1000']);
  await page.taken();
  await page.taken();
  assert.deepEqual(page.posted.slice(2), ['earlier 1000', 'earlier 300']);
  page.assertKnowsAll();
});

test('tells a short conversation at once', async () => {
  const page = new Page(200);
  page.news.begin();
  await page.taken();
  assert.deepEqual(page.posted, ['snapshot 200']);
  page.assertKnowsAll();
});

test('leads to a turn only when the page knows it', async () => {
  for (const isThere of [false, true]) {
    const page = new Page(2_500);
    if (isThere) {
      page.news.begin();
    }
    page.news.leadTo('t3');
    if (!isThere) {
      page.news.begin();
    }
    await page.taken();
    assert.deepEqual(page.ledTo, [{ id: 't3', isKnown: true }]);
    page.assertKnowsAll();
  }
});

test('keeps the order when a question is asked again that the page was not told yet', async () => {
  const page = new Page(2_500);
  page.news.begin();
  assert.deepEqual(await page.scene.chat.send({ id: 'again', kind: 'again', turnId: 't7', model: 'm' }), { ok: true });
  await settle();
  page.scene.call().delta('Anew.');
  await page.scene.call().end();
  await page.taken();
  assert.equal(page.posted.at(-1), 'turn');
  assert.deepEqual(
    page.turns.map(({ id }) => id),
    Array.from({ length: 2_500 }, (_, at) => `t${at}`),
  );
});

test('tells everything again when another branch is shown meanwhile, and nothing of the one before after it', async () => {
  const page = new Page(
    2_500,
    { type: 'turn', id: 'other', question: 'Another?', contexts: [], after: 't2000' },
    {
      type: 'reply',
      turnId: 'other',
      id: 'rOther',
      model: 'm',
      host: 'gateway.example',
      startedAt: 1,
    },
  );
  page.news.begin();
  await page.taken();
  page.scene.chat.chooseTurn('t2001');
  page.assertKnowsAll();
  await page.taken();
  await page.taken();
  assert.deepEqual(page.posted, ['snapshot 200', 'earlier 1000', 'snapshot 2500']);
  page.assertKnowsAll();
});

test('leaves out a reply that begins on a branch that is not shown', async () => {
  const answered = (id: string, after: string): ConversationEvent[] => [
    { type: 'turn', id, question: 'Another?', contexts: [], after },
    { type: 'reply', turnId: id, id: `r-${id}`, model: 'm', host: 'gateway.example', startedAt: 1 },
    { type: 'end', replyId: `r-${id}`, state: 'complete', totalMs: 10 },
  ];
  const page = new Page(3, ...answered('other', 't0'), ...answered('below', 'other'));
  page.news.begin();
  const asked = page.scene.chat.send({ id: 'again', kind: 'again', turnId: 'below', model: 'm' });
  page.scene.chat.chooseTurn('t1');
  assert.deepEqual(await asked, { ok: true });
  await settle();
  assert.deepEqual(
    page.turns.map(({ id }) => id),
    ['t0', 't1', 't2'],
  );
  page.assertKnowsAll();
});

test('tells everything to a page that missed something, in one message', () => {
  const page = new Page(2_500);
  page.news.begin();
  page.news.begin();
  assert.deepEqual(page.posted, ['snapshot 200', 'snapshot 2500']);
  page.assertKnowsAll();
});

test('tells nothing to a page that was thrown away, and the next one all of it', async () => {
  const page = new Page(2_500);
  page.news.begin();
  await page.taken();
  page.news.end();
  await page.taken();
  assert.deepEqual(page.posted, ['snapshot 200', 'earlier 1000']);
  page.news.begin();
  for (let taken = 0; taken < 4; taken++) {
    await page.taken();
  }
  page.assertKnowsAll();
});

test('logs what the page could not be told, and goes on', async () => {
  const page = new Page(500);
  page.isLost = true;
  page.news.begin();
  await settle();
  page.news.composer();
  await settle();
  assert.deepEqual(page.defects, [
    'Message snapshot to the panel',
    'Message earlier to the panel',
    'Message composer to the panel',
  ]);
});
