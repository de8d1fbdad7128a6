import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import type { Sent } from '../../../../src/core/chat/sending/chatPorts.ts';
import { PaidActions } from '../../../../src/core/chat/sending/paidActions.ts';
import type { Catalogue } from '../../../../src/core/models/catalogue/catalogue.ts';
import type { PaidCalls as PaidCallsOf } from '../../../../src/editor/panel/paidCalls.ts';
import { Scene, settle } from '../../core/chat/sending/chatScene.ts';

const dialogs: (() => void)[] = [];
Object.assign(globalThis, { dialogsOfTest: dialogs });
// Of VS Code, the dialog that asks whether a conversation may go to another gateway: answered with yes when the test says.
const vscode = `data:text/javascript,
  export const window = {
    showWarningMessage: (...all) => new Promise((resolve) => globalThis.dialogsOfTest.push(() => resolve(all.at(-1)))),
  };`;
registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: vscode, shortCircuit: true } : next(name, context)),
});
const { PaidCalls } = await import('../../../../src/editor/panel/paidCalls.ts');

/** A conversation whose first question was answered, with everything that is asked before a call in the hands of the test. */
class Desk {
  readonly scene = new Scene();
  isConnected: () => Promise<boolean> = async () => true;
  picked: () => Promise<string | undefined> = async () => 'm2';
  picks = 0;
  readonly calls: PaidCallsOf;

  constructor() {
    this.calls = new PaidCalls(this.scene.chat, {
      catalogue: { defaultModel: 'm', used: async () => undefined } as unknown as Catalogue,
      pickModel: () => {
        this.picks++;
        return this.picked();
      },
      ensureConnected: () => this.isConnected(),
      paid: new PaidActions(this.scene.clock, async () => false),
    });
  }

  async answered(): Promise<this> {
    await this.scene.ask();
    await this.scene.call().end();
    this.scene.chat.setDraft({ text: 'And?', contexts: [] });
    return this;
  }
}

const stopped: Sent = { ok: false, reason: 'Stopped. Nothing was sent.', isStopped: true };
const actions: Readonly<Record<string, (calls: PaidCallsOf, id: string) => Promise<Sent>>> = {
  'the question in the box': (calls, id) => calls.askDraft(id),
  'asking again': (calls, id) => calls.askAgain(id, 'a1'),
  'asking another model': (calls, id) => calls.askOther(id, 'a1'),
  'a continuation': (calls, id) => calls.goOn(id, 'a1'),
};

/** A promise and its end. */
function later<T>() {
  let end = (_: T) => {};
  const promise = new Promise<T>((resolve) => {
    end = resolve;
  });
  return { promise, end };
}

for (const [what, act] of Object.entries(actions)) {
  test(`${what} is not sent when it is stopped while something is still asked for it`, async () => {
    for (const id of ['b1', undefined]) {
      const desk = await new Desk().answered();
      const connected = later<boolean>();
      desk.isConnected = () => connected.promise;
      const sent = act(desk.calls, 'b1');
      assert.equal(desk.calls.starting, 'b1', 'the panel can offer to stop it');
      desk.calls.stop(id);
      connected.end(true);
      assert.deepEqual(await sent, stopped);
      await settle();
      assert.equal(desk.calls.starting, undefined);
      assert.equal(desk.scene.calls.length, 1);
      assert.equal(desk.scene.chat.conversation.draft.text, 'And?');
    }
  });

  test(`${what} is not sent to another gateway when it is stopped while that is being confirmed`, async () => {
    const desk = await new Desk().answered();
    desk.scene.findSender = async () => ({ ok: true, sender: { ...desk.scene.sender, host: 'other.example' } });
    const sent = act(desk.calls, 'b1');
    await settle();
    desk.calls.stop('b1');
    for (const confirm of dialogs.splice(0)) {
      confirm();
    }
    assert.deepEqual(await sent, stopped);
    await settle();
    assert.equal(desk.scene.calls.length, 1);
  });

  test(`${what} is one call when it comes again at once, and another one later`, async () => {
    const desk = await new Desk().answered();
    const picked = later<string>();
    desk.picked = () => picked.promise;
    const both = [act(desk.calls, 'b1'), act(desk.calls, 'b2')];
    await settle();
    picked.end('m2');
    assert.deepEqual(await Promise.all(both), [{ ok: true }, { ok: true }]);
    await settle();
    assert.equal(desk.scene.calls.length, 2);
    assert.equal(desk.picks, what === 'asking another model' ? 1 : 0);
    await desk.scene.call().end();
    desk.scene.chat.setDraft({ text: 'And?', contexts: [] });
    desk.scene.clock.pass(1_000);
    assert.deepEqual(await act(desk.calls, 'b4'), { ok: true });
    await settle();
    assert.equal(desk.scene.calls.length, 3);
  });
}

test('the first question, and the first comparison, are back in the box when they are stopped before they leave', async () => {
  const starts = [
    (calls: PaidCallsOf) => calls.ask('Why?', [], ['m']),
    (calls: PaidCallsOf) => calls.ask('Why?', [], ['m', 'm2']),
  ];
  for (const start of starts) {
    const desk = new Desk();
    const found = later<Awaited<ReturnType<Scene['findSender']>>>();
    desk.scene.findSender = () => found.promise;
    const sent = start(desk.calls);
    await settle();
    desk.calls.stop(desk.calls.starting);
    found.end({ ok: true, sender: desk.scene.sender });
    assert.deepEqual(await sent, stopped);
    assert.equal(desk.scene.calls.length, 0);
    assert.equal(desk.scene.chat.conversation.draft.text, 'Why?');
    assert.equal(desk.calls.model, 'm');
  }
});

test('the same question, sent again at once after a quick answer, stays in the box with the reason', async () => {
  const desk = await new Desk().answered();
  assert.deepEqual(await desk.calls.askDraft('b1'), { ok: true });
  await settle();
  await desk.scene.call().end();
  desk.scene.chat.setDraft({ text: 'And?', contexts: [] });
  desk.scene.clock.pass(300);
  const repeat = await desk.calls.askDraft('b2');
  assert.ok(!repeat.ok && /a moment ago/.test(repeat.reason));
  await settle();
  assert.equal(desk.scene.calls.length, 2);
  assert.equal(desk.scene.chat.conversation.draft.text, 'And?');
});

test('a button under a new answer is another decision, however quick the answer was', async () => {
  const desk = await new Desk().answered();
  for (const [index, id] of ['b1', 'b2', 'b3'].entries()) {
    assert.deepEqual(await desk.calls.askAgain(id, 'a1'), { ok: true });
    await settle();
    await desk.scene.call().end();
    assert.equal(desk.scene.calls.length, index + 2);
  }
});

test('a question that was refused can be sent again at once', async () => {
  const desk = await new Desk().answered();
  desk.isConnected = async () => false;
  assert.equal((await desk.calls.askDraft('b1')).ok, false);
  desk.isConnected = async () => true;
  assert.deepEqual(await desk.calls.askDraft('b2'), { ok: true });
});
