import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyConversation, readConversation } from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { sentMessages } from '../../../../../src/core/chat/conversation/requestDocument.ts';
import { conversationMarkdown } from '../../../../../src/core/chat/store/conversationMarkdown.ts';
import { reimported } from '../conversation/storedFixture.ts';
import { Scene, settle } from './chatScene.ts';

class PromptScene extends Scene {
  prompts = { systemPrompt: 'C', modelSystemPrompts: new Map([['m2', 'M2']]) };

  constructor() {
    super(emptyConversation('c1', 5));
    this.findSender = async () => ({ ok: true, sender: { ...this.sender, defaults: this.prompts } });
  }

  /** The system prompts of all calls so far; undefined for a call without one. */
  get sent(): (string | undefined)[] {
    return this.calls.map(({ request: { messages } }) => {
      const [first, ...others] = messages;
      assert.ok(others.every(({ role }) => role !== 'system'));
      return first?.role === 'system' ? String(first.content) : undefined;
    });
  }
}

test('sends the prompt of the conversation also when a question is asked again, edited, continued or compared', async () => {
  const scene = new PromptScene();
  const { chat } = scene;
  await scene.ask('a1');
  await scene.answer();
  chat.live.setSystemPrompt('Own');
  for (const action of [
    { id: 'a2', kind: 'again', turnId: 'a1', model: 'm2' },
    { id: 'a3', kind: 'continue', turnId: 'a1', replyId: 'a1', asking: 'Go on.', model: 'm' },
    { id: 'a4', kind: 'instead', turnId: 'a1', question: 'Why not?', contexts: [], model: 'm' },
  ] as const) {
    assert.deepEqual(await chat.send(action), { ok: true });
    await settle();
    await scene.answer();
  }
  assert.deepEqual(await chat.send({ id: 'a5', kind: 'compare', question: 'So?', contexts: [], models: ['m', 'm2'] }), {
    ok: true,
  });
  await settle();
  assert.deepEqual(scene.sent, ['C', 'Own', 'Own', 'Own', 'Own', 'Own']);
});

test('sends each model of a comparison its own prompt, and none where the conversation has a blank one', async () => {
  const scene = new PromptScene();
  const { chat } = scene;
  const compare = (id: string) =>
    chat.send({ id, kind: 'compare', question: 'So?', contexts: [], models: ['m', 'm2'] });
  await compare('a1');
  await settle();
  assert.deepEqual(scene.sent, ['C', 'M2']);
  for (const call of scene.calls) {
    call.delta('So.');
    await call.end();
  }
  chat.live.chooseReply('a1.1');
  chat.live.setSystemPrompt('');
  await compare('a2');
  await settle();
  assert.deepEqual(scene.sent.slice(2), [undefined, undefined]);
});

test('stores the prompt with the conversation, and what was sent with each reply', async () => {
  const scene = new PromptScene();
  const { chat } = scene;
  await scene.ask('a1');
  await scene.answer();
  chat.live.setSystemPrompt('Own\n```\nline');
  await scene.ask('a2');
  await scene.answer();
  chat.live.setSystemPrompt('');
  await scene.ask('a3');
  await scene.answer();
  chat.live.setSystemPrompt('Later');
  await chat.live.settled();
  const { conversation, unreadLines } = readConversation('c1', scene.file);
  assert.equal(unreadLines, 0);
  assert.deepEqual(conversation, chat.live.conversation);
  assert.equal(conversation.systemPrompt, 'Later');
  for (const [index, call] of scene.calls.entries()) {
    assert.deepEqual(sentMessages('c1', scene.file, `a${index + 1}`), call.request.messages);
  }
  assert.deepEqual(reimported(conversation), conversation);
  const markdown = conversationMarkdown(conversation);
  assert.deepEqual(markdown.match(/^System prompt:\n\n.*\n.*$/gm), [
    'System prompt:\n\n```text\nC',
    'System prompt:\n\n````text\nOwn',
  ]);
  chat.live.setSystemPrompt(undefined);
  await chat.live.settled();
  assert.equal('systemPrompt' in readConversation('c1', scene.file).conversation, false);
});
