import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeContext } from '../../../../src/core/chat/context/prompt.ts';
import type { Sent } from '../../../../src/core/chat/sending/chat.ts';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import { noChoices } from '../../../../src/core/models/catalogue/modelChoices.ts';
import { catalogueView } from '../../../../src/core/models/catalogue/shownGroups.ts';
import type { Gateways, PaidCalls as PaidCallsOf } from '../../../../src/editor/sending/paidCalls.ts';
import type { ReviewAnswer } from '../../../../src/protocol/protocol.ts';
import { AccountsFixture } from '../../core/account/accountsFixture.ts';
import { Scene, settle } from '../../core/chat/sending/chatScene.ts';
import { connectionTo } from '../../core/connections/connectionTo.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

/** Reviews that the panel shows. A test answers them: by default, it sends the question. */
const reviews: ((answer?: ReviewAnswer) => void)[] = [];
const vscode = `data:text/javascript,
  export const workspace = { getConfiguration: () => ({ inspect: () => undefined }) };
  export const window = {};`;
fakeVSCode(import.meta, vscode);
const { PaidCalls } = await import('../../../../src/editor/sending/paidCalls.ts');

/** The paid calls of a conversation. The test controls what a call waits for: the connection and the picked model. */
class Fixture {
  readonly scene = new Scene();
  view = catalogueView(undefined, noChoices, new Set());
  readonly connections: { active?: Connection; setParameters?: (...change: unknown[]) => Promise<void> } = {};
  isConnected: () => Promise<boolean> = async () => true;
  picked: () => Promise<string | undefined> = async () => 'm2';
  readonly calls: PaidCallsOf;

  constructor() {
    reviews.length = 0;
    const gateways = {
      catalogue: { modelToAsk: 'm', used: async () => undefined, view: this.view, isGone: () => false },
      connections: this.connections,
      limiter: { refusal: async () => undefined },
      accounts: new AccountsFixture().accounts,
      costs: { range: () => undefined },
      ledger: () => ({ tokenFactor: () => 1 }),
      pickModel: () => this.picked(),
      ensureConnected: () => this.isConnected(),
    } as unknown as Gateways;
    const log = { defect: (where: string) => assert.fail(where) };
    this.calls = new PaidCalls(this.scene.chat, gateways, log, { add: async () => undefined }, (review) => {
      if (review) {
        reviews.push((answer = 'send') => this.calls.answerReview(review.id, answer));
      }
      return true;
    });
  }

  /** Asks a first question, as a command does. */
  ask(): Promise<Sent> {
    const asked = { caller: 'explain', question: 'Why?', contexts: [], model: 'm', host: undefined } as const;
    return this.calls.ask(asked, this.scene.findSender);
  }

  /** Asks a first question, completes its reply and types another question. */
  async answered(): Promise<this> {
    await this.scene.ask();
    await this.scene.call().end();
    this.scene.chat.live.setDraft({ text: 'And?', contexts: [] });
    return this;
  }
}

const stopped: Sent = { ok: false, reason: 'Nothing was sent.', isStopped: true };
const actions: Readonly<Record<string, (calls: PaidCallsOf, id: string) => Promise<Sent>>> = {
  'the question in the box': (calls, id) => calls.askDraft(id),
  'asking again': (calls, id) => calls.askAgain(id, 'sendAgain', 'a1'),
  'asking another model': (calls, id) => calls.askAgain(id, 'askOther', 'a1'),
  'a continuation': (calls, id) => calls.askAgain(id, 'continue', 'a1'),
};

/** A promise that the test resolves. */
function deferred<T>() {
  let resolve = (_: T) => {};
  const promise = new Promise<T>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve };
}

for (const [what, act] of Object.entries(actions)) {
  test(`${what} is not sent when it is stopped while the connection is being checked`, async () => {
    for (const id of ['b1', undefined]) {
      const fixture = await new Fixture().answered();
      const connected = deferred<boolean>();
      fixture.isConnected = () => connected.promise;
      const sent = act(fixture.calls, 'b1');
      assert.equal(fixture.scene.chat.starting, 'b1', 'the panel can stop it');
      fixture.scene.chat.stop(id);
      connected.resolve(true);
      assert.deepEqual(await sent, stopped);
      await settle();
      assert.equal(fixture.scene.chat.starting, undefined);
      assert.equal(fixture.scene.calls.length, 1);
      assert.equal(fixture.scene.chat.live.conversation.draft.text, 'And?');
    }
  });

  test(`${what} is not sent to another gateway when it is stopped during the confirmation`, async () => {
    const fixture = await new Fixture().answered();
    fixture.scene.findSender = async () => ({ ok: true, sender: { ...fixture.scene.sender, host: 'other.example' } });
    const sent = act(fixture.calls, 'b1');
    await settle();
    fixture.scene.chat.stop('b1');
    for (const answer of reviews.splice(0)) {
      answer();
    }
    assert.deepEqual(await sent, stopped);
    await settle();
    assert.equal(fixture.scene.calls.length, 1);
  });
}

test('counts what the person cancels as stopped, not as an error, whatever was asked before sending', async () => {
  const cancelled = async (prepare: (fixture: Fixture) => void) => {
    const fixture = await new Fixture().answered();
    prepare(fixture);
    const sent = fixture.calls.askAgain('b1', 'askOther', 'a1');
    await settle();
    fixture.calls.cancelReview();
    assert.equal(fixture.scene.calls.length, 1);
    return sent;
  };
  const connect = await cancelled((fixture) => {
    fixture.isConnected = async () => false;
  });
  assert.deepEqual(connect, { ...stopped, reason: "You aren't connected to a gateway." });
  const pick = await cancelled((fixture) => {
    fixture.picked = async () => undefined;
  });
  assert.deepEqual(pick, { ...stopped, reason: 'No model was selected. Nothing was sent.' });
  const host = await cancelled(({ scene }) => {
    scene.findSender = async () => ({ ok: true, sender: { ...scene.sender, host: 'other.example' } });
  });
  assert.deepEqual(host, stopped);
});

test('puts a first question into the composer when it is stopped before it is sent', async () => {
  const fixture = new Fixture();
  const found = deferred<Awaited<ReturnType<Scene['findSender']>>>();
  fixture.scene.findSender = () => found.promise;
  const sent = fixture.ask();
  await settle();
  fixture.scene.chat.stop(fixture.scene.chat.starting);
  found.resolve({ ok: true, sender: fixture.scene.sender });
  assert.deepEqual(await sent, stopped);
  assert.equal(fixture.scene.calls.length, 0);
  assert.equal(fixture.scene.chat.live.conversation.draft.text, 'Why?');
  assert.equal(fixture.calls.model, 'm');
});

test('sends the question in the box once to each model of a comparison, and to one after it is cancelled or sent', async () => {
  const fixture = new Fixture();
  const { calls, scene } = fixture;
  calls.prepare([code], ['m1', 'm2', 'm3']);
  scene.chat.live.setDraft({ text: 'Which?' });
  assert.deepEqual([calls.compared, scene.calls.length], [['m1', 'm2', 'm3'], 0]);
  fixture.isConnected = async () => false;
  assert.deepEqual(await calls.askDraft('a0'), { ...stopped, reason: "You aren't connected to a gateway." });
  fixture.isConnected = async () => true;
  const twice = [calls.askDraft('a1'), calls.askDraft('a1')];
  assert.deepEqual(
    (await Promise.all(twice)).map(({ ok }) => ok),
    [true, false],
  );
  await settle();
  assert.deepEqual(
    scene.calls.map(({ request }) => request.model),
    ['m1', 'm2', 'm3'],
  );
  assert.equal(new Set(scene.calls.map(({ request }) => JSON.stringify(request.messages))).size, 1);
  assert.match(JSON.stringify(scene.call().request.messages), /Which\?.*```/, 'its context goes to each of them');
  assert.deepEqual([calls.compared, scene.chat.live.composed.contexts], [[], []]);
  const other = new Fixture();
  other.calls.prepare([], ['m1', 'm2']);
  other.calls.cancelComparison();
  assert.deepEqual([other.calls.compared, other.calls.model], [[], 'm1']);
});

test('makes a call for a button under a new reply, however quick the reply was', async () => {
  const fixture = await new Fixture().answered();
  for (const [index, id] of ['b1', 'b2', 'b3'].entries()) {
    assert.deepEqual(await fixture.calls.askAgain(id, 'sendAgain', 'a1'), { ok: true });
    await settle();
    await fixture.scene.call().end();
    assert.equal(fixture.scene.calls.length, index + 2);
  }
});

test('sends again without a rejected parameter after that is noted for its model', async () => {
  const { calls, scene, connections } = new Fixture();
  await scene.ask();
  const problem = { kind: 'parameterRejected', parameter: 'temperature' } as const;
  await scene.end({ outcome: 'failed', problem });
  const modelParameters = new Map([['m', { temperature: 1 }]]);
  connections.active = connectionTo('https://gateway.example/v1', { modelParameters });
  const noted: unknown[] = [];
  connections.setParameters = async (_, ...change) => void noted.push(...change, scene.calls.length);
  assert.deepEqual(await calls.askAgain('b1', 'sendWithoutParameter', 'a1'), { ok: true });
  assert.deepEqual([noted, scene.calls.length], [['m', { omit: ['temperature'] }, 1], 2]);
});

test('sends a question at once that could not be sent before', async () => {
  const fixture = await new Fixture().answered();
  fixture.isConnected = async () => false;
  assert.equal((await fixture.calls.askDraft('b1')).ok, false);
  fixture.isConnected = async () => true;
  assert.deepEqual(await fixture.calls.askDraft('b2'), { ok: true });
});

const code: CodeContext = {
  id: 'c',
  kind: 'selection',
  path: 'a.ts',
  languageId: 'typescript',
  startLine: 1,
  endLine: 2,
  text: '',
};

test('prepares a question with the selected code, in place of what was selected before unless text is typed', async () => {
  const { calls, scene } = new Fixture();
  const selection = (text: string): CodeContext => ({ ...code, id: text, text });
  const added: CodeContext = { ...code, id: 'f', kind: 'file', text: 'all of it' };
  const texts = () => scene.chat.live.composed.contexts.map(({ text }) => text);
  await calls.prepare([selection('one')], ['m3']);
  assert.deepEqual([texts(), calls.model], [['one'], 'm3']);
  scene.chat.live.setDraft({ contexts: [...scene.chat.live.composed.contexts, added] });
  await calls.prepare([selection('two')], ['m3']);
  assert.deepEqual([texts(), calls.model], [['all of it', 'two'], 'm3']);
  await calls.prepare([{ ...selection('two'), id: 'again' }], ['m4']);
  assert.deepEqual(texts(), ['all of it', 'two']);
  scene.chat.live.setDraft({ text: 'Why?' });
  await calls.prepare([selection('three'), selection('two')], ['m4']);
  assert.deepEqual(texts(), ['all of it', 'two', 'three']);
  assert.equal(scene.chat.live.composed.text, 'Why?');
  assert.equal(scene.calls.length, 0);
});

test('a question of a command has begun at once, so that no other one begins in the same panel', async () => {
  const fixture = new Fixture();
  const sent = fixture.ask();
  assert.notEqual(fixture.scene.chat.starting, undefined);
  assert.deepEqual(await sent, { ok: true });
  assert.equal(fixture.scene.calls.length, 1);
  assert.deepEqual(fixture.scene.call().facts.caller, { kind: 'explain' });
});

test('a question is sent without a review to the other gateway that its box named, and to no third one', async () => {
  for (const [active, isAsked] of [
    ['other.example', false],
    ['third.example', true],
  ] as const) {
    const fixture = await new Fixture().answered();
    fixture.scene.findSender = async () => ({ ok: true, sender: { ...fixture.scene.sender, host: active } });
    const sent = fixture.calls.askDraft('b1', 'other.example');
    await settle();
    assert.equal(reviews.length, isAsked ? 1 : 0);
    fixture.scene.chat.stop('b1');
    for (const answer of reviews.splice(0)) {
      answer();
    }
    assert.equal((await sent).ok, !isAsked);
    assert.equal(fixture.scene.calls.length, isAsked ? 1 : 2);
  }
});
