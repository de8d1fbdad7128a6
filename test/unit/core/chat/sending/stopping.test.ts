import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConversation } from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { replyFacts } from '../../../../../src/core/chat/conversation/replyFacts.ts';
import { troubleOf } from '../../../../../src/core/chat/conversation/trouble.ts';
import type { Chat, Sent } from '../../../../../src/core/chat/sending/chat.ts';
import { reimported } from '../conversation/storedFixture.ts';
import { Scene, settle } from './chatScene.ts';

const stopped: Sent = { ok: false, reason: 'Nothing was sent.', isStopped: true };

/** Every action that makes a paid call, in a conversation whose first question `a1` was answered. */
const actions: Readonly<Record<string, (chat: Chat, id: string) => Promise<Sent>>> = {
  'a question': (chat, id) => chat.send({ id, question: 'And?', contexts: [], models: ['m'] }),
  'a comparison': (chat, id) => chat.send({ id, question: 'And?', contexts: [], models: ['m1', 'm2', 'm3'] }),
  'a continuation': (chat, id) => chat.send({ id, turnId: 'a1', replyId: 'a1', asking: 'Go on.', models: ['m'] }),
  'an edited question': (chat, id) =>
    chat.send({ id, instead: 'a1', question: 'Why not?', contexts: [], models: ['m'] }),
  'a retry': (chat, id) => chat.send({ id, turnId: 'a1', models: ['m2'] }),
};

async function answered(): Promise<Scene> {
  const scene = new Scene();
  await scene.ask();
  await scene.call().end();
  scene.chat.live.setDraft({ text: 'And?', contexts: [] });
  await scene.chat.live.settled();
  return scene;
}

for (const [what, act] of Object.entries(actions)) {
  test(`${what} that is stopped while the key is being read is not sent, and the composer keeps its text`, async () => {
    for (const id of ['b1', undefined]) {
      const scene = await answered();
      if (what === 'an edited question') {
        scene.chat.live.startEdit('a1');
        scene.chat.live.setDraft({ text: 'Why not?', contexts: [] });
      }
      const before = scene.chat.live.conversation;
      let open = () => {};
      scene.findSender = () =>
        new Promise((resolve) => {
          open = () => resolve({ ok: true, sender: scene.sender });
        });
      const sent = act(scene.chat, 'b1');
      await settle();
      scene.chat.stop('another');
      scene.chat.stop(id);
      open();
      assert.deepEqual(await sent, stopped);
      await settle();
      assert.equal(scene.calls.length, 1);
      assert.deepEqual(scene.chat.live.conversation, before);
      assert.equal(scene.chat.isBusy, false);
      assert.equal(scene.released, 2);
      scene.findSender = async () => ({ ok: true, sender: scene.sender });
      assert.deepEqual(await act(scene.chat, 'b2'), { ok: true }, 'the next one is sent');
    }
  });

  test(`${what} is stopped by the id of its action after its requests were sent`, async () => {
    const scene = await answered();
    assert.deepEqual(await act(scene.chat, 'b1'), { ok: true });
    await settle();
    const calls = scene.calls.slice(1);
    scene.chat.stop('b1');
    await settle();
    assert.ok(calls.length > 0 && calls.every(({ signal }) => signal.aborted));
    assert.equal(scene.chat.isBusy, false);
  });
}

test('says that a question stopped before sending was not sent, and that one stopped later may be charged', async () => {
  const scene = new Scene();
  const { keep } = scene;
  scene.keep = async (text) => {
    await keep(text);
    scene.chat.stop('a1');
  };
  await scene.ask('a1');
  await scene.chat.live.settled();
  assert.equal(scene.calls.length, 0);
  const stored = readConversation('c1', scene.file).conversation;
  assert.deepEqual(stored, scene.chat.live.conversation);
  const reply = stored.turns[0]?.replies[0];
  assert.ok(reply);
  assert.deepEqual(
    [reply.state, troubleOf(reply)?.title, troubleOf(reply)?.actions, replyFacts(reply).line],
    ['stopped', 'Stopped before it was sent.', [{ action: 'sendAgain', label: 'Send Again' }], []],
  );
  assert.deepEqual(reimported(stored), stored);
  assert.equal(reply.isUnsent, true);
  scene.keep = keep;
  await scene.ask('a2');
  scene.chat.stop('a2');
  await settle();
  assert.match(troubleOf(scene.reply)?.title ?? '', /may still charge/);
});
